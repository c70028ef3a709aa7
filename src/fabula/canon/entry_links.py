"""Entity and entry are one thing seen from two sides: what happens to the one happens to the other."""

from __future__ import annotations

from collections.abc import Sequence

from fabula.canon.event_links import release_events
from fabula.canon.versions import touched
from fabula.errors import LoreKeyDuplicate
from fabula.model.entity import Entity
from fabula.model.lore import LoreEntry
from fabula.model.participation import Participation
from fabula.model.relation import Relation
from fabula.store.writer import Writer


def rename_entry_with(writer: Writer, before: Entity, after: Entity) -> None:
    """Let an entity's entry take its new name as key."""
    if before.name == after.name:
        return
    entry = writer.lore.entries_of(writer.project_id, [before.id]).get(before.id)
    if entry is None:
        return
    refuse_taken_key(writer, after.name, entry.id)
    shown = after.name if entry.display_name == before.name else entry.display_name
    writer.replace([(entry, touched(writer, entry, entry_key=after.name, display_name=shown))])


def remove_whole_entity(writer: Writer, entity: Entity) -> int:
    """Remove an entity with its entry, its states and its relations; how many relations went."""
    return len(remove_whole_entities(writer, [entity]))


def remove_whole_entities(writer: Writer, entities: Sequence[Entity]) -> tuple[Relation, ...]:
    """Remove entities with their entries, their states and their relations; the relations that went."""
    ids = [entity.id for entity in entities]
    relations = writer.relations_of(writer.project_id, ids)
    # Roles in events wait for others of their names, or go with the event.
    writer.remove([relation for relation in relations if not isinstance(relation, Participation)])
    writer.remove(writer.states_of(writer.project_id, ids))
    release_events(writer, entities)
    writer.remove(tuple(writer.lore.entries_of(writer.project_id, ids).values()))
    writer.remove(entities)
    return relations


def merge_entries(writer: Writer, target: Entity, sources: list[Entity]) -> None:
    """Let the target's entry take up the keywords of the sources' entries, or take over the first of them.

    The states of the sources become the target's.
    """
    project_id = writer.project_id
    ids = [source.id for source in sources]
    states = writer.states_of(project_id, ids)
    writer.replace([(state, touched(writer, state, entity_id=target.id)) for state in states])
    found = writer.lore.entries_of(project_id, [target.id, *ids])
    others = [found[key] for key in ids if key in found]
    if not others:
        return
    own = found.get(target.id)
    keywords = dict.fromkeys(own.keywords if own else ())
    for entry in others:
        keywords.update(dict.fromkeys(entry.keywords))
    if own is not None:
        writer.remove(others)
        writer.replace([(own, touched(writer, own, keywords=tuple(keywords)))])
        return
    first, *rest = others
    writer.remove(rest)
    refuse_taken_key(writer, target.name, first.id)
    taken_over = touched(writer, first, entity_id=target.id, entry_key=target.name, keywords=tuple(keywords))
    writer.replace([(first, taken_over)])


def refuse_taken_key(writer: Writer, key: str, own_id: str | None) -> None:
    """Refuse a key that another entry of the story has."""
    other = writer.lore.entry_of_key(writer.project_id, key)
    if other is not None and other.id != own_id:
        raise key_taken(other)


def key_taken(entry: LoreEntry) -> LoreKeyDuplicate:
    """The refusal of a second entry with a key."""
    return LoreKeyDuplicate(
        f"There is an entry with the key '{entry.entry_key}' already.",
        details={"existingId": entry.id, "entryKey": entry.entry_key},
    )
