"""The types of `story.noun.verb(…)` from the table of operations: `python -m scripts.operation_stub FILE`."""

from __future__ import annotations

import enum
import keyword
import subprocess
import sys
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from fabula.operations.table import Operation
from fabula.story_memory import StoryMemory
from fabula.story_operations import PYTHON, House, StoryOperations, is_noun

_HEAD = '"""The types of operations in Python. Written by `make schemas`; do not edit."""\n\n'


def stub() -> str:
    """The stub of `fabula.story_operations`."""
    return _Stub().text()


class _Stub:
    def __init__(self) -> None:
        self._imports: dict[str, set[str]] = {
            "collections.abc": {"Mapping", "Sequence"},
            "typing": {"Any", "Literal", "Protocol"},
            "fabula.call": {"Call"},
            "fabula.operations.table": {"Operation", "RequestT", "ResponseT"},
        }

    def text(self) -> str:
        # Nouns that are methods of StoryMemory and verbs that are keywords are reached through `ask`.
        nouns = {noun: verbs for noun, verbs in _tree(PYTHON).items() if noun not in vars(StoryMemory)}
        classes = [text for noun, verbs in nouns.items() for text in self._noun((noun,), verbs)]
        story = _STORY + "".join(_property(noun, _class((noun,))) for noun in nouns)
        lines = [f"from {module} import {', '.join(names)}" for module, names in self._imports.items()]
        return _HEAD + "\n".join(lines) + "\n\n" + _HOUSE + "\n\n".join([*classes, story])

    def _noun(self, path: tuple[str, ...], verbs: Mapping[str, Any]) -> list[str]:
        own: list[str] = []
        inner: list[str] = []
        for verb, found in verbs.items():
            if keyword.iskeyword(verb):
                continue
            if isinstance(found, Operation):
                own.append(self._method(verb, found))
            else:
                own.append(_property(verb, _class((*path, verb))))
                inner += self._noun((*path, verb), found)
        return [*inner, f"class {_class(path)}:\n" + "".join(own)]

    def _method(self, verb: str, operation: Operation[Any, Any]) -> str:
        fields = [item for item in operation.request.model_fields.items() if item[0] != "project_id"]
        given = ", ".join(
            f"{name}: {self._field(field)}{'' if field.is_required() else ' = ...'}"
            for name, field in sorted(fields, key=lambda item: not item[1].is_required())
        )
        answer = self._answer(operation.response)
        return (
            f"    def {verb}(self{', *, ' + given if given else ''}) -> {answer}:\n"
            f'        """{operation.summary}"""\n'
        )

    def _field(self, field: FieldInfo) -> str:
        return " | ".join(dict.fromkeys(self._given(field.annotation)))

    def _given(self, kind: Any) -> list[str]:
        """The types that a field takes: what a request holds, or the plain data of it."""
        origin, args = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._given(args[0])
        if origin in (Union, types.UnionType):
            return [text for one in args for text in self._given(one)]
        if origin is Literal:
            return [self._literal(args)]
        if origin in (tuple, list, frozenset, set):
            return [f"Sequence[{' | '.join(dict.fromkeys(self._given(args[0])))}]"]
        if origin is dict:
            return [f"Mapping[{', '.join(' | '.join(self._given(one)) for one in args)}]"]
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return [self._name(kind), "Mapping[str, Any]"]
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return [self._name(kind), self._literal(tuple(one.value for one in kind))]
        return [self._name(kind)]

    def _answer(self, kind: Any) -> str:
        origin, args = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self._answer(args[0])
        if origin in (Union, types.UnionType):
            return " | ".join(self._answer(one) for one in args)
        if origin is Literal:
            return self._literal(args)
        if origin is not None:
            inner = ", ".join("..." if one is ... else self._answer(one) for one in args)
            return f"{self._name(origin)}[{inner}]"
        return self._name(kind)

    def _literal(self, values: Sequence[Any]) -> str:
        return f"Literal[{', '.join(repr(value) for value in values)}]"

    def _name(self, kind: Any) -> str:
        if kind in (None, type(None)):
            return "None"
        if kind is Any:
            return "Any"
        if kind.__module__ != "builtins":
            module = "pathlib" if kind is Path else kind.__module__
            self._imports.setdefault(module, set()).add(kind.__name__)
        return str(kind.__name__)


def _tree(operations: Mapping[str, Operation[Any, Any]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, operation in sorted(operations.items()):
        *nouns, verb = name.split(".")
        branch = tree
        for noun in nouns:
            branch = branch.setdefault(noun, {})
        branch[verb] = operation
    return tree


def _property(name: str, kind: str) -> str:
    return f"    @property\n    def {name}(self) -> {kind}: ...\n"


def _class(path: tuple[str, ...]) -> str:
    return "_" + "".join(part.title().replace("_", "") for part in path) + "Operations"


def _doc(thing: object) -> str:
    return f'"""{(thing.__doc__ or "").strip()}"""'


_HOUSE = f"""class House(Protocol):
    {_doc(House)}

    def call(self) -> Call:
        {_doc(House.call)}

def is_noun(name: str) -> bool:
    {_doc(is_noun)}

PYTHON: dict[str, Operation[Any, Any]]

"""
_STORY = f"""class StoryOperations:
    {_doc(StoryOperations)}

    id: str
    _memory: House

    def __init__(self, memory: House, story_id: str) -> None: ...
    def ask(self, name: str, /, **fields: Any) -> Any:
        {_doc(StoryOperations.ask)}
    def _ask(self, operation: Operation[RequestT, ResponseT], **fields: Any) -> ResponseT: ...
"""


def _ruff(text: str, name: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", name, "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=True).stdout


if __name__ == "__main__":
    out = Path(sys.argv[1])
    text = _ruff(stub(), out.name, "check", "--fix", "--select", "I", "--quiet")
    out.write_text(_ruff(text, out.name, "format"), "utf-8")
