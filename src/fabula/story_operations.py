"""Every operation on a story as a Python method; the generated stub beside this file has the types."""

from __future__ import annotations

from typing import Any, Protocol

from fabula.call import Call
from fabula.operations.catalogue import OPERATIONS
from fabula.operations.table import Operation, RequestT, ResponseT, run


class House(Protocol):
    """What a story needs from the memory it belongs to."""

    def call(self) -> Call:
        """Return the context in which operations run."""


class StoryOperations:
    """The operations of one story as Python methods: `story.entity.create(type=…, name=…)`."""

    def __init__(self, memory: House, story_id: str) -> None:
        self.id = story_id
        self._memory = memory

    def ask(self, name: str, /, **fields: Any) -> Any:
        """Run an operation on this story by name, such as `context.preview`."""
        return self._ask(OPERATIONS[name], **fields)

    def _ask(self, operation: Operation[RequestT, ResponseT], **fields: Any) -> ResponseT:
        return run(operation, self._memory.call(), {"project_id": self.id, **fields})

    def __getattr__(self, noun: str) -> _Noun:
        if noun.startswith("_") or not is_noun(noun):
            raise AttributeError(noun)
        return _Noun(self, noun)


def is_noun(name: str) -> bool:
    """Whether the names of operations on a story begin with this noun."""
    return any(known.startswith(name + ".") for known in PYTHON)


def _is_python(operation: Operation[Any, Any]) -> bool:
    return operation.audience == "author" and "project_id" in operation.request.model_fields


# The operations on a story that are available in Python, by name.
PYTHON = {name: operation for name, operation in OPERATIONS.items() if _is_python(operation)}


class _Noun:
    def __init__(self, story: StoryOperations, noun: str) -> None:
        self._story, self._noun = story, noun

    def __getattr__(self, verb: str) -> Any:
        name = f"{self._noun}.{verb}"
        if name not in PYTHON:
            if verb.startswith("_") or not is_noun(name):
                raise AttributeError(verb)
            return _Noun(self._story, name)

        def ask(**fields: Any) -> Any:
            return self._story.ask(name, **fields)

        ask.__doc__ = PYTHON[name].summary
        return ask

    def __dir__(self) -> list[str]:
        begin = self._noun + "."
        return sorted({name[len(begin) :].split(".")[0] for name in PYTHON if name.startswith(begin)})
