"""A tool: what an agent reads of it, what it takes and gives, and how it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fabula.api.mcp.arguments import Schema, read_arguments
from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.operations.agents.stories import story_meant
from fabula.operations.table import Operation, run

PROJECT = "projectId"
STORY = {
    "type": "string",
    "description": "The id or title of the story. Left out: the one the server is for, or the only one.",
}


@dataclass(frozen=True)
class Tool:
    """One row: its name, what an agent reads of it, and the operation behind it.

    Where the operation is about a story, the tool takes `story`, an id or a title. One that `deletes` may
    take away what is there: a client may want to ask its user first.
    """

    name: str
    operation: Operation[Any, Any]
    title: str
    description: str
    deletes: bool = False

    @property
    def writes(self) -> bool:
        """Whether it changes the story."""
        return self.operation.writes

    @property
    def of_a_story(self) -> bool:
        """Whether it is about one story."""
        return "project_id" in self.operation.request.model_fields

    @cached_property
    def input_schema(self) -> Schema:
        """What it takes, as JSON Schema."""
        schema: Schema = _bare(self.operation.request.model_json_schema(by_alias=True, mode="validation"))
        if not self.of_a_story:
            return schema
        properties = {name: one for name, one in schema["properties"].items() if name != PROJECT}
        required = [name for name in schema["required"] if name != PROJECT]
        kept = {name: one for name, one in schema.items() if name != "required"}
        told = {**kept, "properties": {**properties, "story": STORY}}
        return {**told, "required": required} if required else told

    @cached_property
    def output_schema(self) -> Schema:
        """What it gives, as JSON Schema."""
        schema: Schema = _bare(self.operation.response.model_json_schema(by_alias=True, mode="serialization"))
        return schema

    def answered(self, call: Call, arguments: Any, usual_story: str | None) -> Any:
        """The answer to a call of the tool; raises a FabulaError when it is refused."""
        given = read_arguments(arguments, self.input_schema)
        story = given.pop("story", None) if self.of_a_story else None
        if story is not None and not isinstance(story, str):
            raise InvalidInput("story: must be the id or the title of a story.", suggestion=self._takes())
        if self.of_a_story:
            # Before the question is read: whoever may not ask is told nothing about it.
            given["project_id"] = story_meant(call, story or None, usual_story)
        try:
            return run(self.operation, call, given)
        except InvalidInput as error:
            if "errors" not in (error.details or {}):
                raise
            raise InvalidInput(error.message, details=error.details, suggestion=self._takes()) from error

    def _takes(self) -> str:
        """The arguments, for those who got one of them wrong."""
        required = self.input_schema.get("required", ())
        names = [
            f"{name} (required)" if name in required else name for name in self.input_schema["properties"]
        ]
        return f"Correct the fields named in details. Arguments of {self.name}: {', '.join(names)}."


def _bare(schema: Any) -> Any:
    """A schema without the titles that say nothing."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _bare(inner) for name, inner in value.items()}
        if key in ("properties", "$defs")
        else _bare(value)
        for key, value in schema.items()
        if key != "title"
    }
