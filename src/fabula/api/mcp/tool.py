"""An MCP tool: its description, its schemas, and how it is called."""

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
    """A tool: its name, its description for agents, and its operation.

    If the operation concerns a story, the tool takes `story`, an id or a title. With `deletes` set it may
    remove existing data, so that a client may want to ask its user first.
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
        """Whether it concerns one story."""
        return "project_id" in self.operation.request.model_fields

    @cached_property
    def input_schema(self) -> Schema:
        """The JSON Schema of its arguments."""
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
        """The JSON Schema of its result."""
        schema: Schema = _bare(self.operation.response.model_json_schema(by_alias=True, mode="serialization"))
        return schema

    def answered(self, call: Call, arguments: Any, usual_story: str | None) -> Any:
        """Call the tool; raises a FabulaError if the call is refused."""
        given = read_arguments(arguments, self.input_schema)
        story = given.pop("story", None) if self.of_a_story else None
        if story is not None and not isinstance(story, str):
            raise InvalidInput("story: must be the id or the title of a story.", suggestion=self._takes())
        if self.of_a_story:
            # Before the arguments are validated: unauthorized callers learn nothing about them.
            given["project_id"] = story_meant(call, story or None, usual_story)
        try:
            return run(self.operation, call, given)
        except InvalidInput as error:
            if "errors" not in (error.details or {}):
                raise
            raise InvalidInput(error.message, details=error.details, suggestion=self._takes()) from error

    def _takes(self) -> str:
        """Return a suggestion that lists the arguments."""
        required = self.input_schema.get("required", ())
        names = [
            f"{name} (required)" if name in required else name for name in self.input_schema["properties"]
        ]
        return f"Correct the fields named in details. Arguments of {self.name}: {', '.join(names)}."


def _bare(schema: Any) -> Any:
    """Return a schema without its titles, which add nothing."""
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
