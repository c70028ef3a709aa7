"""The private facts that touch those on stage, with who of them knows what, redacted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from fabula.assembly.prose import sentences
from fabula.assembly.sections.who_knows import KnowledgeCandidate
from fabula.context.audience import ModelView
from fabula.context.candidates.threads import heard_threads
from fabula.context.edition_cache import relation_labels
from fabula.context.entity_texts import entity_text, states_holding
from fabula.index.knowledge import Knowledge
from fabula.model.audience import OpenText
from fabula.model.entity import Entity
from fabula.model.fact import FactKind, FactRef
from fabula.model.knowing import KNOW_NOTHING
from fabula.model.moment import first_instant, last_instant
from fabula.model.thread import ThreadStatus

MOST_FACTS = 100
MOST_PEOPLE = 12


def knowledge_candidates(on: ModelView, actors: set[int], present: set[int]) -> list[KnowledgeCandidate]:
    """Return who knows the private facts that touch the actors; from a point of view, its beliefs.

    `present` are those on stage, who are said to know or not to know.
    """
    if on.pov is not None:
        return list(_beliefs(on, actors))
    rows = on.index.known.rows(on.reader)
    if not rows.private_count:
        return []
    knowledge = on.index.knowledge(on.reader)
    people = _people(on, present)
    if not people:
        return []
    ids = on.index.roster.ids
    facts = islice(_touching(knowledge, on, [ids[slot] for slot in sorted(actors | present)]), MOST_FACTS)
    candidates = []
    for fact in facts:
        told = _told(on, fact)
        if told is not None:
            candidates.append(_candidate(on, knowledge, fact, told, people))
    return [one for one in candidates if one.knowing or one.unaware or one.believing]


def _candidate(
    on: ModelView, knowledge: Knowledge, fact: FactRef, told: OpenText, people: dict[str, OpenText]
) -> KnowledgeCandidate:
    knowing, unaware, believing = [], [], []
    for key, name in people.items():
        if fact.kind is FactKind.ENTITY and fact.id == key:
            continue
        learned = knowledge.learned(key, fact, on.instant)
        if learned is None:
            unaware.append(name)
        elif not learned.belief:
            knowing.append(name)
        elif belief := on.prose(learned.belief).strip():
            believing.append((name, OpenText(belief)))
        else:
            unaware.append(name)
    score = 1.0 if unaware or believing else 0.5
    return KnowledgeCandidate(
        f"{fact.kind}:{fact.id}", told, tuple(knowing), tuple(unaware), tuple(believing), score=score
    )


def _people(on: ModelView, present: Iterable[int]) -> dict[str, OpenText]:
    """Return the open names of those on stage who may know something, by id."""
    told = [slot for slot in sorted(present) if on.may_be_told(slot)]
    found: dict[str, OpenText] = {}
    for entity in on.index.entities(on.reader, told):
        names = on.own_names(entity) if entity.type not in KNOW_NOTHING else ()
        if names and len(found) < MOST_PEOPLE:
            found[entity.id] = names[0]
    return found


def _touching(knowledge: Knowledge, on: ModelView, actors: Iterable[str]) -> Iterator[FactRef]:
    """Yield the private facts about some entities, those they take part in, and those they know."""
    rows, roster, chronicle = knowledge.rows, on.index.roster, on.index.chronicle(on.reader)
    seen: set[FactRef] = set()
    for actor in actors:
        own = [(FactKind.ENTITY, actor)] if actor in rows.entities else []
        own += [(FactKind.RELATION, key) for key in sorted(rows.ties_of.get(actor, ()))]
        own += [(FactKind.STATE, key) for key in sorted(rows.states_of.get(actor, ()))]
        if rows.entities:
            events = (roster.ids[slot] for slot in chronicle.all_events_of(roster.slot_of[actor]))
            own += [(FactKind.ENTITY, key) for key in events if key in rows.entities]
        own += [(one.fact.kind, one.fact.id) for one in rows.of_knower.get(actor, {}).values()]
        for kind, key in own:
            fact = FactRef.trusted(kind=kind, id=key)
            if fact not in seen and rows.is_private(fact):
                seen.add(fact)
                yield fact


def _told(on: ModelView, fact: FactRef) -> OpenText | None:
    """Return a fact in short, as the audience may read it at this instant; None if it may not."""
    reader, index, now = on.reader, on.index, on.instant
    if fact.kind is FactKind.ENTITY:
        entity = _open_entity(on, fact.id)
        return None if entity is None else _brief(on, entity)
    if fact.kind is FactKind.RELATION:
        (relation,) = reader.relations(index.project_id, [fact.id]).values()
        ends = [_open_entity(on, key) for key in (relation.source_entity_id, relation.target_entity_id)]
        if None in ends or not _holds(relation.since, relation.until, now):
            return None
        names = [on.own_names(end)[0] for end in ends if end is not None]
        label = on.label(relation_labels(reader, index)[relation.relation_type])
        said = on.prose(relation.description).strip()
        line = f"{names[0]} · {label} · {names[1]}" + (f": {said}" if said else "")
        return OpenText(line) if label else None
    if fact.kind is FactKind.STATE:
        state = reader.state(index.project_id, fact.id)
        owner = None if state is None else _open_entity(on, state.entity_id)
        if state is None or owner is None or state.id not in {one.id for one in states_holding(on, owner)}:
            return None
        description, attributes = on.redaction.together(state.description, state.attributes)
        said = description.strip() or ", ".join(f"{key}: {value}" for key, value in attributes.items())
        return OpenText(f"{on.own_names(owner)[0]}: {said}") if said else None
    if fact.kind is FactKind.THREAD:
        heard = (one for one in heard_threads(on, now) if one.thread.id == fact.id)
        titles = [one.title for one in heard if one.title and one.stands.status is not ThreadStatus.PLANNED]
        return titles[0] if titles else None
    (entry,) = index.entries(reader, [fact.id])
    return OpenText(on.entry_name(entry)) if on.may_be_read(entry) and on.entry_name(entry) else None


def _brief(on: ModelView, entity: Entity) -> OpenText:
    """Return the name of an entity and the first sentence about it."""
    text = entity_text(on, entity).text
    start, end = next(iter(sentences(text)), (0, 0))
    name, said = on.own_names(entity)[0], text[start:end].strip()
    return OpenText(
        name if not said or said == name else said if said.startswith(name) else f"{name}: {said}"
    )


def _open_entity(on: ModelView, entity_id: str) -> Entity | None:
    slot = on.index.roster.slot_of.get(entity_id)
    if slot is None or not on.may_be_told(slot):
        return None
    (entity,) = on.index.entities(on.reader, [slot])
    return entity if on.own_names(entity) else None


def _holds(since: object, until: object, now: int | None) -> bool:
    return now is None or first_instant(since) <= now <= last_instant(until)  # type: ignore[arg-type]


def _beliefs(on: ModelView, actors: set[int]) -> Iterator[KnowledgeCandidate]:
    """Yield what the point of view holds true in the place of facts that are hidden from it."""
    pov = on.pov
    if pov is None:
        return
    ids = on.index.roster.ids
    near = {ids[slot] for slot in actors} | {pov.knower}
    for fact, learned in pov.learned.items():
        if learned.belief and pov.hides(fact) and _touches(pov.knowledge, fact, near):
            yield KnowledgeCandidate(
                f"{fact.kind}:{fact.id}", on.prose(learned.belief), is_belief=True, score=1.0
            )


def _touches(knowledge: Knowledge, fact: FactRef, near: set[str]) -> bool:
    """Whether a fact is about one of these; a state is told with its entity."""
    if fact.kind is FactKind.RELATION:
        tie = knowledge.rows.ties[fact.id]
        return bool(near & {tie.source, tie.target})
    return fact.kind is not FactKind.STATE
