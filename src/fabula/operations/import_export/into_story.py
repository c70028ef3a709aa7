"""A file taken into a story that is there: a bundle, or a whole story for an empty one."""

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
    """A bundle as text in JSON."""

    text: Text


class ImportIntoStoryRequest(StoryRequest):
    """A file, what it is, and whether it is only to be tried; JSON may hold a bundle as text."""

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
    """Write a file into a story in one step, or say everything that is wrong with it."""
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
    """Begin a story that is the one in an archive."""
    return import_archive(call, request.data)


def _bundle_in(body: bytes) -> bytes:
    """The bundle in a body of JSON: the list itself, or `text` with a bundle in it."""
    if not body.lstrip().startswith(b"{"):
        return body
    try:
        told = json.loads(body)
    except ValueError:
        return body
    return parsed(BundleText, told).text.encode()
