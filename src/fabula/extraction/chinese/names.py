"""The mentions and names in a Chinese text of any length."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from fabula.extraction.chinese.edges import Edges
from fabula.extraction.chinese.finder import ChineseName, find
from fabula.extraction.chinese.reading import Read
from fabula.extraction.chinese.sentences import TextSentence, sentences_of
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.kin import KIN
from fabula.extraction.known import KnownNames
from fabula.extraction.mentions import FoundMention
from fabula.extraction.tagger import Tagger
from fabula.matching import fold
from fabula.model.names import name_key

# Each part is processed by itself, so that memory stays bounded; it is long enough for statistics.
_PART = 200_000
# Cheaper than any word: a known name is always recognised, unless it is part of a longer one.
_KNOWN_COST = 1.0
_NOUN = 0.5


def read_chinese(text: str, known_names: KnownNames, tagger: Tagger | None) -> FoundMentions:
    """All mentions and new names in a Chinese text."""
    mentions: list[FoundMention] = []
    names: defaultdict[str, list[FoundName]] = defaultdict(list)
    for part in _parts(list(sentences_of(text))):
        found = _read_part(part, known_names, tagger)
        mentions.extend(found.mentions)
        for name in found.names:
            names[name_key(name.text)].append(name)
    together = [_together(same) for same in names.values()]
    return FoundMentions(
        mentions, sorted(together, key=lambda name: (-name.confidence, -name.times, name.text))
    )


def _parts(sentences: list[TextSentence]) -> Iterator[list[TextSentence]]:
    part: list[TextSentence] = []
    size = 0
    for sentence in sentences:
        if size > _PART:
            yield part
            part, size = [], 0
        part.append(sentence)
        size += len(sentence.text)
    if part:
        yield part


def _read_part(part: list[TextSentence], known_names: KnownNames, tagger: Tagger | None) -> FoundMentions:
    known: list[Edges] = [
        {(hit.start, hit.end, one.type): _KNOWN_COST for hit, one in known_names.places(sentence.text)}
        for sentence in part
    ]
    plain = [_plain(sentence.text) for sentence in part]
    people = (one.name for one in known_names.everybody if one.type in ("character", "unknown"))
    findings = find(plain, tagger, known, people)
    mentions: list[FoundMention] = []
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sentence, simplified, items in zip(part, plain, findings.read, strict=True):
        for item in items:
            if item.type == "character" and simplified[item.start : item.end] in KIN["zh"]:
                # What somebody is to another is no name, unless the story says so.
                item = item._replace(
                    named=known_names.owner(sentence.text[item.start : item.end]) is not None
                )
            name = findings.names.get(simplified[item.start : item.end]) if item.named else None
            mention = _mention(sentence, item, name, known_names)
            mentions.append(mention)
            if name is not None and mention.known is None:
                written[name.text][mention.text] += 1
    names = [
        FoundName(written[name.text].most_common(1)[0][0], name.type, name.times, name.confidence)
        for name in findings.names.values()
        if name.text in written
    ]
    return FoundMentions(mentions, names)


def _mention(
    sentence: TextSentence, item: Read, name: ChineseName | None, known_names: KnownNames
) -> FoundMention:
    text = sentence.text[item.start : item.end]
    known = known_names.owner(text) if item.named else None
    start, end = sentence.start + item.start, sentence.start + item.end
    if known is not None:
        return FoundMention(start, end, text, known.type, 1.0, True, known.name)
    if name is not None:
        return FoundMention(start, end, text, name.type, name.confidence)
    return FoundMention(start, end, text, item.type, _NOUN, item.named)


def _plain(sentence: str) -> str:
    """The sentence in simplified characters, if that keeps all offsets."""
    folded = fold(sentence, simplify=True, keep_case=True).text
    return folded if len(folded) == len(sentence) else sentence


def _together(same: list[FoundName]) -> FoundName:
    """The same name from several parts, merged."""
    best = max(same, key=lambda name: (name.times, name.confidence))
    doubt = 1.0
    for name in same:
        doubt *= 1 - name.confidence
    return best._replace(times=sum(name.times for name in same), confidence=min(0.99, 1 - doubt))
