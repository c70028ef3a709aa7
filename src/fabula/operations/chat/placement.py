"""Where a context stands in a conversation: around what the model is to go on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fabula.assembly.context import AssembledContext

GAP = "\n\n"
INSTRUCTING = ("system", "developer")

Spoken = dict[str, Any]


class PlacedTexts(NamedTuple):
    """The texts of a context by where they belong; empty where there is nothing to say."""

    system: str
    before: str
    after: str


def told_by(context: AssembledContext) -> PlacedTexts:
    """What a context tells, without the text it was made for."""
    texts = [message.content for message in context.messages if message.role == "system"]
    system = texts.pop(0) if context.system_prompt_entries else ""
    after = texts.pop() if context.after_scene_entries else ""
    return PlacedTexts(system, GAP.join(texts), after)


def placed(told: PlacedTexts, messages: Sequence[Spoken]) -> list[Spoken]:
    """The messages as they are, and between them what is told.

    What always holds follows the instructions at the beginning. What this moment asks for stands right
    before the last words of the user, so that the beginning of a long conversation stays the same from
    turn to turn, and what comes after the scene right behind them.
    """
    opening = opening_of(messages)
    asked = max((n for n, one in enumerate(messages) if one.get("role") == "user"), default=None)
    if asked is None or asked < opening:
        return [*messages[:opening], *_instructions(*told), *messages[opening:]]
    return [
        *messages[:opening],
        *_instructions(told.system),
        *messages[opening:asked],
        *_instructions(told.before),
        messages[asked],
        *_instructions(told.after),
        *messages[asked + 1 :],
    ]


def folded(told: PlacedTexts, messages: Sequence[Spoken]) -> list[Spoken]:
    """The same for models that take one instruction, at the beginning: all is added to that one."""
    text = GAP.join(filter(None, told))
    if not text:
        return list(messages)
    first = messages[0] if messages else {}
    if first.get("role") in INSTRUCTING and isinstance(first.get("content"), str):
        return [{**first, "content": GAP.join(filter(None, (first["content"], text)))}, *messages[1:]]
    return [*_instructions(text), *messages]


def opening_of(messages: Sequence[Spoken]) -> int:
    """How many messages at the beginning are instructions."""
    for number, message in enumerate(messages):
        if message.get("role") not in INSTRUCTING:
            return number
    return len(messages)


def _instructions(*texts: str) -> list[Spoken]:
    return [{"role": "system", "content": text} for text in texts if text]
