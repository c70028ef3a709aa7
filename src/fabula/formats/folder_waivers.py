"""The waivers of a story folder, in one file, the oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabula.formats.folder_names import WAIVERS
from fabula.formats.folder_shapes import WaiverRow, usual_id
from fabula.formats.folder_text import FactLines, document
from fabula.formats.folder_write import File
from fabula.model.evidence import fingerprint
from fabula.model.waiver import Waiver


def waivers_file(waivers: Iterable[Waiver]) -> File:
    """The findings that are intended."""
    rows = FactLines(map(_fields, sorted(waivers, key=lambda one: (one.rule, one.here, one.there, one.id))))
    return File(WAIVERS, document(rows) or None)


def folder_waivers(rows: Iterable[WaiverRow], common: Mapping[str, Any]) -> Iterator[Waiver]:
    """Yield the waivers of a folder; `common` has the story and the times."""
    for number, row in enumerate(rows):
        yield Waiver.trusted(
            id=row.id or usual_id("waiver", number),
            project_id=common["project_id"],
            rule=row.rule,
            facts=tuple(row.facts),
            here=fingerprint(row.here),
            there=fingerprint(row.there),
            here_quotation=row.here,
            there_quotation=row.there,
            reason=row.reason,
            created_at=common["created_at"],
        )


def _fields(waiver: Waiver) -> dict[str, Any]:
    rest = {"there": waiver.there_quotation, "facts": list(waiver.facts), "reason": waiver.reason}
    told = {name: value for name, value in rest.items() if value}
    return {"rule": waiver.rule, "here": waiver.here_quotation, **told, "id": waiver.id}
