"""Bundles for agents: the schema, and an import that reveals no secret."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AliasChoices, Field, model_validator

from fabula.call import Call
from fabula.canon.ontology import story_ontology
from fabula.context.open_types import open_types
from fabula.formats.bundle_schema import bundle_schema
from fabula.model.account import Role
from fabula.model.wire import Text
from fabula.operations.agents.audience import listening
from fabula.operations.bundles.bundles import import_data, import_knowledge_bundle
from fabula.operations.bundles.values import (
    KnowledgeBundleImportResponse,
    KnowledgeBundleSchemaResponse,
)
from fabula.operations.table import StoryRequest, operation

_PATH = "The path of a YAML file in the server's import folder; the file is deleted after success."
_TEXT = "The bundle itself, where you have no file to offer."


class TellSchemaRequest(StoryRequest):
    """The story whose bundle schema to show."""


class ImportOfferedBundleRequest(StoryRequest):
    """A bundle as a file or as text; with `dryRun` nothing is saved."""

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


@operation("agent.bundle.schema", role=Role.READER, audience="model")
def told_schema(call: Call, request: TellSchemaRequest) -> KnowledgeBundleSchemaResponse:
    """Show the schema that a bundle for the story must satisfy."""
    project_id = request.project_id
    with listening(call, project_id, None) as view:
        ontology = open_types(view, story_ontology(view.reader, project_id))
    return KnowledgeBundleSchemaResponse.model_validate(bundle_schema(ontology))


@operation("agent.bundle.import", role=Role.EDITOR, audience="model")
def told_import(call: Call, request: ImportOfferedBundleRequest) -> KnowledgeBundleImportResponse:
    """Import a bundle in one step, or report everything that is wrong with it."""
    project_id = request.project_id
    if request.temp_file_path is not None:
        answer = import_knowledge_bundle(call, project_id, request.temp_file_path, dry_run=request.dry_run)
    else:
        data = (request.text or "").encode()
        answer = import_data(call, project_id, data, dry_run=request.dry_run)
    return _without_secrets(call, project_id, answer)


def _without_secrets(
    call: Call, project_id: str, answer: KnowledgeBundleImportResponse
) -> KnowledgeBundleImportResponse:
    """Remove from the response those deleted edges that name a secret."""
    if not answer.removed_edges:
        return answer
    with listening(call, project_id, None) as view:
        shown = tuple(
            edge
            for edge in answer.removed_edges
            if all(map(view.label, (edge.source_name, edge.target_name, edge.relation_type)))
        )
    secret = len(answer.removed_edges) - len(shown)
    return answer.model_copy(
        update={"removed_edges": shown, "removed_edge_count": answer.removed_edge_count - secret}
    )
