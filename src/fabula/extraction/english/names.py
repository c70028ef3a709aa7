"""The mentions and names in an English text."""

from __future__ import annotations

from bisect import bisect_left

from fabula.extraction.english.finder import EnglishFindings, find
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.known import KnownNames
from fabula.extraction.mentions import FoundMention

# Below this, a name is no mention: it may be any word that begins a sentence.
_LEAST = 0.45


def read_english(text: str, known_names: KnownNames) -> FoundMentions:
    """All mentions and new names in an English text."""
    findings = find(text)
    known = [
        FoundMention(hit.start, hit.end, text[hit.start : hit.end], one.type, 1.0, True, one.name)
        for hit, one in known_names.places(text)
    ]
    mentions = _merged(known, _new(text, findings, known_names))
    fresh = {mention.text for mention in mentions if mention.known is None}
    names = [
        FoundName(name.text, name.type, name.times, name.confidence)
        for name in findings.names.values()
        if name.text in fresh
    ]
    return FoundMentions(mentions, sorted(names, key=lambda name: (-name.confidence, -name.times, name.text)))


def _new(text: str, findings: EnglishFindings, known_names: KnownNames) -> list[FoundMention]:
    return [
        FoundMention(place.start, place.end, name.text, name.type, name.confidence)
        for place in findings.places
        if (name := findings.names[place.name]).confidence >= _LEAST and known_names.owner(name.text) is None
    ]


def _merged(known: list[FoundMention], new: list[FoundMention]) -> list[FoundMention]:
    """All mentions without overlaps: the longer wins, then the known one; two known ones are never merged."""
    starts = [mention.start for mention in known]
    kept_new: list[FoundMention] = []
    lost: set[int] = set()
    for mention in new:
        first = max(0, bisect_left(starts, mention.start) - 1)
        touching = []
        for index in range(first, len(known)):
            if known[index].start >= mention.end:
                break
            if known[index].end > mention.start:
                touching.append(index)
        inside = all(
            mention.start <= known[index].start and known[index].end <= mention.end for index in touching
        )
        if inside and len(touching) < 2:
            lost.update(touching)
            kept_new.append(mention)
    kept = [mention for index, mention in enumerate(known) if index not in lost]
    return sorted(kept + kept_new)
