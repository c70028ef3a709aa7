"""Binding pending names in event roles and relations to the entities that now bear them."""

from __future__ import annotations

from collections.abc import Sequence

from fabula.canon.consequences.made import Made, name_keys
from fabula.canon.versions import touched
from fabula.model.event import EventRole, PendingRelation
from fabula.model.fact import Secrecy
from fabula.model.moment import first_instant
from fabula.model.names import name_key
from fabula.model.relation import Relation
from fabula.model.validity import NOT_DATED, FactStart, beginning
from fabula.store.naming import Bearers, bearers_of
from fabula.store.writer import Writer

# The preferred type where several entities share a name.
PREFERRED = {"role": "character", "place": "location"}


def bind_names(writer: Writer, made: Made) -> None:
    """Bind pending roles and relations whose names have appeared or have become unambiguous."""
    if not made.entities or not writer.is_waited_for:
        return
    names: set[str] = set()
    for turn in made.entities.values():
        names |= name_keys(turn.after) ^ name_keys(turn.before)
        if turn.has_other_type:
            names |= name_keys(turn.after)
    if not names:
        return
    roles = writer.events.roles_waiting(writer.project_id, names)
    pending = writer.events.pending_waiting(writer.project_id, names)
    bearers = bearers_of(writer, writer.project_id, names) if roles or pending else Bearers()
    _bind_relations(writer, pending, bearers)
    _bind_roles(writer, roles, bearers)


def _bind_roles(writer: Writer, waiting: Sequence[EventRole], bearers: Bearers) -> None:
    """Bind the roles whose name belongs to an entity; of two roles that become identical, the first stays."""
    meant = {
        role.id: bearers.meant_by(name_key(role.name), preferred=PREFERRED[role.kind], but_not=role.event_id)
        for role in waiting
    }
    events = {role.event_id for role in waiting if meant[role.id] is not None}
    bound, twice = [], []
    said: set[tuple[str, str, str, str, int]] = set()
    for role in writer.events.roles(writer.project_id, events):
        entity_id = meant.get(role.id) or role.entity_id
        whom = entity_id or f"?{name_key(role.name)}"
        saying = (role.event_id, role.kind, whom, role.role, first_instant(role.since))
        if saying in said:
            twice.append(role)
        elif entity_id != role.entity_id:
            bound.append((role, role.model_copy(update={"entity_id": entity_id})))
        said.add(saying)
    writer.remove(twice)
    writer.replace(bound)


def _bind_relations(writer: Writer, pending: Sequence[PendingRelation], bearers: Bearers) -> None:
    targets = {
        wish.id: bearers.meant_by(
            name_key(wish.target_name), preferred=PREFERRED["role"], but_not=wish.source_entity_id
        )
        for wish in pending
    }
    bound = [wish for wish in pending if targets[wish.id] is not None]
    if not bound:
        return
    sources = {wish.source_entity_id for wish in bound}
    known = {_identity(relation): relation for relation in writer.relations_from(writer.project_id, sources)}
    fresh: list[Relation] = []
    taken_up: list[tuple[Relation, Relation]] = []
    for wish in bound:
        relation = _relation_of(writer, wish, targets[wish.id] or "")
        twin = known.setdefault(_identity(relation), relation)
        if twin is relation:
            fresh.append(relation)
        elif relation.description and relation.description not in twin.description:
            said = f"{twin.description}\n{relation.description}".strip()
            after = touched(writer, twin, description=said)
            taken_up.append((twin, after))
            known[_identity(relation)] = after
    writer.remove(bound)
    writer.add(fresh)
    for pair in taken_up:
        writer.replace([pair])


def _relation_of(writer: Writer, wish: PendingRelation, target: str) -> Relation:
    return Relation.trusted(
        id=wish.id,
        project_id=wish.project_id,
        source_entity_id=wish.source_entity_id,
        target_entity_id=target,
        relation_type=wish.relation_type,
        description=wish.description,
        properties={},
        secrecy=Secrecy.PUBLIC,
        since=wish.since,
        until=wish.until,
        **NOT_DATED,
        version=1,
        created_at=writer.now,
        updated_at=writer.now,
    )


def _identity(relation: Relation) -> tuple[str, str, str, FactStart]:
    ends = (relation.source_entity_id, relation.target_entity_id)
    return (*ends, relation.relation_type, beginning(relation.since, relation.valid_from))
