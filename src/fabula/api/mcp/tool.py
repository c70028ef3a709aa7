"""An MCP tool: its description, its schemas, and how it is called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from fabula.api.mcp.arguments import Schema, read_arguments
from fabula.api.mcp.listed_schema import listed_schema
from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.operations.agents.stories import story_meant
from fabula.operations.table import Operation, run

PROJECT = "projectId"
# The instructions say once what it takes.
STORY: Schema = {"type": "string"}
POV: Schema = {"type": "string"}
DETAIL: Schema = {"type": "string", "enum": ["brief", "full"], "default": "brief"}


@dataclass(frozen=True)
class Tool:
    """A tool: its name, its description for agents, and its operation.

    If the operation concerns a story, the tool takes `story`, an id or a title. With `deletes` set it may
    remove existing data, so that a client may want to ask its user first. The fields `only_in_full` are left
    out of the answer unless it is asked for in full detail; `items.places` is a field of every item.
    """

    name: str
    operation: Operation[Any, Any]
    title: str
    description: str
    deletes: bool = False
    only_in_full: tuple[str, ...] = ()

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
        """The JSON Schema of its arguments, with every limit."""
        schema: Schema = self.operation.request.model_json_schema(by_alias=True, mode="validation")
        given: Schema = {"story": STORY} if self.of_a_story else {}
        given |= {"pov": POV} if self.of_a_story and not self.writes else {}
        given |= {"detail": DETAIL} if self.only_in_full else {}
        properties = {name: one for name, one in schema["properties"].items() if name != PROJECT}
        required = [name for name in schema.get("required", ()) if name != PROJECT]
        return {**schema, "properties": {**properties, **given}, "required": required}

    @cached_property
    def listed_schema(self) -> Schema:
        """The schema of its arguments as it is listed: every agent pays for each character of it."""
        return listed_schema(self.input_schema)

    def answered(self, call: Call, arguments: Any, usual_story: str | None) -> dict[str, Any]:
        """Call the tool; raises a FabulaError if the call is refused."""
        given = read_arguments(arguments, self.input_schema)
        detail = given.pop("detail", None) if self.only_in_full else None
        if detail not in (None, *DETAIL["enum"]):
            raise InvalidInput("detail: must be brief or full.", suggestion=self._takes())
        story = given.pop("story", None) if self.of_a_story else None
        if story is not None and not isinstance(story, str):
            raise InvalidInput("story: must be the id or the title of a story.", suggestion=self._takes())
        if self.of_a_story:
            # Before the arguments are validated: unauthorized callers learn nothing about them.
            given["project_id"] = story_meant(call, story or None, usual_story)
            call = self._seeing(call, given)
        try:
            answer = run(self.operation, call, given)
        except InvalidInput as error:
            if "errors" not in (error.details or {}):
                raise
            raise InvalidInput(error.message, details=error.details, suggestion=self._takes()) from error
        said: dict[str, Any] = answer.model_dump(by_alias=True, mode="json")
        for path in self.only_in_full if detail != "full" else ():
            _leave_out(said, path.split("."))
        return said

    def _seeing(self, call: Call, given: dict[str, Any]) -> Call:
        """Return the call with the point of view that the agent asks for, unless one is set for all calls."""
        pov = None if self.writes else given.pop("pov", None)
        if pov is not None and not isinstance(pov, str):
            raise InvalidInput("pov: must be an id, a name or an alias.", suggestion=self._takes())
        return replace(call, pov=pov) if pov and call.pov is None else call

    def _takes(self) -> str:
        """Return a suggestion that lists the arguments."""
        required = self.input_schema.get("required", ())
        names = [
            f"{name} (required)" if name in required else name for name in self.input_schema["properties"]
        ]
        return f"Correct the fields named in details. Arguments of {self.name}: {', '.join(names)}."


def _leave_out(value: Any, path: list[str]) -> None:
    """Remove a field of an answer, inside every item of the lists on the way."""
    if isinstance(value, list):
        for item in value:
            _leave_out(item, path)
    elif isinstance(value, dict):
        if len(path) == 1:
            value.pop(path[0], None)
        else:
            _leave_out(value.get(path[0]), path[1:])
