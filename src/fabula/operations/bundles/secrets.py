"""Secrets and bundles: an imported file must not reveal what the author hides from models."""

from __future__ import annotations

from fabula.errors import Forbidden
from fabula.formats.bundle import NodeDeletion, NodeUpsert
from fabula.model.entity import Entity, EntityState
from fabula.model.fact import more_private
from fabula.model.level import may_be_told, stricter
from fabula.model.names import name_key
from fabula.model.relation import Relation
from fabula.operations.bundles.site import Site

_LEVEL, _ALIASES = "ai_context_level", "aliases"
_TELLING = frozenset({_LEVEL, _ALIASES})
_ITSELF: dict[type, str] = {Entity: "the entity itself", EntityState: "the state itself"}

SecretFact = Entity | Relation | EntityState


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
            raise _refused(one.index, field, "what the author keeps from models", "the entity itself")


def refuse_publishing(index: int, kept: SecretFact, after: SecretFact) -> None:
    """Refuse an item that would let everybody in the story know what only some know."""
    if more_private(kept.secrecy, after.secrecy) is not after.secrecy:
        itself = _ITSELF.get(type(kept), "the relation itself")
        raise _refused(index, "secrecy", "what only some people of the story know", itself)


def refuse_telling(index: int, field: str) -> None:
    """Refuse an item by which more people of the story would know what only some knew before the import."""
    raise _refused(index, field, "what only some people of the story know", "its own page")


def _refused(index: int, field: str, what: str, itself: str) -> Forbidden:
    path = f"[{index}].{field}"
    return Forbidden(
        f"{path}: an import may not open {what}.",
        details={"index": index, "path": path},
        suggestion=f"Leave {field} out of this item, or change it on {itself}."
        if field != "action"
        else f"Leave this item out, or delete {itself}.",
    )


def _unveiling(kept: Entity, wanted: NodeUpsert) -> str | None:
    """Return the field that would reveal a secret: a weaker level, or a removed alias that texts use."""
    level = wanted.fields.get(_LEVEL, kept.ai_context_level)
    if stricter(kept.ai_context_level, level) is not level:
        return "aiContextLevel"
    names = set(map(name_key, wanted.fields.get(_ALIASES, kept.aliases)))
    return None if set(map(name_key, kept.aliases)) <= names else "aliases"
