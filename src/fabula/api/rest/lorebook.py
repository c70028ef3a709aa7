"""`/stories/{storyId}/lorebook` and `/lorebooks/try`: entries, import, export, bulk edit, and a trial."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import Response

from fabula.api.rest.route import Route, routes
from fabula.canon.entry_values import LorebookEntry
from fabula.operations.import_export import lore_export
from fabula.operations.lorebook import bulk, entries
from fabula.operations.lorebook.estimates import estimate_entry
from fabula.operations.lorebook.trying import try_lorebook

_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The entries, the losses, or with a format the file",
        "content": {"application/octet-stream": _BINARY},
    }
}


def _as_file(answer: Any) -> Any:
    if not isinstance(answer, lore_export.LorebookFile):
        return answer
    name = quote(answer.name)
    return Response(
        answer.data,
        media_type=answer.media_type,
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"},
    )


router = routes(
    "/stories/{storyId}/lorebook",
    "lorebook",
    (
        Route("GET", "", entries.list_entries, pages=LorebookEntry),
        Route("POST", "", entries.create_entry, status=201, body="entry"),
        Route("POST", "/import", bulk.import_some, name="import_entries"),
        Route(
            "GET",
            "/export",
            lore_export.export_lorebook,
            hidden=frozenset({"picture"}),
            answers=lore_export.ExportEntriesResponse | lore_export.ExportLossesResponse,
            gives=_as_file,
            name="export_entries",
            described={"responses": _FILES},
        ),
        Route("PATCH", "", bulk.edit_entries),
        Route("POST", "/bulk-delete", bulk.delete_entries),
        Route("POST", "/estimate", estimate_entry, name="estimate"),
        Route("GET", "/entries/{entryKey}", entries.read_entry_of_key),
        Route("PUT", "/entries/{entryKey}", entries.update_entry_of_key, body="patch"),
        Route("DELETE", "/entries/{entryKey}", entries.delete_entry_of_key),
        Route("GET", "/{entryId}", entries.read_entry),
        Route("PUT", "/{entryId}", entries.update_entry, body="patch"),
        Route("DELETE", "/{entryId}", entries.delete_entry),
    ),
)
trials = routes("/lorebooks", "lorebook", (Route("POST", "/try", try_lorebook, body="case"),))
