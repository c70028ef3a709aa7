"""Partial updates: fields that are given change, the others stay."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import model_validator
from pydantic.alias_generators import to_camel

from fabula.model.wire import Value


class Patch(Value):
    """A partial update with at least one field; only nullable fields may be null."""

    nullable: ClassVar[frozenset[str]] = frozenset()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("names nothing to change")
        for field in sorted(self.model_fields_set - self.nullable):
            if getattr(self, field) is None:
                raise ValueError(f"{to_camel(field)} must not be null; leave it out to keep it")
        return self

    def given(self) -> dict[str, Any]:
        """The fields to change."""
        return {field: getattr(self, field) for field in self.model_fields_set}

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        """A schema in which only the nullable fields may be null."""
        schema: dict[str, Any] = handler(core_schema)
        kept = {to_camel(field) for field in cls.nullable}
        for name, field in handler.resolve_ref_schema(schema)["properties"].items():
            branches = [branch for branch in field.get("anyOf", ()) if branch != {"type": "null"}]
            if name not in kept and len(branches) == 1:
                del field["anyOf"]
                field.update(branches[0])
        return schema
