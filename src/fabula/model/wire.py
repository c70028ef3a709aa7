"""How values are serialised: camelCase, no unknown fields, no unsafe text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set as AbstractSet
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints
from pydantic.alias_generators import to_camel

MAX_JSON_DEPTH = 32
MAX_JSON_BYTES = 262_144
MAX_KEY_LENGTH = 256
MAX_INTEGER = 2**63 - 1

_set = object.__setattr__
_FIELDS: dict[type[BaseModel], set[str]] = {}
_UNSAFE = re.compile("[\x00\ud800-\udfff]")


class Value(BaseModel):
    """A frozen value that is serialised as camelCase JSON."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    @classmethod
    def trusted(cls, **fields: Any) -> Self:
        """A value from fields known to be valid and complete, without validation or defaults.

        Five times as fast as `model_construct`, which matters where thousands of rows become values.
        """
        known = _FIELDS.get(cls)
        if known is None:
            known = _FIELDS[cls] = set(cls.model_fields)
        value = cls.__new__(cls)
        _set(value, "__dict__", fields)
        # Values are frozen, so all that have every field can share one set of field names.
        _set(value, "__pydantic_fields_set__", known if len(known) == len(fields) else set(fields))
        _set(value, "__pydantic_extra__", None)
        _set(value, "__pydantic_private__", None)
        return value

    @classmethod
    def trusted_without(cls, left_out: AbstractSet[str], **fields: Any) -> Self:
        """A value like `trusted`, some of whose fields have their defaults because nobody gave them."""
        value = cls.trusted(**fields)
        if left_out:
            _set(value, "__pydantic_fields_set__", set(fields) - left_out)
        return value


def is_same(one: Value, other: Value) -> bool:
    """Whether both are the same JSON; 1, 1.0 and True are equal in Python, but not in JSON."""
    return one == other and one.model_dump_json() == other.model_dump_json()


def safe_text(text: str) -> str:
    """The text unchanged; ValueError if it cannot be stored (NUL, lone surrogates)."""
    if _UNSAFE.search(text):
        raise ValueError("must not contain NUL or lone surrogate characters")
    return text


def visible_text(text: str) -> str:
    """The trimmed text; ValueError if nothing visible is left or it contains control characters."""
    text = text.strip()
    if text.isascii() and text.isprintable() and text:
        return text
    if text.isprintable() and unicodedata.category(text[:1] or " ")[0] not in "CZM":
        return text
    categories = {unicodedata.category(character) for character in text}
    if not text or not categories.isdisjoint(("Cc", "Cs")):
        raise ValueError("must not be blank or hold control characters")
    if all(category[0] in "CZM" for category in categories):
        raise ValueError("must hold at least one visible character")
    return text


Text = Annotated[str, AfterValidator(safe_text)]
Name = Annotated[str, StringConstraints(max_length=256), AfterValidator(visible_text)]
RelationWord = Annotated[str, StringConstraints(max_length=64), AfterValidator(visible_text)]
Description = Annotated[str, StringConstraints(max_length=65_536), AfterValidator(safe_text)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=128), AfterValidator(visible_text)]


def safe_json(value: dict[str, Any]) -> dict[str, Any]:
    """The JSON object unchanged; ValueError if it is too deep, too large, or not valid JSON."""
    _check(value, MAX_JSON_DEPTH, [MAX_JSON_BYTES])
    return value


def _check(value: Any, depth: int, room: list[int]) -> None:
    if depth < 0:
        raise ValueError(f"is nested deeper than {MAX_JSON_DEPTH} levels")
    room[0] -= len(value) if isinstance(value, str) else 8
    if room[0] < 0:
        raise ValueError(f"is larger than {MAX_JSON_BYTES} characters")
    if isinstance(value, dict):
        for key, item in value.items():
            _check_key(key)
            room[0] -= len(key)
            if type(item) is str and depth:
                # Most are texts, and to call oneself for each takes longer than to check it.
                room[0] -= len(item)
                if room[0] < 0:
                    raise ValueError(f"is larger than {MAX_JSON_BYTES} characters")
                safe_text(item)
            else:
                _check(item, depth - 1, room)
    elif isinstance(value, list | tuple):
        for item in value:
            _check(item, depth - 1, room)
    else:
        _check_scalar(value)


def _check_key(key: Any) -> None:
    if not isinstance(key, str) or not key.strip():
        raise ValueError("has a blank key or one that is not text")
    if len(key) > MAX_KEY_LENGTH:
        raise ValueError(f"has a key longer than {MAX_KEY_LENGTH} characters")
    safe_text(key)


def _check_scalar(value: Any) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        safe_text(value)
    elif isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise ValueError("contains an integer beyond 64 bits")
    elif isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError("contains a number that JSON does not know (NaN or infinity)")
    else:
        raise ValueError(f"contains a {type(value).__name__}, which is not JSON")


OpenJson = Annotated[dict[str, Any], AfterValidator(safe_json)]
