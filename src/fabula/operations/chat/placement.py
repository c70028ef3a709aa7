"""Placing a context in a conversation, around the text that the model is to continue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fabula.assembly.context import AssembledContext

GAP = "\n\n"
INSTRUCTING = ("system", "developer")

Spoken = dict[str, Any]


class PlacedTexts(NamedTuple):
    """The texts of a context by position; empty where there is none."""

    system: str
    before: str
    after: str


def told_by(context: AssembledContext) -> PlacedTexts:
    """Return the texts of a context, without the scene it was assembled for."""
    texts = [message.content for message in context.messages if message.role == "system"]
    system = texts.pop(0) if context.system_prompt_entries else ""
    after = texts.pop() if context.after_scene_entries else ""
    return PlacedTexts(system, GAP.join(texts), after)


def placed(told: PlacedTexts, messages: Sequence[Spoken]) -> list[Spoken]:
    """Return the messages with the texts of the context inserted between them.

    What always holds follows the opening instructions. What depends on the moment is placed right before
    the user's last message, so that the beginning of a long conversation stays the same from turn to
    turn, and what follows the scene right after it.
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
    """Return the same for models that accept a single system message, which gets all the texts."""
    text = GAP.join(filter(None, told))
    if not text:
        return list(messages)
    first = messages[0] if messages else {}
    if first.get("role") in INSTRUCTING and isinstance(first.get("content"), str):
        return [{**first, "content": GAP.join(filter(None, (first["content"], text)))}, *messages[1:]]
    return [*_instructions(text), *messages]


def opening_of(messages: Sequence[Spoken]) -> int:
    """Return how many messages at the beginning are instructions."""
    for number, message in enumerate(messages):
        if message.get("role") not in INSTRUCTING:
            return number
    return len(messages)


def _instructions(*texts: str) -> list[Spoken]:
    return [{"role": "system", "content": text} for text in texts if text]
