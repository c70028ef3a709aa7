"""Hidden entities and entries keep their old names when renamed, because texts still use them."""

from __future__ import annotations

from fabula.canon.consequences.made import Made
from fabula.errors import Conflict
from fabula.model.activation.keywords import MAX_KEYWORDS
from fabula.model.entity import MAX_ALIASES, aliases_beside
from fabula.model.level import AiContextLevel, may_be_told
from fabula.model.names import name_key
from fabula.store.rowkind import Row
from fabula.store.writer import Writer


def keep_secret_names(writer: Writer, made: Made) -> None:
    """Keep the old names of hidden entities as aliases, and those of hidden entries as keywords.

    Such a name can only be removed by a separate change. Undoing a step restores the names as they were.
    """
    if writer.is_reverting:
        return
    begun = len(writer.done)
    for entity_id, (before, after) in made.entities.items():
        old = _name_lost(before, after, "name")
        entity = writer.entity(writer.project_id, entity_id) if old else None
        if old and entity is not None:
            aliases = _with_name(entity.name, (*entity.aliases, old), MAX_ALIASES)
            writer.replace([(entity, entity.model_copy(update={"aliases": aliases}))])
    for entry_id, (before, after) in made.turns("entry").items():
        old = _name_lost(before, after, "entry_key") if after and after["entity_id"] is None else None
        for entry in writer.lore.entries(writer.project_id, [entry_id]).values() if old else ():
            keywords = _with_name(entry.entry_key, (*entry.keywords, old or ""), MAX_KEYWORDS)
            writer.replace([(entry, entry.model_copy(update={"keywords": keywords}))])
    if len(writer.done) > begun:
        made.look_again()


def _name_lost(before: Row | None, after: Row | None, column: str) -> str | None:
    """Return the name that something hidden has lost."""
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
