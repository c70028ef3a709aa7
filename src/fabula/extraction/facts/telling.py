"""The sentence of a text that says most about somebody of whom nothing is stated by itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabula.extraction.english.supposed import is_supposed as is_supposed_in_english
from fabula.extraction.facts.chinese import PEOPLE_OF_A_KIND
from fabula.extraction.facts.chinese import is_supposed as is_supposed_in_chinese
from fabula.extraction.facts.composed import PlacedFact
from fabula.extraction.facts.english_people import WORDS_FOR_PEOPLE
from fabula.extraction.ties.drafts import Somebody
from fabula.extraction.ties.sentence import PERSON, MarkedSentence
from fabula.model.relation import Language


class _Measure(NamedTuple):
    """How a telling sentence looks: its length, how near its beginning the name stands, and its words."""

    shortest: int
    longest: int
    near: int
    kind: re.Pattern[str]
    is_: re.Pattern[str]


_MEASURES: dict[Language, _Measure] = {
    "zh": _Measure(
        10,
        70,
        4,
        re.compile(PEOPLE_OF_A_KIND),
        re.compile(f"{PERSON}(?:此人|这人|原|本|乃|即|却|亦|也)?[是乃系]|{PERSON}[原本]来?|名[唤叫]{PERSON}"),
    ),
    "en": _Measure(
        35,
        220,
        25,
        re.compile(rf"\b(?:{'|'.join(sorted(WORDS_FOR_PEOPLE, key=len, reverse=True))})\b"),
        re.compile(
            rf"{PERSON},?\s+(?:who\s+)?(?:was|is|had been|has been|had once been|lived|came from|belonged)\b"
        ),
    ),
}
_IS_SUPPOSED = {"zh": is_supposed_in_chinese, "en": is_supposed_in_english}
# What follows a name as far as this may be said of it.
_REACH: dict[Language, int] = {"zh": 25, "en": 80}
# A sentence that says less than this is no better than any other.
_LEAST = 2
# Who somebody is, is said when they appear; later sentences tell what they do.
_EARLY = 30


class TellingSentences:
    """Collects the sentence that says most about each person."""

    def __init__(self, who: Mapping[str, Somebody], language: Language) -> None:
        self._who, self._measure, self._reach = who, _MEASURES[language], _REACH[language]
        self._is_supposed = _IS_SUPPOSED[language]
        self._seen: Counter[str] = Counter()
        self._best: dict[str, tuple[int, MarkedSentence]] = {}

    def note(self, sentence: MarkedSentence) -> None:
        """Compare a sentence with the best so far of everybody it names."""
        people = [one for one in sentence.mentions if one.type == "character"]
        names = dict.fromkeys(self._who[one.known or one.text].name for one in people)
        for name in names:
            self._seen[name] += 1
        fresh = [name for name in names if self._seen[name] <= _EARLY]
        if not fresh or sentence.is_speech or len(names) > 2:
            return
        length = sentence.end - sentence.start
        if not self._measure.shortest <= length <= self._measure.longest:
            return
        # The name must stand near the beginning: the sentence is about the first one it names.
        name = self._who[people[0].known or people[0].text].name
        if name not in fresh or people[0].start - sentence.start > self._measure.near:
            return
        said = self._measure.is_.search(sentence.marked)
        if said is None or self._is_supposed(sentence, said.start()):
            return
        score = 2 * min(
            2, len(self._measure.kind.findall(sentence.marked, said.start(), said.end() + self._reach))
        )
        score -= len(names) - 1
        if score >= _LEAST and score > self._best.get(name, (0, sentence))[0]:
            self._best[name] = (score, sentence)

    def facts(self, text: str) -> Iterator[PlacedFact]:
        """The best sentence of each person as a fact about them."""
        for name, (_, sentence) in self._best.items():
            said = " ".join(text[sentence.start : sentence.end].split()).strip('“”"「」『』 ')
            yield PlacedFact(name, "told", said, "", sentence.start, sentence.start + 1)
