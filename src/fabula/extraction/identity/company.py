"""Who is named beside whom: in one passage, one sentence, one list, or one conversation."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from fabula.extraction.identity.turns import SpeechTurn, turns_of
from fabula.extraction.mentions import FoundMention
from fabula.model.relation import Language

# A passage of Chinese prose is a paragraph, or this many characters of a long one; an English one, where
# every turn of a dialogue is a paragraph, this many characters.
_PASSAGE: dict[Language, int] = {"zh": 400, "en": 2_000}
_ANSWERS_WITHIN, _LIST_GAP = 400, 12
# What is told and what is said are apart: 行者道：“我是孙悟空。”
_STOP = re.compile(r"[。！？!?…\n“”「」『』]|\.\s")
_LISTED: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"[、和与與同及并並合跟]"),
    "en": re.compile(r",?\s+and\s+(?:to\s+|with\s+|of\s+)?"),
}


class Company:
    """The company that names keep throughout a text."""

    def __init__(self, text: str, mentions: Sequence[FoundMention], language: Language) -> None:
        self.times: Counter[str] = Counter(mention.text for mention in mentions)
        self._passages: defaultdict[str, set[int]] = defaultdict(set)
        self._sentences: defaultdict[str, set[int]] = defaultdict(set)
        self._listed: Counter[tuple[str, str]] = Counter()
        self._touching: Counter[tuple[str, str]] = Counter()
        self._addressed: Counter[tuple[str, str]] = Counter()
        self._talked: Counter[tuple[str, str]] = Counter()
        self.answered: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.answer_places: dict[tuple[str, str], tuple[int, int]] = {}
        self.spoken: Counter[str] = Counter()
        self._read_passages(text, mentions, language)
        self._read_lists(text, mentions, _LISTED[language])
        self.turns = turns_of(text, mentions, language)
        self._hear(self.turns)

    def _read_passages(self, text: str, mentions: Sequence[FoundMention], language: Language) -> None:
        sentence = passage = begin = stop = 0
        line_end = -1
        for mention in mentions:
            while stop <= mention.start:
                found = _STOP.search(text, stop)
                stop = found.end() if found is not None else len(text) + 1
                sentence += 1
            if mention.start > line_end or mention.start - begin > _PASSAGE[language]:
                passage += 1
                begin = mention.start
                end = text.find("\n", begin) if language == "zh" else begin + _PASSAGE[language]
                line_end = len(text) if end < 0 else end
            self._sentences[mention.text].add(sentence)
            self._passages[mention.text].add(passage)

    def _read_lists(self, text: str, mentions: Sequence[FoundMention], joint: re.Pattern[str]) -> None:
        for one, other in pairwise(mentions):
            if one.end == other.start:
                self._touching[_pair(one.text, other.text)] += 1
            elif other.start - one.end < _LIST_GAP and joint.fullmatch(text, one.end, other.start):
                self._listed[_pair(one.text, other.text)] += 1

    def _hear(self, turns: Sequence[SpeechTurn]) -> None:
        for turn in turns:
            if turn.speaker is not None:
                self.spoken[turn.speaker] += 1
                if turn.addressed is not None:
                    self._addressed[turn.speaker, turn.addressed] += 1
        for turn, following in pairwise(turns):
            if following.speaker is None or following.start - turn.end > _ANSWERS_WITHIN:
                continue
            if turn.speaker is not None and turn.speaker != following.speaker:
                self._talked[_pair(turn.speaker, following.speaker)] += 1
            if turn.addressed is not None and turn.speaker != following.speaker:
                self.answered[turn.addressed][following.speaker] += 1
                place = (turn.start, min(turn.end, turn.start + _ANSWERS_WITHIN))
                self.answer_places.setdefault((turn.addressed, following.speaker), place)

    def together(self, one: str, other: str) -> int:
        """In how many passages both are named."""
        return _common(self._passages[one], self._passages[other])

    def together_with(self, name: str, others: Iterable[str]) -> int:
        """In how many passages a name stands together with any of several others."""
        own = self._passages[name]
        return len({passage for other in others for passage in self._passages[other] & own})

    def affinity(self, name: str, others: Collection[str]) -> float:
        """How much a name is drawn to a person with these names, whether that person is frequent or rare."""
        theirs = set().union(*(self._passages[other] for other in others))
        common = len(self._passages[name] & theirs)
        return common * common / max(1, len(theirs))

    def met(self, one: str, other: str) -> int:
        """In how many sentences both are named, and not as one: 齐天大圣孙悟空."""
        return _common(self._sentences[one], self._sentences[other]) - self._touching[_pair(one, other)]

    def passages(self, name: str) -> int:
        """In how many passages a name stands."""
        return len(self._passages[name])

    def listed(self, one: str, other: str) -> int:
        """How often the two stand in one list."""
        return self._listed[_pair(one, other)]

    def addressed(self, one: str, other: str) -> int:
        """How often one of them speaks and calls the other by name."""
        return self._addressed[one, other] + self._addressed[other, one]

    def talked(self, one: str, other: str) -> int:
        """How often one of them speaks right after the other."""
        return self._talked[_pair(one, other)]


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _common(ones: set[int], others: set[int]) -> int:
    return len(ones & others) if len(ones) < len(others) else len(others & ones)
