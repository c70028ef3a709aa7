"""Merges the findings from the blocks of a whole book and re-weighs them with evidence from all of it.

Over a million characters, a word mistaken for a name is mistaken a thousand times, and counting makes it look
certain. What distinguishes people from words is that people speak: every major character says something.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import orjson

from fabula.extraction.chinese.book_evidence import (
    NameEvidence,
    deeds,
    is_doing_something,
    is_doubled,
    is_no_name,
    is_one_of_many,
    is_position,
    name_evidence,
    other_type,
)
from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.nouns import COMMON_PEOPLE
from fabula.extraction.chinese.speakers import with_titles
from fabula.extraction.chinese.surnames import SURNAMES
from fabula.extraction.english.book_evidence import judged_in_english
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.mentions import FoundMention
from fabula.model.names import name_key
from fabula.model.relation import Language

# From this many mentions on, the share of them that speak is meaningful.
_ENOUGH = 5
_ONLY_SPEECH = 0.75
_SPEAKER = 0.1
_RARE, _DOUBTFUL, _HARDLY, _NOBODY = 0.8, 0.7, 0.5, 0.3
_OFTEN = 8
_LESS_DOUBT, _OFTEN_SEVERAL, _LIKELY = 0.45, 0.12, 0.9
# A name found with this confidence needs no further evidence from the book.
_CERTAIN = 0.97

# 那怪, 众僧, 两府: not names, however often they speak.
_POINTED = frozenset("那这這众眾群两兩几幾诸諸各每某此")
_DEGREES = frozenset("小老大")
# 嚷道, 贾母忙
_SAYING = frozenset("道曰说說忙笑")
# 谢了恩
_NEVER_IN_NAMES = frozenset("了着们")
# 炕上, 两边, 里间: positions, not named places.
_POSITIONS = frozenset("上下里裡边邊间間旁沿处處前后後内內外中头頭口畔")


class Block(NamedTuple):
    """The findings of one block of a book, with offsets from the start of the block."""

    start: int
    found: FoundMentions


def packed(found: FoundMentions) -> bytes:
    """The findings serialised as bytes."""
    names = [list(name) for name in found.names]
    return zlib.compress(orjson.dumps([[list(mention) for mention in found.mentions], names]), 1)


def unpacked(content: bytes) -> FoundMentions:
    """The findings from their serialised bytes."""
    mentions, names = orjson.loads(zlib.decompress(content))
    return FoundMentions(
        [FoundMention(*mention) for mention in mentions], [FoundName(*name) for name in names]
    )


def joined(blocks: Iterable[Block]) -> FoundMentions:
    """The findings of all blocks, merged, with offsets into the book."""
    mentions: list[FoundMention] = []
    names: defaultdict[str, list[FoundName]] = defaultdict(list)
    for block in sorted(blocks, key=lambda block: block.start):
        mentions.extend(
            mention._replace(start=mention.start + block.start, end=mention.end + block.start)
            for mention in block.found.mentions
        )
        for name in block.found.names:
            names[name_key(name.text)].append(name)
    return FoundMentions(mentions, [_as_one(same) for same in names.values()])


def weighed(found: FoundMentions, text: str, language: Language) -> FoundMentions:
    """The findings with confidence and types corrected by evidence from the whole book."""
    found = with_titles(found, text) if language == "zh" else found
    if language == "zh":
        names = _in_chinese(found, text)
    else:
        names = judged_in_english(found.names, found.mentions, text)
    types = {name.text: name.type for name in names}
    mentions = [
        mention._replace(type=types.get(mention.text, mention.type))
        if mention.named and mention.known is None
        else mention
        for mention in found.mentions
    ]
    return FoundMentions(mentions, sorted(names, key=lambda name: (-name.confidence, -name.times, name.text)))


def _in_chinese(found: FoundMentions, text: str) -> list[FoundName]:
    around = name_evidence(text, found.mentions)
    speakers = {
        name.text
        for name in found.names
        if (own := around.get(name.text)) is not None and own.begins_and_speaks >= _SPEAKER
    }
    done = deeds(text, found.mentions)
    return [_judged_chinese(name, around.get(name.text), speakers, done) for name in found.names]


def _as_one(same: Sequence[FoundName]) -> FoundName:
    """The same name from several blocks: average confidence, most frequent type."""
    total = sum(name.times for name in same)
    types: Counter[str] = Counter()
    for name in same:
        types[name.type] += name.times
    sure = sum(name.confidence * name.times for name in same) / total
    best = max(same, key=lambda name: name.times)
    return best._replace(type=types.most_common(1)[0][0], times=total, confidence=min(0.99, sure))


def _judged_chinese(
    name: FoundName, evidence: NameEvidence | None, speakers: AbstractSet[str], done: AbstractSet[str]
) -> FoundName:
    text = name.text
    if is_no_name(text) or is_doing_something(text, done):
        return _believed(name, _NOBODY)
    if text[0] in _POINTED or text[-1] in _SAYING or _is_common(text) or is_position(text):
        return _believed(name, _DOUBTFUL)
    if evidence is None or evidence.times < _ENOUGH:
        return _believed(name, _RARE)
    if evidence.speaks > _ONLY_SPEECH or evidence.is_verb or not _NEVER_IN_NAMES.isdisjoint(text):
        return _believed(name, _NOBODY)
    # 猪八戒 is the same as 八戒, whatever things end like that.
    speaks = evidence.begins_and_speaks >= _SPEAKER or (len(text) > 2 and text[1:] in speakers)
    name = name._replace(type="character" if speaks else other_type(text, name.type, evidence))
    if evidence.is_cut_right or (evidence.is_cut_left and name.type == "character"):
        return _believed(name, _DOUBTFUL)
    if name.type != "character":
        return _believed(name, _of_a_thing(name, evidence.times))
    return _judged_person(name, evidence)


def _judged_person(name: FoundName, evidence: NameEvidence) -> FoundName:
    """The name of somebody, believed as far as it behaves like one."""
    text = name.text
    if evidence.is_manner:
        return _believed(name, _NOBODY)
    if evidence.acts_as_somebody and not lexicon().is_common(text):
        name = name._replace(confidence=1 - _LESS_DOUBT * (1 - name.confidence))
    elif _is_any(name, evidence):
        return _believed(name, _DOUBTFUL)
    does_nothing = evidence.is_silent or (evidence.is_passive and name.confidence < _CERTAIN)
    if not does_nothing or (_is_full(text) and not is_doubled(text)) or evidence.is_treated_as_somebody:
        return name
    return _believed(name, _HARDLY if evidence.is_treated_as_nothing else _DOUBTFUL)


def _is_any(name: FoundName, evidence: NameEvidence) -> bool:
    """Whether it is a word that never speaks (乾坤), or one of several (一伙贼), rather than a name."""
    if name.confidence >= _LIKELY or _is_full(name.text):
        return False
    if lexicon().is_common(name.text):
        return not evidence.begins_and_speaks
    return evidence.is_one_of_several >= _OFTEN_SEVERAL and evidence.begins_and_speaks < 2 * _SPEAKER


def _believed(name: FoundName, share: float) -> FoundName:
    return name._replace(confidence=name.confidence * share)


def _is_full(text: str) -> bool:
    """Whether it is a surname with two or more characters; such full names seldom occur with speech."""
    return len(text) > 2 and text[0] in SURNAMES and text[1:] not in COMMON_PEOPLE


def _is_common(text: str) -> bool:
    return (
        text in COMMON_PEOPLE or (text[0] in _DEGREES and text[1:] in COMMON_PEOPLE) or is_one_of_many(text)
    )


def _of_a_thing(name: FoundName, times: int) -> float:
    """The confidence factor for a name of a place, group or thing; short ones are often no names."""
    if name.text[-1] in _POSITIONS or len(name.text) < 3 or name.type == "concept":
        return _DOUBTFUL
    return 1.0 if times >= _OFTEN else _RARE
