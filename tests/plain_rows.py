"""Rows of a story as plain dictionaries, and what is true of them."""

from __future__ import annotations

import math
from typing import Any

from fabula.index.words import words
from fabula.matching import fold
from fabula.model.entity import aliases_beside
from fabula.model.level import AiContextLevel, stricter
from fabula.model.names import name_key

Row = dict[str, Any]
Key = tuple[str, str]
Rows = dict[Key, Row]
Moment = tuple[int, int | None]

BLANK: Row = {
    "description": "",
    "attributes": {},
    "aliases": (),
    "ai_context_level": "when_detected",
    "significance": 0.5,
}
UNSAID: Row = {"description": "", "properties": {}, "since": None, "until": None}


def words_of(text: str) -> list[str]:
    """The words of a text."""
    return [word.text for word in words(fold(text).text)]


def tidy(entity: Row) -> Row:
    """The entity without aliases that say its name again."""
    return {**entity, "aliases": aliases_beside(entity["name"], entity["aliases"])}


def identity(entity: Row) -> tuple[str, str]:
    """What no two entities share."""
    return entity["type"], name_key(entity["name"])


def ends(relation: Row) -> tuple[str, str]:
    """The two entities of a relation."""
    return relation["source"], relation["target"]


def same_as(relation: Row) -> tuple[Any, ...]:
    """What no two relations share."""
    return (*ends(relation), relation["relation_type"], begins(relation["since"]))


def begins(moment: Moment | None) -> tuple[int, int]:
    """A moment as a beginning."""
    return (-1, 0) if moment is None else (moment[0], moment[1] or 0)


def finishes(moment: Moment | None) -> tuple[float, float]:
    """A moment as an end."""
    if moment is None:
        return (math.inf, 0)
    return (moment[0], math.inf if moment[1] is None else moment[1])


def side_by_side(kept: Row, other: Row, name: str) -> Row:
    """Both, and where they differ the other's value under a key of its own."""
    both = dict(kept)
    for key, value in other.items():
        if both.setdefault(key, value) != value:
            beside, count = f"{key} ({name})", 2
            while beside in both:
                beside, count = f"{key} ({name} {count})", count + 1
            both[beside] = value
    return both


def united(kept: Row, other: Row) -> Row:
    """One entity out of two."""
    attributes = side_by_side(kept["attributes"], other["attributes"], other["name"])
    said, more = kept["description"], other["description"]
    level = stricter(AiContextLevel(kept["ai_context_level"]), AiContextLevel(other["ai_context_level"]))
    return {
        **kept,
        "attributes": attributes,
        "description": said if not more or more in said else f"{said}\n\n{more}".strip(),
        "aliases": aliases_beside(kept["name"], (*kept["aliases"], other["name"], *other["aliases"])),
        "significance": max(kept["significance"], other["significance"]),
        "ai_context_level": str(level.value),
    }


def taking_up(kept: Row, other: Row) -> Row:
    """One relation out of two that say the same."""
    said, more = kept["description"], other["description"]
    return {
        **kept,
        "description": said if not more or more in said else f"{said}\n{more}".strip(),
        "properties": side_by_side(kept["properties"], other["properties"], "2"),
        "until": max(kept["until"], other["until"], key=finishes),
    }


def changed(rows: Rows, changes: dict[Key, Row | None]) -> Rows:
    """The rows after the changes."""
    after = {**rows, **{key: row for key, row in changes.items() if row is not None}}
    return {key: row for key, row in after.items() if changes.get(key, row) is not None}


def is_sound(rows: Rows) -> bool:
    """Whether nothing stands twice and nothing points to what is not there."""
    entities = {key[1]: row for key, row in rows.items() if key[0] == "entity"}
    relations = [row for key, row in rows.items() if key[0] == "relation"]
    return (
        len(set(map(identity, entities.values()))) == len(entities)
        and len(set(map(same_as, relations))) == len(relations)
        and all(end in entities for row in relations for end in ends(row))
        and all(("relation_type", row["relation_type"]) in rows for row in relations)
    )
