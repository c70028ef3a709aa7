"""Facts as questions about knowledge show them to the author."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.context.edition_cache import relation_labels
from fabula.index.knowledge import Learning
from fabula.index.story_index import StoryIndex
from fabula.model.fact import FactKind, FactRef, Secrecy
from fabula.model.knowing import HowKnown
from fabula.model.moment import MAX_SCENE, Moment, place_of
from fabula.model.wire import Value
from fabula.store.reader import Reader

LONGEST_LABEL = 160


class KnownFactOf(Value):
    """A fact that somebody knows, or about which they believe something else.

    `derived` knowledge follows from taking part: in an event, or by belonging to a faction.
    """

    fact: FactRef
    label: str
    secrecy: Secrecy
    knows: bool
    how: HowKnown
    since: Moment | None
    belief: str
    derived: bool
    knowing_id: str | None
    event_id: str | None
    faction_id: str | None


class FactKnower(Value):
    """Somebody who knows a fact, or believes something else."""

    knower_id: str
    name: str
    knows: bool
    how: HowKnown
    since: Moment | None
    belief: str
    derived: bool
    knowing_id: str | None
    event_id: str | None
    faction_id: str | None


def moment_at(instant: int) -> Moment | None:
    """Return the moment of an instant; None for the beginning of everything."""
    if instant < 0:
        return None
    chapter, scene = place_of(instant)
    return Moment.trusted(chapter=chapter, scene=min(scene, MAX_SCENE))


def learned_fields(learned: Learning) -> dict[str, object]:
    """Return the fields that say how somebody learned a fact."""
    return {
        "knows": not learned.belief,
        "how": learned.how,
        "since": moment_at(learned.since),
        "belief": learned.belief,
        "derived": not learned.is_stored,
        "knowing_id": learned.knowing,
        "event_id": learned.event,
        "faction_id": learned.faction,
    }


def labels_of(reader: Reader, index: StoryIndex, facts: Iterable[FactRef]) -> dict[FactRef, str]:
    """Return a short text for each fact; facts that are gone have none."""
    by_kind: dict[FactKind, list[str]] = {}
    for fact in facts:
        by_kind.setdefault(fact.kind, []).append(fact.id)
    project_id = index.project_id
    texts: dict[tuple[FactKind, str], str] = {}
    entities = set(by_kind.get(FactKind.ENTITY, ()))
    relations = reader.relations(project_id, by_kind.get(FactKind.RELATION, ())).values()
    states = [reader.state(project_id, key) for key in by_kind.get(FactKind.STATE, ())]
    for relation in relations:
        entities |= {relation.source_entity_id, relation.target_entity_id}
    entities |= {state.entity_id for state in states if state is not None}
    names = reader.events.names(project_id, entities)
    texts |= {(FactKind.ENTITY, key): name for key, name in names.items()}
    words = relation_labels(reader, index)
    for relation in relations:
        ends = names[relation.source_entity_id], names[relation.target_entity_id]
        word = words.get(relation.relation_type, relation.relation_type)
        texts[FactKind.RELATION, relation.id] = f"{ends[0]} · {word} · {ends[1]}"
    for state in states:
        if state is not None:
            said = state.description or ", ".join(
                f"{key}: {value}" for key, value in state.attributes.items()
            )
            texts[FactKind.STATE, state.id] = f"{names[state.entity_id]}: {said}"[:LONGEST_LABEL]
    for entry in reader.lore.entries(project_id, by_kind.get(FactKind.ENTRY, ())).values():
        texts[FactKind.ENTRY, entry.id] = entry.display_name or entry.entry_key
    threads = set(by_kind.get(FactKind.THREAD, ()))
    for thread in reader.threads.all_of(project_id) if threads else ():
        if thread.id in threads:
            texts[FactKind.THREAD, thread.id] = thread.title
    found = {FactRef.trusted(kind=kind, id=key): text for (kind, key), text in texts.items()}
    return {fact: found[fact] for fact in facts if fact in found}
