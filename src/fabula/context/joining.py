"""Finds what would join entities that the story keeps apart until they are revealed to be one.

A sentence that names both joins them, and so does the key of a value with what stands under it. In a text
about one of them, the other's name alone does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from fabula.assembly.prose import whole_sentences
from fabula.context.edition_cache import recalled_of_names, relation_labels
from fabula.context.redaction import Redaction, Spans
from fabula.index.images import short_terms
from fabula.index.secret_names import name_words
from fabula.index.story_index import StoryIndex
from fabula.matching import Matcher, Term
from fabula.model.entity import distinct_names
from fabula.model.names import name_key
from fabula.store.reader import Reader

_Span = tuple[int, int]
Apart = Mapping[str, frozenset[str]]

# Words in the type or the label of a relation that say that its two ends are one.
_IDENTITY_WORDS = (
    *("same", "alias", "identi", "disguise", "secret", "persona", "incarnat", "aka", "known_as", "known as"),
    *("really", "actually", "true", "real_", "real ", "pseudonym", "imperson", "double life", "alter_ego"),
    *("alter ego", "the same", "same_as", "equals", "is_a_mask", "mask of", "mask_of"),
    *(
        "同一",
        "身份",
        "化名",
        "真身",
        "本名",
        "真名",
        "别名",
        "又名",
        "原名",
        "伪装",
        "假扮",
        "易容",
        "冒充",
        "就是",
        "实为",
    ),
    *("实际", "真实", "马甲", "分身", "转世", "本尊", "乔装", "化身"),
)
_IDENTITY_TYPES = frozenset({"is", "was", "are", "be", "equal", "即", "是"})


class NamedPlace(NamedTuple):
    """A place of a text that names an entity."""

    start: int
    end: int
    entity_id: str


def says_same(*words: str) -> bool:
    """Whether the type or the label of a relation says that its two ends are one."""
    folded = [name_key(word) for word in words]
    return any(word in _IDENTITY_TYPES or any(part in word for part in _IDENTITY_WORDS) for word in folded)


def places_named(reader: Reader, index: StoryIndex, text: str) -> list[NamedPlace]:
    """Return where a text names an entity that some reveal joins with another, in any form."""
    if not text:
        return []
    finder = recalled_of_names(index, "revealed", lambda: _finder(reader, index))
    return [
        NamedPlace(hit.start, hit.end, str(hit.owner))
        for hit in finder.find_all(text)
        if not _is_plain_word(hit.kind, hit.term, text[hit.start : hit.start + 1])
    ]


def _is_plain_word(kind: str, term: str, first: str) -> bool:
    """Whether a short form such as Will is written as the word is."""
    return kind == "implied" and term[:1].isupper() and first.islower()


def _finder(reader: Reader, index: StoryIndex) -> Matcher:
    slots, lorebook = index.roster.slot_of, index.lorebook(reader)
    joined = {key for reveal in index.identities.reveals.values() for key in reveal.entity_ids}
    people = index.entities(reader, sorted(slots[key] for key in joined if key in slots))
    others: dict[str, list[str]] = {}
    for entity in people:
        entries = [lorebook.entry_of[entity.id]] if entity.id in lorebook.entry_of else []
        keywords = [word for entry in index.entries(reader, entries) for word in entry.keywords]
        others[entity.id] = list(distinct_names((*entity.every_other_name, *keywords)))
    # A name that several bear names nobody, unless it is the main name of one.
    borne = Counter(name_key(name) for names in others.values() for name in names)
    borne.update(name_key(entity.name) for entity in people)
    terms: list[Term] = []
    for entity in people:
        own = [name for name in others[entity.id] if borne[name_key(name)] == 1]
        terms += name_words(entity.id, entity.name, own)
        terms += short_terms(entity.id, entity.type, entity.name, own)
    return Matcher(terms, loose=True)


def joining_redaction(
    reader: Reader,
    index: StoryIndex,
    apart: Apart,
    hidden: Callable[[str], Spans],
    about: Iterable[str],
) -> Redaction:
    """Return the redaction that also withholds what would join entities which are kept apart."""
    if not apart:
        return Redaction(hidden)
    others = frozenset(other for key in about for other in apart.get(key, ()))

    def hidden_here(text: str) -> Spans:
        named = places_named(reader, index, text) if others else []
        return (*hidden(text), *((one.start, one.end) for one in named if one.entity_id in others))

    def joining(pieces: Sequence[str]) -> list[list[_Span]]:
        return joining_pieces(apart, pieces, [places_named(reader, index, piece) for piece in pieces])

    return Redaction(hidden_here, joining)


def names_another(reader: Reader, index: StoryIndex, others: Collection[str], name: str) -> bool:
    """Whether a name contains one of somebody else."""
    return any(one.entity_id in others for one in places_named(reader, index, name))


def joining_links(reader: Reader, index: StoryIndex, apart: Apart) -> frozenset[int]:
    """Return the relations that say of two who are kept apart that they are one."""
    graph, slots, ids = index.graph(reader), index.roster.slot_of, index.roster.ids
    labels = relation_labels(reader, index)
    return frozenset(
        link
        for one, others in apart.items()
        if one in slots
        for peer, link in graph.steps(slots[one], None)
        if ids[peer] in others and says_same(graph.types[link], labels.get(graph.types[link], ""))
    )


def joining_spans(apart: Apart, text: str, named: Sequence[NamedPlace]) -> list[_Span]:
    """Return the names in sentences that name two entities which are kept apart."""
    if len({one.entity_id for one in named}) < 2:
        return []
    found: list[_Span] = []
    ordered = sorted(named)
    for start, end in whole_sentences(text):
        own = [one for one in ordered if one.start < end and one.end > start]
        found += _joined(apart, own)
    return found


def _joined(apart: Apart, named: Sequence[NamedPlace]) -> list[_Span]:
    """Return the places that name entities which are kept apart, unless it is one place for both."""
    places = {
        one.entity_id: {(at.start, at.end) for at in named if at.entity_id == one.entity_id} for one in named
    }
    spans: set[_Span] = set()
    for one, other in combinations(places, 2):
        if other in apart.get(one, ()) and len(places[one] | places[other]) > 1:
            spans |= places[one] | places[other]
    return sorted(spans)


def joining_pieces(
    apart: Apart, pieces: Sequence[str], named: Sequence[Sequence[NamedPlace]]
) -> list[list[_Span]]:
    """Return the same for the texts of one value, such as a key and what stands under it."""
    found = [joining_spans(apart, text, own) for text, own in zip(pieces, named, strict=True)]
    for here, there in combinations(range(len(pieces)), 2):
        for one in {at.entity_id for at in named[here]}:
            others = {at.entity_id for at in named[there]} & apart.get(one, frozenset())
            if others:
                found[here] += [(at.start, at.end) for at in named[here] if at.entity_id == one]
                found[there] += [(at.start, at.end) for at in named[there] if at.entity_id in others]
    return found
