"""A tool: what an agent reads of it, what it takes and gives, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fabula.api.mcp.arguments import Schema, read_arguments
from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.model.parsing import parsed
from fabula.model.wire import Value
from fabula.operations.access import Role, require
from fabula.operations.agents.stories import story_meant

STORY = {
    "type": "string",
    "description": "The id or title of the story. Left out: the one the server is for, or the only one.",
}


@dataclass(frozen=True)
class Tool:
    """One tool: its name, what an agent reads of it, what it takes and gives, and what it does.

    A tool that is `of_a_story` takes `story`, and its function the id of that story. One that `deletes` may
    take away what is there: a client may want to ask its user first.
    """

    name: str
    title: str
    description: str
    wish: type[Value]
    answer: type[Value]
    run: Callable[..., Value]
    writes: bool = False
    deletes: bool = False
    of_a_story: bool = True

    @cached_property
    def input_schema(self) -> Schema:
        """What it takes, as JSON Schema."""
        schema = _bare(self.wish.model_json_schema(by_alias=True, mode="validation"))
        own = {"story": STORY} if self.of_a_story else {}
        return {**schema, "properties": {**schema.get("properties", {}), **own}}

    @cached_property
    def output_schema(self) -> Schema:
        """What it gives, as JSON Schema."""
        schema: Schema = _bare(self.answer.model_json_schema(by_alias=True, mode="serialization"))
        return schema

    def answered(self, call: Call, arguments: Any, usual_story: str | None) -> Value:
        """The answer to a call of the tool; raises a FabulaError when it is refused."""
        given = read_arguments(arguments, self.input_schema)
        story = given.pop("story", None) if self.of_a_story else None
        if story is not None and not isinstance(story, str):
            raise InvalidInput("story: must be the id or the title of a story.", suggestion=self._takes())
        wish = self._wish(given)
        if not self.of_a_story:
            return self.run(call, wish)
        story_id = story_meant(call, story or None, usual_story)
        require(call, story_id, Role.EDITOR if self.writes else Role.READER)
        return self.run(call, story_id, wish)

    def _wish(self, given: dict[str, Any]) -> Value:
        try:
            return parsed(self.wish, given)
        except InvalidInput as error:
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
