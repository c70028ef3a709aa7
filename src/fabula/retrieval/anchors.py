"""Stage 1: the entities a query refers to, by name, short form, shared words or meaning."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log2

import numpy as np

from fabula.index.arrays import Mask
from fabula.matching.implied import is_opener, is_title
from fabula.retrieval.reasons import Anchor, AnchorWay, TermPlace
from fabula.retrieval.rules import DEFAULT, Rules
from fabula.retrieval.similarity import relative_similarity
from fabula.retrieval.world import Naming, World

_SURENESS = {"name": 1.0, "alias": 0.95, "keyword": 0.7, "implied": 0.75}
# A capitalised name in lower case, in a text that uses capitals, is more often a common word.
_UNCAPPED = 0.5
# Of several entities with the same name, one that scores this many times the next is taken as meant.
DOMINANCE = 1.5
_LEAST = 0.15
_ENOUGH = 0.5
_MOST_FOR_WORDS = 0.75
_SHOWN = 8

_WORD_AFTER = re.compile(r" ([^\W\d_][\w-]*)")
_WORD_BEFORE = re.compile(r"(.?.?)\b([^\W\d_][\w'’-]*) $", re.DOTALL)
_LOOK_BACK = 32
_SENTENCE_ENDS = '.!?:;…“”"‘—–(['

Span = tuple[int, int]


def find_anchors(world: World, query: str, allowed: Mask, rules: Rules = DEFAULT) -> tuple[Anchor, ...]:
    """The entities a query refers to, the surest first; by words and meaning only if it names none."""
    anchors = named_anchors(world, query, allowed)
    if not anchors or anchors[0].weight < _ENOUGH:
        known = {anchor.slot for anchor in anchors}
        anchors += [anchor for anchor in _unnamed(world, query, allowed, rules) if anchor.slot not in known]
        anchors.sort(key=lambda anchor: (-anchor.weight, world.id_of(anchor.slot)))
    return tuple(anchors[: rules.anchors])


def named_anchors(world: World, query: str, allowed: Mask) -> list[Anchor]:
    """The entities a query names, the surest first."""
    sureness: defaultdict[int, list[float]] = defaultdict(list)
    places: defaultdict[int, list[TermPlace]] = defaultdict(list)
    capped = any(map(str.isupper, query))
    for meant in namings(world, query, allowed).values():
        for hit, share in meant:
            sure = _SURENESS.get(hit.kind, 0.5)
            if capped and hit.term[:1].isupper() and query[hit.start].islower():
                sure *= _UNCAPPED
            sureness[hit.slot].append(share * sure)
            places[hit.slot].append(TermPlace(hit.term, hit.kind, hit.start, hit.end))
    found = [
        Anchor(slot, _weight(values), _way(places[slot]), tuple(places[slot][:_SHOWN]))
        for slot, values in sureness.items()
    ]
    return sorted(
        (anchor for anchor in found if anchor.weight >= _LEAST),
        key=lambda anchor: (-anchor.weight, world.id_of(anchor.slot)),
    )


def namings(world: World, text: str, allowed: Mask) -> dict[Span, list[tuple[Naming, float]]]:
    """The spans of a text that name an entity, and the candidates at each with their probability."""
    hits = [hit for hit in world.mentions_in(text) if allowed[hit.slot]]
    return _settled(world, _chosen(_fitting(text, hits)), allowed)


def _weight(values: Sequence[float]) -> float:
    """The weight of an anchor: its surest mention, raised a little by repetition."""
    often = sum(values) / max(values)
    return max(values) * (0.85 + 0.15 * (often - 1) / (often + 1))


def _way(places: Iterable[TermPlace]) -> AnchorWay:
    return "implied" if all(place.kind == "implied" for place in places) else "named"


def _fitting(text: str, hits: Sequence[Naming]) -> list[Naming]:
    """The hits without names that are common words here or part of another's longer name.

    Sergey in Sergey Ivanovitch is no other Sergey; rose is not Rose in a text that uses capitals; and Who
    that opens a question is nobody's name.
    """
    capped = any(map(str.isupper, text))
    own: defaultdict[int, list[Span]] = defaultdict(list)
    for hit in hits:
        own[hit.slot].append((hit.start, hit.end))
    return [
        hit
        for hit in hits
        if (hit.kind != "implied" and not _is_an_opener(text, hit))
        or (
            hit.kind == "implied"
            and not (capped and hit.term[:1].isupper() and text[hit.start].islower())
            and all(
                is_title(text[start:end])
                or any(first <= start and end <= last for first, last in own[hit.slot])
                for start, end in _name_beside(text, hit)
            )
        )
    ]


def _is_an_opener(text: str, hit: Naming) -> bool:
    """Whether a name is a word that asks or opens a sentence, and stands like one: Who in "Who was it?"."""
    word = text[hit.start : hit.end]
    if hit.kind == "keyword" or not is_opener(word) or text.strip() == word:
        return False
    before = text[max(0, hit.start - _LOOK_BACK) : hit.start].rstrip(" ")
    return word[:1].islower() or not before or before[-1] == "\n" or before[-1] in _SENTENCE_ENDS


def _name_beside(text: str, hit: Naming) -> Iterable[Span]:
    """The capitalised words right before and after a hit, unless they begin a sentence."""
    after = _WORD_AFTER.match(text, hit.end)
    if after is not None and after[1][:1].isupper() and after[1] != "I":
        yield after.span(1)
    begin = max(0, hit.start - _LOOK_BACK)
    before = _WORD_BEFORE.search(text[begin : hit.start])
    if before is not None and before[2][:1].isupper():
        left = before[1].rstrip(" ")
        if left and left[-1] != "\n" and left[-1] not in _SENTENCE_ENDS:
            yield begin + before.start(2), begin + before.end(2)


def _chosen(hits: Sequence[Naming]) -> dict[Span, list[Naming]]:
    """The spans that count, leftmost and then longest, with the candidates at each."""
    by_span: defaultdict[Span, dict[int, Naming]] = defaultdict(dict)
    for hit in sorted(hits, key=lambda hit: (hit.kind == "implied", hit.slot)):
        by_span[hit.start, hit.end].setdefault(hit.slot, hit)
    chosen: dict[Span, list[Naming]] = {}
    reach = 0
    for start, end in sorted(by_span, key=lambda span: (span[0], -span[1])):
        if start >= reach:
            reach = end
            own = list(by_span[start, end].values())
            plain = [hit for hit in own if hit.kind != "implied"]
            chosen[start, end] = plain or own
    return chosen


def _settled(
    world: World, owners: Mapping[Span, list[Naming]], allowed: Mask
) -> dict[Span, list[tuple[Naming, float]]]:
    presence: Counter[int] = Counter(hits[0].slot for hits in owners.values() if len(hits) == 1)
    marks: dict[int, float] = {}
    settled = {}
    for span, hits in owners.items():
        if len(hits) == 1:
            settled[span] = [(hits[0], 1.0)]
            continue
        for hit in hits:
            if hit.slot not in marks:
                marks[hit.slot] = _mark(world, hit.slot, presence, allowed)
        first, second, *_ = sorted(hits, key=lambda hit: (-marks[hit.slot], world.id_of(hit.slot)))
        if marks[first.slot] >= DOMINANCE * marks[second.slot]:
            settled[span] = [(first, 1.0)]
        else:
            settled[span] = [(hit, 1 / len(hits)) for hit in hits]
    return settled


def _mark(world: World, slot: int, presence: Mapping[int, int], allowed: Mask) -> float:
    """The score of one of several namesakes: its links, its neighbours named here, its mentions here."""
    peers = {link.peer for link in world.links(slot) if allowed[link.peer]}
    company = len(peers & presence.keys())
    return (1 + len(peers)) * (1 + company) * (1 + log2(1 + presence.get(slot, 0)))


def _unnamed(world: World, query: str, allowed: Mask, rules: Rules) -> list[Anchor]:
    found: dict[int, Anchor] = {}
    shared = world.shared_words(query, allowed, rules.unnamed)
    if shared.ceiling > 0:
        for slot, score in zip(shared.slots.tolist(), shared.scores.tolist(), strict=True):
            share = min(1.0, score / shared.ceiling)
            if share >= rules.floor:
                found[slot] = Anchor(slot, _MOST_FOR_WORDS * share, "said")
    if world.similarities(query, np.empty(0, np.int64)) is None:
        return list(found.values())
    slots = np.flatnonzero(allowed)
    similarity = relative_similarity(world, query, slots)
    if similarity is not None:
        near = np.flatnonzero(similarity >= rules.meaning_floor)
        pairs = zip(similarity[near].tolist(), slots[near].tolist(), strict=True)
        order = sorted(pairs, key=lambda pair: (-pair[0], world.id_of(pair[1])))
        for nearness, slot in order[: rules.unnamed]:
            weight = _MOST_FOR_WORDS * nearness
            if slot not in found or found[slot].weight < weight:
                found[slot] = Anchor(slot, weight, "meant")
    return list(found.values())
