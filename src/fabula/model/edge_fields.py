"""Edge properties that belong in fields of their own: the description, the start and the end.

Some programs write everything they know about an edge into its properties. A start left there would have no
effect, and a model would hear of the relation too early.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from fabula.errors import InvalidInput
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE, Moment

CHAPTER, SCENE = "chapterIndex", "sceneIndex"
DESCRIPTION = "description"
_PLACE = (CHAPTER, SCENE)
_ENDS = ("since", "until")
KEPT_ELSEWHERE = (*_PLACE, DESCRIPTION, *_ENDS)
_NOTHING: Mapping[str, Any] = {}


class SeparatedFields(NamedTuple):
    """An edge's own properties, and the fields that were found among them."""

    own: dict[str, Any]
    fields: dict[str, Any]


def separate_fields(
    properties: dict[str, Any], shown: Mapping[str, Any] = _NOTHING, held: Mapping[str, Any] = _NOTHING
) -> SeparatedFields:
    """Separate an edge's own properties from its fields; values still as the edge showed them change nothing.

    `held` are the properties the edge already has. Raises InvalidInput if a value does not fit its field.
    """
    if properties.keys().isdisjoint(KEPT_ELSEWHERE):
        return SeparatedFields(properties, {})
    own = {key: value for key, value in properties.items() if key not in KEPT_ELSEWHERE or key in held}
    said = {key: properties[key] for key in KEPT_ELSEWHERE if _is_news(key, properties, shown)}
    fields: dict[str, Any] = {end: _moment(end, said[end]) for end in _ENDS if end in said}
    if DESCRIPTION in said:
        fields[DESCRIPTION] = _text(said[DESCRIPTION])
    if said.keys().isdisjoint(_PLACE):
        return SeparatedFields(own, fields)
    named = {CHAPTER: properties.get(CHAPTER, shown.get(CHAPTER)), SCENE: properties.get(SCENE)}
    place, since = place_in(named), fields.get("since")
    if place is None and CHAPTER not in said:
        own[SCENE] = said[SCENE]
    elif place is not None and since is not None and not _agree(place, since):
        # Both are given and differ: the start counts, and the place is kept as it was given.
        own |= {key: value for key, value in named.items() if value is not None}
    else:
        own = {key: value for key, value in own.items() if key not in _PLACE}
        fields["since"] = place if since is None or since.scene is None else since
    return SeparatedFields(own, fields)


def _agree(place: Moment, since: Moment) -> bool:
    """Whether two moments are the same, comparing scenes only if both have one."""
    return (place.chapter == since.chapter and None in (place.scene, since.scene)) or place == since


def _is_news(key: str, properties: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    return key in properties and properties[key] != shown.get(key)


def place_in(said: Mapping[str, Any]) -> Moment | None:
    """The moment that `chapterIndex` and `sceneIndex` name; InvalidInput if they are out of range."""
    if said.get(CHAPTER) is None:
        return None
    return Moment.trusted(
        chapter=_number(CHAPTER, said[CHAPTER], MAX_CHAPTER),
        scene=None if said.get(SCENE) is None else _number(SCENE, said[SCENE], MAX_SCENE),
    )


def place_of(moment: Moment | None) -> dict[str, int]:
    """A moment as the properties `chapterIndex` and `sceneIndex`: the inverse of `place_in`."""
    if moment is None:
        return {}
    return {CHAPTER: moment.chapter} | ({} if moment.scene is None else {SCENE: moment.scene})


def dated(properties: dict[str, Any], since: Moment | None) -> tuple[dict[str, Any], Moment | None]:
    """The properties and the start; a missing start is taken from the place among the properties."""
    if since is not None or not is_place(properties):
        return properties, since
    return {key: value for key, value in properties.items() if key not in _PLACE}, place_in(properties)


def is_place(said: Mapping[str, Any]) -> bool:
    """Whether `chapterIndex`, and `sceneIndex` if it is there, name a moment."""
    try:
        return place_in(said) is not None
    except InvalidInput:
        return False


def _number(field: str, value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise InvalidInput(
            f"{field} must be a whole number from 0 to {most:,}.",
            details={"field": field},
            suggestion="Chapters and scenes count from 0; leave it out if there is none.",
        )
    return value


def _moment(field: str, value: Any) -> Moment | None:
    if value is None:
        return None
    if type(value) is int:
        return Moment.trusted(chapter=_number(field, value, MAX_CHAPTER), scene=None)
    try:
        return Moment.model_validate(value)
    except ValidationError:
        raise InvalidInput(
            f"properties.{field} must be the number of a chapter, or a moment with chapter and scene.",
            details={"field": f"properties.{field}"},
            suggestion=f'Write {{"{field}": 3}} or {{"{field}": {{"chapter": 3, "scene": 1}}}}.',
        ) from None


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > 65_536:
        raise InvalidInput(
            "properties.description must be a text of at most 65,536 characters.",
            details={"field": "properties.description"},
        )
    return value
