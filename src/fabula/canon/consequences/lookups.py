"""Lookup tables: the aliases of entities and the categories of entries."""

from __future__ import annotations

from fabula.canon.consequences.made import Made, alias_keys
from fabula.store.writer import Writer


def index_aliases(writer: Writer, made: Made) -> None:
    """Update the alias lookup of the entities that a step has changed."""
    gone, come = [], []
    for entity_id, (before, after) in made.entities.items():
        was, now = alias_keys(before), alias_keys(after)
        gone += [(key, entity_id) for key in was - now]
        come += [(key, entity_id) for key in now - was]
    writer.derived.put_aliases(gone, come)


def categorise_entries(writer: Writer, made: Made) -> None:
    """Update the categories of the step's entries, and of entries whose entity changed its type."""
    entries = [
        change.row_id
        for change in made.changes
        if change.kind.name == "entry" and change.after and change.after["entity_id"] is not None
    ]
    entities = [key for key, turn in made.entities.items() if turn.has_other_type]
    if entries or entities:
        writer.derived.put_categories(entries, entities)
