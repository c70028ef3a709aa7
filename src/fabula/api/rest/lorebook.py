"""`/stories/{storyId}/lorebook`: entries by id and by key, import, export, bulk edit."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.canon.entry_values import LorebookEntry
from fabula.operations.lorebook import bulk, entries
from fabula.operations.lorebook.estimates import estimate_entry

router = routes(
    "/stories/{storyId}/lorebook",
    "lorebook",
    (
        Route("GET", "", entries.list_entries, pages=LorebookEntry),
        Route("POST", "", entries.create_entry, status=201, body="entry"),
        Route("POST", "/import", bulk.import_some, name="import_entries"),
        Route("GET", "/export", bulk.export_entries),
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
