"""Importing a file into an existing story: a bundle, or a whole story if it is empty."""

from __future__ import annotations

import json
from typing import Literal

from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.model.account import Role
from fabula.model.parsing import parsed
from fabula.model.wire import Text, Value
from fabula.operations.bundles.bundles import import_data
from fabula.operations.bundles.values import KnowledgeBundleImportResponse
from fabula.operations.import_export.import_folder import ImportArchiveResponse, import_archive
from fabula.operations.table import StoryRequest, operation


class BundleText(Value):
    """A bundle as text in a JSON body."""

    text: Text


class ImportIntoStoryRequest(StoryRequest):
    """A file, its format, and whether this is a dry run; a JSON body may contain a bundle as text."""

    data: bytes
    format: Literal["bundle", "folder"] = "bundle"
    dry_run: bool = False
    is_json: bool = False


class ImportArchiveRequest(Value):
    """An archive of a whole story."""

    data: bytes


@operation("story.fill", role=Role.EDITOR)
def import_file(
    call: Call, request: ImportIntoStoryRequest
) -> KnowledgeBundleImportResponse | ImportArchiveResponse:
    """Import a file into a story in one step, or report everything that is wrong with it."""
    if request.format == "bundle":
        data = _bundle_in(request.data) if request.is_json else request.data
        return import_data(call, request.project_id, data, dry_run=request.dry_run)
    if request.dry_run:
        raise InvalidInput(
            "A whole story cannot be imported on trial.",
            details={"field": "dryRun"},
            suggestion="Leave out dryRun.",
        )
    return import_archive(call, request.data, request.project_id)


@operation("story.import", role=None)
def import_story_file(call: Call, request: ImportArchiveRequest) -> ImportArchiveResponse:
    """Create a story from an archive."""
    return import_archive(call, request.data)


def _bundle_in(body: bytes) -> bytes:
    """Return the bundle in a JSON body: the list itself, or the content of `text`."""
    if not body.lstrip().startswith(b"{"):
        return body
    try:
        told = json.loads(body)
    except ValueError:
        return body
    return parsed(BundleText, told).text.encode()
