"""An extractive summary without a model: the most informative sentences of the scene."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log, sqrt
from typing import NamedTuple

from fabula.extraction.english.tables import TITLES_WITH_STOP
from fabula.extraction.found import FoundName
from fabula.extraction.known import Known, KnownNames
from fabula.extraction.local import LocalExtractor
from fabula.extraction.local_drafts import likeness
from fabula.extraction.mentions import FoundMention
from fabula.extraction.moods import mood_of, time_of
from fabula.extraction.people import grouped_names
from fabula.extraction.scene_states import states_in
from fabula.extraction.summary import SceneSummary
from fabula.model.relation import Language
from fabula.staging.dialogue import SPOKEN
from fabula.staging.on_stage import NamedAt, presences

LIMIT: dict[Language, int] = {"zh": 300, "en": 900}

_SENTENCE = re.compile(
    r"[^。！？!?…\n.]*(?:\.(?!\s|\Z|[\"'”’])[^。！？!?…\n.]*)*[。！？!?….]*[”’」』\"']*[ \u3000]*\n?"
)
_WORD = re.compile(r"[a-z]{3,}|[\u4e00-\u9fff]")
_ABBREVIATED = re.compile(rf"\b(?:{'|'.join(sorted(TITLES_WITH_STOP))}|[A-Z])\.\Z")
_LONGEST = 160
_EVENTS = 3
_AT_LEAST = 0.5
_MOST_PEOPLE, _MOST_PLACES = 24, 12


class _Sentence(NamedTuple):
    start: int
    end: int
    text: str
    words: Counter[str]


def short_summary(
    text: str,
    known: Known,
    language: Language,
    *,
    limit: int | None = None,
    extractor: LocalExtractor | None = None,
    found: Sequence[FoundMention] | None = None,
) -> SceneSummary:
    """A summary of at most `limit` characters, with the people and places the local extractor finds.

    Callers that have already searched the scene pass the mentions as `found`.
    """
    known = KnownNames.of(known)
    if found is None:
        found = (extractor or LocalExtractor()).mentions(text, known, language)
    mentions = _by_main_names([mention for mention in found if mention.named], known)
    sentences = _sentences(text)
    scored = _scores(sentences, mentions)
    order = sorted(range(len(sentences)), key=lambda number: (-scored[number], number))
    room = limit or LIMIT[language]
    chosen = _chosen(sentences, order, room)
    space = "" if language == "zh" else " "
    told = space.join(sentences[number].text for number in sorted(chosen))
    active = _on_stage(text, mentions)
    spans = [(sentence.start, sentence.end) for sentence in sentences]
    return SceneSummary(
        # If no sentence fits, the beginning of the scene is used.
        summary=told or text.strip()[:room],
        active_characters=active,
        active_locations=_often(mentions, "location"),
        timeline_position=time_of(text, language),
        emotional_tone=mood_of(text, language) if text.strip() else "",
        key_events=tuple(sentences[number].text for number in sorted(chosen[:_EVENTS])),
        character_states=states_in(text, spans, mentions, active, language),
    )


def _sentences(text: str) -> list[_Sentence]:
    found = []
    start = 0
    for match in _SENTENCE.finditer(text):
        sentence = text[start : match.end()].strip()
        if _ABBREVIATED.search(sentence) and "\n" not in match[0]:
            continue  # the full stop of "Mr." does not end a sentence
        if any(map(str.isalnum, sentence)):
            found.append(_Sentence(start, match.end(), sentence, _words(sentence)))
        start = match.end()
    return found


def _words(sentence: str) -> Counter[str]:
    """Words, or pairs of Chinese characters."""
    letters = _WORD.findall(sentence.lower())
    pairs = (one + other if max(one, other) >= "\u4e00" else one for one, other in pairwise(letters))
    return Counter(pairs)


def _scores(sentences: Sequence[_Sentence], mentions: Sequence[FoundMention]) -> list[float]:
    """The score of each sentence: typical words, frequent names, first or last, little dialogue."""
    everywhere: Counter[str] = Counter()
    for sentence in sentences:
        everywhere.update(sentence.words.keys())
    whole: Counter[str] = Counter()
    for sentence in sentences:
        whole.update(sentence.words)
    weight = {
        word: log(1 + len(sentences) / count) * log(1 + whole[word]) for word, count in everywhere.items()
    }
    often = Counter(mention.known or mention.text for mention in mentions)
    scores = []
    index = 0
    for number, sentence in enumerate(sentences):
        present: set[str] = set()
        while index < len(mentions) and mentions[index].start < sentence.end:
            present.add(mentions[index].known or mentions[index].text)
            index += 1
        likeness = sum(weight[word] for word in sentence.words) / sqrt(1 + len(sentence.text))
        about = sum(log(1 + often[name]) for name in present)
        place = 1.5 if number == 0 else 1.0 if number == len(sentences) - 1 else 0.0
        spoken = sum(len(talk) for talk in SPOKEN.findall(sentence.text)) / len(sentence.text)
        scores.append((likeness + about + place) * (1 - 0.6 * min(1.0, spoken)))
    return scores


def _chosen(sentences: Sequence[_Sentence], order: Sequence[int], limit: int) -> list[int]:
    """The best sentences that fit the limit, without near-duplicates."""
    chosen: list[int] = []
    room = limit
    for number in order:
        sentence = sentences[number]
        size = len(sentence.text) + 1
        if size > min(room, _LONGEST * (2 if sentence.text.isascii() else 1)):
            continue
        if any(_alike(sentence, sentences[other]) > _AT_LEAST for other in chosen):
            continue
        chosen.append(number)
        room -= size
    return chosen


def _alike(one: _Sentence, other: _Sentence) -> float:
    shared = len(one.words.keys() & other.words.keys())
    return shared / max(1, min(len(one.words), len(other.words)))


def _by_main_names(mentions: list[FoundMention], known: KnownNames) -> list[FoundMention]:
    """The mentions, each under the main name of its entity."""
    times = Counter((mention.text, mention.type) for mention in mentions if mention.known is None)
    names = [FoundName(text, kind, count, 1.0) for (text, kind), count in times.items()]
    grouped = grouped_names(names, known, likeness)
    main = {
        name.text: entity.name.text for entity in grouped.entities for name in (entity.name, *entity.aliases)
    }
    main.update((alias.name.text, alias.owner) for alias in grouped.aliases)
    return [mention._replace(known=mention.known or main.get(mention.text)) for mention in mentions]


def _on_stage(text: str, mentions: Sequence[FoundMention]) -> tuple[str, ...]:
    """The main names of the people who are there, the most present first."""
    namings = (
        NamedAt(m.start, m.end, m.known or m.text)
        for m in mentions
        if m.type == "character" and m.confidence >= _AT_LEAST
    )
    found = presences(text, namings)
    return tuple(name for name, presence in found.items() if presence.is_on_stage)[:_MOST_PEOPLE]


def _often(mentions: Sequence[FoundMention], kind: str) -> tuple[str, ...]:
    """The main names of this type, the most frequent first."""
    names = Counter(m.known or m.text for m in mentions if m.type == kind and m.confidence >= _AT_LEAST)
    return tuple(name for name, _ in names.most_common(_MOST_PLACES))
