"""Bundles from an agent: the contract it is told, and an import that gives no secret away."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AliasChoices, Field, model_validator

from fabula.errors import Forbidden
from fabula.formats.bundle import NodeDeletion, NodeUpsert
from fabula.model.entity import Entity
from fabula.model.level import may_be_told, stricter
from fabula.model.names import name_key
from fabula.model.wire import Text, Value
from fabula.operations.agents.agent_hearing import listening
from fabula.operations.bundling.bundle_site import Site
from fabula.operations.bundling.bundle_values import (
    KnowledgeBundleImportResponse,
    KnowledgeBundleSchemaRequest,
    KnowledgeBundleSchemaResponse,
)
from fabula.operations.bundling.bundles import get_knowledge_schema, import_data, import_knowledge_bundle
from fabula.operations.table import Call

_PATH = "The path of a YAML file in the server's import folder; the file is deleted after success."
_TEXT = "The bundle itself, where you have no file to offer."
_LEVEL, _ALIASES = "ai_context_level", "aliases"
_TELLING = frozenset({_LEVEL, _ALIASES})


class SchemaWish(Value):
    """Nothing but the story."""


class BundleWish(Value):
    """A bundle, in a file or as text; with `dryRun` nothing of it is kept."""

    temp_file_path: Annotated[str, Field(max_length=4096)] | None = Field(
        default=None, validation_alias=AliasChoices("temp_file_path", "tempFilePath"), description=_PATH
    )
    text: Annotated[Text | None, Field(description=_TEXT)] = None
    dry_run: bool = False

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.temp_file_path is None) == (self.text is None):
            raise ValueError("give temp_file_path, or text where there is no file")
        return self


def told_schema(call: Call, project_id: str, _: SchemaWish) -> KnowledgeBundleSchemaResponse:
    """Show what a bundle for the story must be like."""
    return get_knowledge_schema.run(call, KnowledgeBundleSchemaRequest(project_id=project_id))


def told_import(call: Call, project_id: str, wish: BundleWish) -> KnowledgeBundleImportResponse:
    """Write a bundle in one step, or say everything that is wrong with it."""
    if wish.temp_file_path is not None:
        answer = import_knowledge_bundle(
            call, project_id, wish.temp_file_path, dry_run=wish.dry_run, look=_refuse_unveiling
        )
    else:
        data = (wish.text or "").encode()
        answer = import_data(call, project_id, data, dry_run=wish.dry_run, look=_refuse_unveiling)
    return _without_secrets(call, project_id, answer)


def _without_secrets(
    call: Call, project_id: str, answer: KnowledgeBundleImportResponse
) -> KnowledgeBundleImportResponse:
    """The answer without edges that went and speak of somebody hidden."""
    if not answer.removed_edges:
        return answer
    with listening(call, project_id, None) as ear:
        shown = tuple(
            edge
            for edge in answer.removed_edges
            if not any(ear.hidden(name) for name in (edge.source_name, edge.target_name, edge.relation_type))
        )
    secret = len(answer.removed_edges) - len(shown)
    return answer.model_copy(
        update={"removed_edges": shown, "removed_edge_count": answer.removed_edge_count - secret}
    )


def _refuse_unveiling(site: Site) -> None:
    """Refuse a bundle after which models would be told more of somebody than the author lets them."""
    changed = [one for one in site.plan.nodes_to_upsert if _TELLING & one.fields.keys()]
    items: tuple[NodeUpsert | NodeDeletion, ...] = (*site.plan.nodes_to_delete, *changed)
    ids = {one.index: known for one in items if (known := site.places.known_id(one.node)) is not None}
    entities = site.writer.entities(site.writer.project_id, set(ids.values()))
    for one in items:
        kept = entities.get(ids.get(one.index, ""))
        if kept is None or may_be_told(kept.ai_context_level, named=False):
            continue
        field = "action" if isinstance(one, NodeDeletion) else _unveiling(kept, one)
        if field is not None:
            path = f"[{one.index}].{field}"
            raise Forbidden(
                f"{path}: an agent may not open what the author keeps from models.",
                details={"index": one.index, "path": path},
                suggestion=f"Leave {field} out of this item, or ask the author to change it."
                if field != "action"
                else "Leave this item out, or ask the author to delete it.",
            )


def _unveiling(kept: Entity, wanted: NodeUpsert) -> str | None:
    """What would open a secret: another level, or a name less under which texts speak of it."""
    level = wanted.fields.get(_LEVEL, kept.ai_context_level)
    if stricter(kept.ai_context_level, level) is not level:
        return "aiContextLevel"
    names = set(map(name_key, wanted.fields.get(_ALIASES, kept.aliases)))
    return None if set(map(name_key, kept.aliases)) <= names else "aliases"
