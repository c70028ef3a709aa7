"""Validates plain data against a type and reports what is wrong field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from fabula.collector import LARGE, collector_paused
from fabula.errors import InvalidInput

SHOWN_ERRORS = 50

ModelT = TypeVar("ModelT", bound=BaseModel)


def parsed(model: type[ModelT], payload: Any) -> ModelT:
    """The payload as a value of the type; InvalidInput if it does not fit."""
    try:
        if isinstance(payload, dict) and any(_is_long(value) for value in payload.values()):
            with collector_paused():
                return model.model_validate(payload)
        return model.model_validate(payload)
    except ValidationError as error:
        raise invalid_input(error) from error


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > LARGE


def invalid_input(error: ValidationError) -> InvalidInput:
    """The problems of a request, field by field, without repeating the values sent."""
    return invalid_fields(error.errors(include_input=False, include_url=False, include_context=False))


def invalid_fields(problems: Sequence[Mapping[str, Any]]) -> InvalidInput:
    """The same for problems found elsewhere, each with `loc` and `msg`."""
    wrong = {tuple(p["loc"][:end]) for p in problems for end in range(len(p["loc"]))}
    # A list of which no item is valid is reported as too short as well, which nobody did.
    own = [p for p in problems if p.get("type") != "too_short" or tuple(p["loc"]) not in wrong]
    fields = [{"path": _path(p["loc"]), "message": _sentence(p["msg"])} for p in own]
    first = fields[0]
    return InvalidInput(
        f"{first['path']}: {first['message']}" if first["path"] else str(first["message"]),
        details={"errors": fields[:SHOWN_ERRORS], "errorCount": len(fields)},
    )


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ")
