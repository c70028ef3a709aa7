"""Secrets and bundles: an imported file must not reveal what the author hides from models."""

from __future__ import annotations

from fabula.errors import Forbidden
from fabula.formats.bundle import NodeDeletion, NodeUpsert
from fabula.model.entity import Entity
from fabula.model.level import may_be_told, stricter
from fabula.model.names import name_key
from fabula.operations.bundles.site import Site

_LEVEL, _ALIASES = "ai_context_level", "aliases"
_TELLING = frozenset({_LEVEL, _ALIASES})


def refuse_unveiling(site: Site) -> None:
    """Refuse a bundle that would reveal more to models than the author allows."""
    changed = [one for one in site.plan.nodes_to_upsert if _TELLING & one.fields.keys()]
    items: tuple[NodeUpsert | NodeDeletion, ...] = (*site.plan.nodes_to_delete, *changed)
    ids = {one.index: known for one in items if (known := site.places.known_id(one.node)) is not None}
    entities = site.step.entities(site.step.project_id, set(ids.values()))
    for one in items:
        kept = entities.get(ids.get(one.index, ""))
        if kept is None or may_be_told(kept.ai_context_level, named=False):
            continue
        field = "action" if isinstance(one, NodeDeletion) else _unveiling(kept, one)
        if field is not None:
            path = f"[{one.index}].{field}"
            raise Forbidden(
                f"{path}: an import may not open what the author keeps from models.",
                details={"index": one.index, "path": path},
                suggestion=f"Leave {field} out of this item, or change it on the entity itself."
                if field != "action"
                else "Leave this item out, or delete the entity itself.",
            )


def _unveiling(kept: Entity, wanted: NodeUpsert) -> str | None:
    """Return the field that would reveal a secret: a weaker level, or a removed alias that texts use."""
    level = wanted.fields.get(_LEVEL, kept.ai_context_level)
    if stricter(kept.ai_context_level, level) is not level:
        return "aiContextLevel"
    names = set(map(name_key, wanted.fields.get(_ALIASES, kept.aliases)))
    return None if set(map(name_key, kept.aliases)) <= names else "aliases"
