"""What makes rows easy to find: the aliases of entities, and what entries are about."""

from __future__ import annotations

from fabula.canon.consequences.made import Made, alias_keys
from fabula.store.writer import Writer


def index_aliases(writer: Writer, made: Made) -> None:
    """Let entities be found by the aliases that they have now, and no longer by others."""
    gone, come = [], []
    for entity_id, (before, after) in made.entities.items():
        was, now = alias_keys(before), alias_keys(after)
        gone += [(key, entity_id) for key in was - now]
        come += [(key, entity_id) for key in now - was]
    writer.derived.put_aliases(gone, come)


def categorise_entries(writer: Writer, made: Made) -> None:
    """Enter what the entries of a step are about, and those of entities that changed their type."""
    entries = [change.row_id for change in made.changes if change.kind.name == "entry" and change.after]
    entities = [key for key, turn in made.entities.items() if turn.has_other_type]
    if entries or entities:
        writer.derived.put_categories(entries, entities)
