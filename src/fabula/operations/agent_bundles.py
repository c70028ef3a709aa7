"""Bundles from an agent: the contract it is told, and an import that gives no secret away."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AliasChoices, Field, model_validator

from fabula.errors import Forbidden, InvalidInput
from fabula.formats.bundle import NodeUpsert, bundle_plan
from fabula.formats.bundle_check import bundle_check
from fabula.formats.safe_yaml import read_yaml
from fabula.model.level import AiContextLevel, may_be_told, stricter
from fabula.model.names import name_key
from fabula.model.wire import Text, Value
from fabula.operations.agent_hearing import listening
from fabula.operations.bundle_files import offered_file
from fabula.operations.bundle_values import (
    KnowledgeBundleImportResponse,
    KnowledgeBundleSchemaRequest,
    KnowledgeBundleSchemaResponse,
)
from fabula.operations.bundles import get_knowledge_schema, import_data
from fabula.operations.ontologies import story_ontology
from fabula.operations.table import Call
from fabula.store.naming import ids_named

_PATH = "The path of a YAML file in the server's import folder; the file is deleted after success."
_TEXT = "The bundle itself, where you have no file to offer."
_LEVEL = "ai_context_level"


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
    if wish.temp_file_path is None:
        return _imported(call, project_id, (wish.text or "").encode(), dry_run=wish.dry_run)
    with offered_file(call.import_dir, wish.temp_file_path) as offered:
        answer = _imported(call, project_id, offered.data, dry_run=wish.dry_run)
        is_deleted = not wish.dry_run and offered.delete()
    return answer.model_copy(update={"file_deleted": is_deleted})


def _imported(call: Call, project_id: str, data: bytes, *, dry_run: bool) -> KnowledgeBundleImportResponse:
    _refuse_unveiling(call, project_id, data)
    answer = import_data(call, project_id, data, dry_run=dry_run)
    if not answer.removed_edges:
        return answer
    with listening(call, project_id, None) as ear:
        shown = tuple(
            edge
            for edge in answer.removed_edges
            if not any(ear.hidden(name) for name in (edge.source_name, edge.target_name, edge.relation_type))
        )
    return answer.model_copy(update={"removed_edges": shown})


def _refuse_unveiling(call: Call, project_id: str, data: bytes) -> None:
    """Refuse a bundle that would tell models more of somebody than the author does."""
    # Most bundles say nothing of levels, unless the word is escaped or in another encoding.
    if not any(mark in data for mark in (b"aiContextLevel", b"\\", b"\x00")):
        return
    with call.store.read() as reader:
        ontology = story_ontology(reader, project_id)
        try:
            reading = read_yaml(data)
        except InvalidInput:
            return
        if bundle_check(reading.value, ontology, reading).count:
            return
        wanted = [one for one in bundle_plan(reading.value, ontology).nodes_to_upsert if _LEVEL in one.fields]
        named = ids_named(reader, project_id, {name_key(one.node.name) for one in wanted})
        ids = {
            one.index: named.get((one.node.type_key, name_key(one.node.name)), one.node.id) for one in wanted
        }
        known = reader.entities(project_id, ids.values())
    for one in wanted:
        entity = known.get(ids[one.index])
        if entity is not None and _unveils(entity.ai_context_level, one):
            raise Forbidden(
                f"[{one.index}].aiContextLevel: an agent may not open what the author keeps from models.",
                details={"index": one.index, "path": f"[{one.index}].aiContextLevel"},
                suggestion="Leave aiContextLevel out of this item, or ask the author to change it.",
            )


def _unveils(kept: AiContextLevel, wanted: NodeUpsert) -> bool:
    level = AiContextLevel(wanted.fields[_LEVEL])
    return not may_be_told(kept, named=False) and stricter(kept, level) is not level
