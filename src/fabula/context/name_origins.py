"""Who gave an entity a name: the author, the author's manuscript, or someone else's file or agent.

An open name that contains a hidden one may be told only if the author knows it. With 青云 hidden, the
author's own 青云宗 stays open; but anyone who knows a secret name could reveal its sentences by importing a
longer name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum

import orjson

from fabula.model.names import name_key
from fabula.model.proposal import is_own_reader
from fabula.store.graph_rows import other_names
from fabula.store.log import (
    EXTRACT,
    IMPORT_BUNDLE,
    IMPORT_LORE,
    MAKE_SNAPSHOT,
    MERGE,
    PROPOSE,
    READ_NOVEL,
    READ_SCENE,
    REDO,
    REVIEW,
    REVIEW_MANY,
    UNDO,
    RowStep,
)
from fabula.store.reader import Reader


class NameOrigin(IntEnum):
    """The origin of a name, the most trusted last."""

    OTHERS = 0
    MANUSCRIPT = 1
    AUTHOR = 2


_OF_ACTION = {
    IMPORT_BUNDLE: NameOrigin.OTHERS,
    IMPORT_LORE: NameOrigin.OTHERS,
    PROPOSE: NameOrigin.OTHERS,
    EXTRACT: NameOrigin.MANUSCRIPT,
    MAKE_SNAPSHOT: NameOrigin.MANUSCRIPT,
    READ_NOVEL: NameOrigin.MANUSCRIPT,
    READ_SCENE: NameOrigin.MANUSCRIPT,
}

# An event has another row under its entity's id, which has no name.
_NAMED = ("entity", "entry")

Names = dict[str, NameOrigin]


def name_origins(reader: Reader, project_id: str, row_id: str) -> Names:
    """Return who gave an entity or an entry each of its current and past names, by name key."""
    return _origins(reader, project_id, row_id, until=None)


def _origins(reader: Reader, project_id: str, row_id: str, until: int | None) -> Names:
    known: Names = {}
    for step in reader.log.row_steps(project_id, row_id):
        if until is not None and step.revision >= until:
            break
        if step.kind not in _NAMED:
            continue
        came = _names(step.kind, step.after_json) - _names(step.kind, step.before_json)
        if came:
            known |= _given_by(reader, project_id, step, came, known)
    return known


def _given_by(reader: Reader, project_id: str, step: RowStep, came: set[str], known: Names) -> Names:
    """Return who gave the names that a step has added."""
    if step.action in (UNDO, REDO):
        return {name: known.get(name, NameOrigin.OTHERS) for name in came}
    if step.action == MERGE:
        return _of_merged(reader, project_id, step, came)
    if step.action in (REVIEW, REVIEW_MANY):
        is_read = all(map(is_own_reader, reader.log.extractors_of(project_id, step.revision)))
        return dict.fromkeys(came, NameOrigin.MANUSCRIPT if is_read else NameOrigin.OTHERS)
    return dict.fromkeys(came, _OF_ACTION.get(step.action, NameOrigin.AUTHOR))


def _of_merged(reader: Reader, project_id: str, step: RowStep, came: set[str]) -> Names:
    """Return the origins of names added by a merge, each of which comes from a merged entity."""
    gone = [
        row_id
        for kind, row_id, _, after in reader.log.changes_of(project_id, step.revision)
        if kind == step.kind and after is None
    ]
    found: Names = {}
    for row_id in gone:
        for name, origin in _origins(reader, project_id, row_id, until=step.revision).items():
            found[name] = max(origin, found.get(name, NameOrigin.OTHERS))
    return {name: found.get(name, NameOrigin.OTHERS) for name in came}


def _names(kind: str, image_json: str | None) -> set[str]:
    if image_json is None:
        return set()
    image = orjson.loads(image_json)
    return set(map(name_key, _written(kind, image)))


def _written(kind: str, image: Mapping[str, str]) -> Iterable[str]:
    if kind == "entity":
        return image["name"], *other_names(image["name"], image["aliases_json"], image.get("names_json"))
    return image["entry_key"], image["display_name"], *orjson.loads(image["keywords_json"])
