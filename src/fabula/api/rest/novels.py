"""`/novels`: import a whole novel as a story."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations.manuscript.novel_import import start_novel

router = routes("", "stories", (Route("POST", "/novels", start_novel, status=202, name="import_novel"),))
