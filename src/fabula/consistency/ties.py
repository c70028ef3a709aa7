"""The relations of a story with their quotations, for rules that compare them with one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from fabula.consistency.rule import WAIVE, Discrepancy, FindingMessage, StoryFacts
from fabula.model.check import EstablishedThere, Fix, WrittenHere
from fabula.model.fact import FactKind
from fabula.model.relation import Relation

# The types of relations between people who are married.
SPOUSES = ("spouse", "husband", "wife", "married_to", "夫妻", "丈夫", "妻子")


class Tie(NamedTuple):
    """A relation between two entities, and the instants between which it holds."""

    id: str
    type: str
    source: str
    target: str
    since: int
    until: int

    def overlaps(self, other: Tie) -> bool:
        """Whether both hold at some moment."""
        return self.since <= other.until and other.since <= self.until


def ties_of(facts: StoryFacts) -> Iterator[Tie]:
    """Yield the relations of the story that are no parts in events."""
    graph, ids = facts.view.index.graph(facts.view.reader), facts.view.index.roster.ids
    for relation_id, slot in graph.slot_of.items():
        if slot not in graph.roles:
            source, target = ids[graph.sources[slot]], ids[graph.targets[slot]]
            yield Tie(relation_id, graph.types[slot], source, target, graph.since[slot], graph.until[slot])


def clash(facts: StoryFacts, message: FindingMessage, here: Tie, there: Tie) -> Discrepancy:
    """Return a discrepancy between two relations; the one that is written later is `here`."""
    if _place(facts, here) < _place(facts, there):
        here, there = there, here
    name = name_of(facts, here.source)
    words = {"name": name, "here": told(facts, here), "there": told(facts, there)}
    return Discrepancy(
        message=message[facts.language].format(**words),
        name=name,
        entity_id=here.source,
        here=_written(facts, here),
        there=_established(facts, there),
        facts=(f"relation:{here.id}", f"relation:{there.id}"),
        confidence=0.9,
        fixes=(Fix(kind="waive", label=WAIVE[facts.language]),),
    )


def clashes(facts: StoryFacts, message: FindingMessage, groups: Iterable[list[Tie]]) -> Iterator[Discrepancy]:
    """Yield the pairs of each group that hold at the same time between different ends."""
    for ties in groups:
        for one, other in combinations(ties, 2):
            if one.overlaps(other) and {one.source, one.target} != {other.source, other.target}:
                yield clash(facts, message, one, other)


def _written(facts: StoryFacts, tie: Tie) -> WrittenHere:
    known = _established(facts, tie)
    is_text = known.kind == "scene"
    return WrittenHere(
        chapter=known.chapter,
        scene=known.scene,
        scene_id=known.id if is_text else None,
        start=known.start,
        end=known.end,
        mark_start=known.start,
        mark_end=known.end,
        quotation=known.quotation,
    )


def _established(facts: StoryFacts, tie: Tie) -> EstablishedThere:
    """The quotation that a relation rests on, else the relation in words."""
    reader, project_id = facts.view.reader, facts.view.index.project_id
    for one in reader.evidence.of_facts(project_id, FactKind.RELATION, [tie.id]):
        scene = reader.manuscript.scene_of_id(project_id, one.scene_id)
        place = None if scene is None else one.place_in(scene.text)
        if scene is not None and place is not None:
            return EstablishedThere(
                kind="scene",
                id=scene.id,
                chapter=scene.chapter_index,
                scene=scene.scene_index,
                start=place[0],
                end=place[1],
                quotation=one.quotation,
            )
    return EstablishedThere(kind="relation", id=tie.id, quotation=told(facts, tie))


def _place(facts: StoryFacts, tie: Tie) -> tuple[int, int, int]:
    known = _established(facts, tie)
    return tie.since, -1 if known.chapter is None else known.chapter, known.start or 0


def relation_words(facts: StoryFacts, relation: Relation) -> str:
    """Return a relation in words."""
    source, target = name_of(facts, relation.source_entity_id), name_of(facts, relation.target_entity_id)
    return f"{source} – {relation.relation_type} → {target}"


def way_up(above: Mapping[str, Mapping[str, Tie]], start: str, wanted: str) -> Tie | None:
    """Return the last tie of a way from somebody up to one of those above them."""
    waiting, seen = [start], {start}
    while waiting:
        for parent, tie in above.get(waiting.pop(), {}).items():
            if parent == wanted:
                return tie
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
    return None


def circles(
    facts: StoryFacts, message: FindingMessage, above: Mapping[str, Mapping[str, Tie]]
) -> Iterator[Discrepancy]:
    """Yield the pairs of ties that close a circle; `above` has what stands above each, with the tie."""
    done: set[frozenset[str]] = set()
    for below, own in above.items():
        for one, tie in own.items():
            way = way_up(above, one, below)
            if way is not None and frozenset((tie.id, way.id)) not in done:
                done.add(frozenset((tie.id, way.id)))
                yield clash(facts, message, tie, way)


def told(facts: StoryFacts, tie: Tie) -> str:
    """Return a tie in words."""
    return f"{name_of(facts, tie.source)} – {tie.type} → {name_of(facts, tie.target)}"


def name_of(facts: StoryFacts, entity_id: str) -> str:
    """Return the name of an entity."""
    index = facts.view.index
    return index.entities(facts.view.reader, [index.roster.slot_of[entity_id]])[0].name
