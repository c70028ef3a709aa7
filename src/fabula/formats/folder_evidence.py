"""The evidence in a story folder, which stands beside its scene."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fabula.formats.folder_read import FolderShapes
from fabula.formats.folder_shapes import usual_id
from fabula.model.evidence import Attested, Evidence, fingerprint
from fabula.model.fact import FactKind
from fabula.model.manuscript import Scene


def folder_evidence(
    told: FolderShapes,
    facts: Mapping[FactKind, Collection[str]],
    scenes: Sequence[Scene],
    common: Mapping[str, Any],
) -> Iterator[tuple[str, Evidence | str]]:
    """Yield the path and the evidence, or what is wrong with it; `common` has the story and the times."""
    standing = {(scene.chapter_index, scene.scene_index): scene.id for scene in scenes}
    for place, (path, shape) in sorted(told.scenes.items()):
        scene_id = standing.get(place)
        for number, row in enumerate(shape.evidence):
            if scene_id is None:
                yield path, "evidence needs a scene with a text"
            elif row.fact not in facts[row.kind]:
                yield path, f"there is no {row.kind} '{row.fact}' in this folder"
            else:
                yield (
                    path,
                    Evidence.trusted(
                        id=row.id or usual_id("evidence", scene_id, number),
                        project_id=common["project_id"],
                        fact_kind=row.kind,
                        fact_id=row.fact,
                        scene_id=scene_id,
                        quotation=row.quotation,
                        fingerprint=fingerprint(row.quotation),
                        occurrence=row.occurrence,
                        created_at=common["created_at"],
                        attests=None if row.says is None else Attested(**dict(row.says)),
                    ),
                )
