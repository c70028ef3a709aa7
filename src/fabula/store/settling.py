"""What follows from the changes of a step, inside the same step.

Names come to exist in many ways: an entity is created, renamed, merged, imported, brought back. All of
them end here, so that whoever waited for a name is bound, and events are told with the names of today.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import orjson
from sqlalchemy import bindparam, delete, insert, update

from fabula.errors import Conflict
from fabula.model.activation.keywords import MAX_KEYWORDS
from fabula.model.entity import MAX_ALIASES, aliases_beside
from fabula.model.event import EVENT, EventRole, PendingRelation, blank_event, event_text, there_from
from fabula.model.level import AiContextLevel, may_be_told
from fabula.model.moment import first_instant
from fabula.model.names import name_key
from fabula.model.relation import Relation
from fabula.store.categories import categorise
from fabula.store.event_dating import date_events
from fabula.store.event_tables import kg_entity_aliases
from fabula.store.link_settling import take_up_roles, touch_stirred
from fabula.store.naming import Bearers, bearers_of
from fabula.store.rowkind import Row
from fabula.store.tables import kg_entities

if TYPE_CHECKING:
    from fabula.store.writer import Change, Writer

PREFERRED = {"role": "character", "place": "location"}

_NO_ALIASES = "[]"


class Turn(NamedTuple):
    """A row before and after all changes of a step, as images."""

    before: Row | None
    after: Row | None


def settle(writer: Writer, changes: Sequence[Change]) -> None:
    """Let follow what follows from changes that are made: aliases, bindings, texts."""
    changes = [*changes, *_keep_secret_names(writer, changes)]
    turns, before = _turns(changes), len(writer.done)
    if not writer.is_reverting:
        date_events(writer, changes, turns)
    _index_aliases(writer, turns)
    categorise(writer, changes, turns)
    _refuse_events_of_other_types(writer, turns)
    retold = _retold_by(writer, changes, turns)
    retold |= _bind(writer, turns)
    take_up_roles(writer, changes, turns)
    touch_stirred(writer)
    retold |= _retold_by(writer, writer.done[before:], {})
    _retell(writer, retold)


def _turns(changes: Iterable[Change], kind: str = "entity") -> dict[str, Turn]:
    turns: dict[str, Turn] = {}
    for change in changes:
        if change.kind.name == kind:
            known = turns.get(change.row_id)
            turns[change.row_id] = Turn(known.before if known else change.before, change.after)
    return turns


def _keep_secret_names(writer: Writer, changes: Sequence[Change]) -> Sequence[Change]:
    """Let what is hidden keep the names that it loses by a renaming: texts still use them.

    Whoever removes such a name does it with a change of its own. A step that is taken back puts the names
    back as they were.
    """
    if writer.is_reverting:
        return ()
    begun = len(writer.done)
    for entity_id, (before, after) in _turns(changes).items():
        old = _name_lost(before, after, "name")
        entity = writer.entity(writer.project_id, entity_id) if old else None
        if old and entity is not None:
            aliases = _with_name(entity.name, (*entity.aliases, old), MAX_ALIASES)
            writer.replace([(entity, entity.model_copy(update={"aliases": aliases}))])
    for entry_id, (before, after) in _turns(changes, "entry").items():
        old = _name_lost(before, after, "entry_key") if after and after["entity_id"] is None else None
        for entry in writer.lore.entries(writer.project_id, [entry_id]).values() if old else ():
            keywords = _with_name(entry.entry_key, (*entry.keywords, old or ""), MAX_KEYWORDS)
            writer.replace([(entry, entry.model_copy(update={"keywords": keywords}))])
    return writer.done[begun:]


def _name_lost(before: Row | None, after: Row | None, column: str) -> str | None:
    """The name that something hidden had before a step and has no more."""
    if before is None or after is None or name_key(before[column]) == name_key(after[column]):
        return None
    is_hidden = not may_be_told(AiContextLevel(after["ai_context_level"]), named=False)
    return str(before[column]) if is_hidden else None


def _with_name(name: str, others: tuple[str, ...], most: int) -> tuple[str, ...]:
    kept = aliases_beside(name, others)
    if len(kept) > most:
        raise Conflict(
            f"'{name}' is hidden and must keep its old name as another name, but has {most} already.",
            details={"name": name, "limit": most},
            suggestion="Remove one of its other names first.",
        )
    return kept


def _index_aliases(writer: Writer, turns: dict[str, Turn]) -> None:
    gone, come = [], []
    for entity_id, (before, after) in turns.items():
        was, now = _alias_keys(before), _alias_keys(after)
        gone += [{"key": key, "entity": entity_id} for key in was - now]
        come += [
            {"project_id": writer.project_id, "name_key": key, "entity_id": entity_id} for key in now - was
        ]
    columns = kg_entity_aliases.c
    if gone:
        writer.connection.execute(
            delete(kg_entity_aliases).where(
                columns.project_id == writer.project_id,
                columns.name_key == bindparam("key"),
                columns.entity_id == bindparam("entity"),
            ),
            gone,
        )
    if come:
        writer.connection.execute(insert(kg_entity_aliases), come)


def _alias_keys(image: Row | None) -> set[str]:
    if image is None or image["aliases_json"] == _NO_ALIASES:
        return set()
    return set(map(name_key, orjson.loads(image["aliases_json"])))


def _name_keys(image: Row | None) -> set[str]:
    return set() if image is None else {name_key(image["name"]), *_alias_keys(image)}


def _refuse_events_of_other_types(writer: Writer, turns: dict[str, Turn]) -> None:
    """Refuse that something with the fields of an event becomes anything else."""
    others = [
        entity_id
        for entity_id, (before, after) in turns.items()
        if after is not None and after["type"] != EVENT and before is not None and before["type"] == EVENT
    ]
    if not others:
        return
    kept = {*writer.events.rows(writer.project_id, others)}
    kept |= {role.event_id for role in writer.events.roles(writer.project_id, others)}
    if kept:
        raise Conflict(
            "An event with people, places or a cause of its own stays an event.",
            details={"ids": sorted(kept)},
            suggestion="Delete the event, or keep its type.",
        )


# Binding


def _bind(writer: Writer, turns: dict[str, Turn]) -> set[str]:
    """Bind what waited for names that have come, or that one alone has now; the events that changed."""
    if not turns or not writer.events.is_waited_for(writer.project_id):
        return set()
    touched: set[str] = set()
    for before, after in turns.values():
        touched |= _name_keys(after) ^ _name_keys(before)
        if before is not None and after is not None and before["type"] != after["type"]:
            touched |= _name_keys(after)
    if not touched:
        return set()
    roles = writer.events.roles_waiting(writer.project_id, touched)
    pending = writer.events.pending_waiting(writer.project_id, touched)
    bearers = bearers_of(writer, writer.project_id, touched) if roles or pending else Bearers()
    _bind_relations(writer, pending, bearers)
    return _bind_roles(writer, roles, bearers)


def _bind_roles(writer: Writer, waiting: Sequence[EventRole], bearers: Bearers) -> set[str]:
    """Bind the roles whose name somebody has; of two that then say the same of one, the first stays."""
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
    return events


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
            after = twin.model_copy(
                update={"description": said, "version": twin.version + 1, "updated_at": writer.now}
            )
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
        since=wish.since,
        until=wish.until,
        version=1,
        created_at=writer.now,
        updated_at=writer.now,
    )


def _identity(relation: Relation) -> tuple[str, str, str, int]:
    ends = (relation.source_entity_id, relation.target_entity_id)
    return (*ends, relation.relation_type, first_instant(relation.since))


# Texts


def _retold_by(writer: Writer, changes: Iterable[Change], turns: dict[str, Turn]) -> set[str]:
    """The events of which a model is told something else after these changes."""
    retold = {key for key, (_, after) in turns.items() if after is not None and after["type"] == EVENT}
    for change in changes:
        images = [image for image in (change.before, change.after) if image is not None]
        if change.kind.name == "event":
            retold.add(change.row_id)
        elif change.kind.name == "event_role":
            retold |= {image["event_id"] for image in images}
        elif change.kind.name == "story" and len({image["language"] for image in images}) > 1:
            retold.update(writer.events.all_ids(writer.project_id))
    renamed = [
        key for key, (before, after) in turns.items() if before and after and _is_renamed(before, after)
    ]
    if renamed:
        retold |= writer.events.event_ids_of(writer.project_id, renamed)
    return retold


def _is_renamed(before: Row, after: Row) -> bool:
    return bool(before["name"] != after["name"])


def _retell(writer: Writer, event_ids: set[str]) -> None:
    """Make the texts of events again from what is true now; no image of the log holds them."""
    if not event_ids:
        return
    project_id = writer.project_id
    known = writer.events.parts(project_id, event_ids)
    language = writer.story(project_id).language
    texts = []
    for entity in writer.entities(project_id, event_ids).values():
        row, cast = known[entity.id]
        if row is None and not cast:
            continue
        event, parts = row or blank_event(project_id, entity.id), there_from(cast, entity.since)
        text = event_text(entity.name, entity.description, entity.attributes, event, parts, language)
        if text != entity.prompt_text:
            texts.append({"entity": entity.id, "text": text})
    if texts:
        columns = kg_entities.c
        writer.connection.execute(
            update(kg_entities)
            .where(columns.project_id == project_id, columns.id == bindparam("entity"))
            .values(prompt_text=bindparam("text")),
            texts,
        )
