"""A copy of a whole story, under a title of its own."""

from __future__ import annotations

from fabula.call import Call
from fabula.model.account import Role
from fabula.operations.import_export.import_folder import ImportArchiveResponse, import_story
from fabula.operations.stories import Title
from fabula.operations.table import StoryRequest, operation
from fabula.projections.story_files import all_files


class DuplicateStoryRequest(StoryRequest):
    """The title of the copy."""

    title: Title


@operation("story.duplicate", role=Role.READER)
def duplicate_story(call: Call, request: DuplicateStoryRequest) -> ImportArchiveResponse:
    """Create a copy of a story as an export and an import would, without its history."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        files = {path: data for path, data in all_files(reader, request.project_id) if data is not None}
    return import_story(call, files, title=request.title)
