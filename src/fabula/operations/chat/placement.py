"""Placing a context in a conversation: Fabula's texts around the last words, those of lorebooks elsewhere.

A client's messages stay as they are and in order; only a macro that asks for an outlet is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fabula.assembly.context import AssembledContext
from fabula.llm.chat import ChatRole
from fabula.model.context import ChatMessage

GAP = "\n\n"
INSTRUCTING = ("system", "developer")
# SillyTavern gives the messages of example dialogues names that begin like this.
EXAMPLE = "example_"

Spoken = dict[str, Any]
BlockPlace = Literal["before", "after", "examplesTop", "examplesBottom", "depth"]

_OUTLET = re.compile(r"\{\{\s*outlet\s*::(.*?)\}\}", re.IGNORECASE | re.DOTALL)
# What stands at the same place stands in this order; nearer to the end weighs more with most models.
_BEFORE, _AFTER, _EXAMPLES_TOP, _EXAMPLES_BOTTOM, _SYSTEM, _CONTEXT = range(6)
_AT_DEPTH: dict[ChatRole, int] = {"assistant": 6, "user": 7, "system": 8}
_CLOSE = 9


class PlacedTexts(NamedTuple):
    """The texts of a context by position; empty where there is none."""

    system: str
    before: str
    after: str


class BookBlock(NamedTuple):
    """A text of scanned lorebooks and where it stands; `depth` counts messages from the end."""

    place: BlockPlace
    text: str
    role: ChatRole = "system"
    depth: int = 0


class Insertion(NamedTuple):
    """A text that stands before the message with this number, among others by rank."""

    number: int
    rank: int
    role: ChatRole
    text: str


def told_by(context: AssembledContext) -> PlacedTexts:
    """Return the texts of a context, without the scene it was assembled for."""
    texts = [message.content for message in context.messages if message.role == "system"]
    system = texts.pop(0) if context.system_prompt_entries else ""
    after = texts.pop() if context.after_scene_entries else ""
    return PlacedTexts(system, GAP.join(texts), after)


def around_last_words(told: PlacedTexts, messages: Sequence[Spoken]) -> list[Insertion]:
    """Return where the texts of a context stand in a conversation.

    What always holds follows the opening instructions. What depends on the moment is placed right before
    the user's last message, so that the beginning of a long conversation stays the same from turn to
    turn, and what follows the scene right after it.
    """
    opening = opening_of(messages)
    asked = max((n for n, one in enumerate(messages) if one.get("role") == "user"), default=-1)
    at, then = (asked, asked + 1) if asked >= opening else (opening, opening)
    return around(told, system=opening, before=at, after=then)


def around_scene(told: PlacedTexts, messages: Sequence[Spoken]) -> list[Insertion]:
    """Return the texts of a context around a scene, which is the first message."""
    return around(told, system=0, before=0, after=1)


def at_the_beginning(told: PlacedTexts, messages: Sequence[Spoken]) -> list[Insertion]:
    """Return the texts of a context before all messages."""
    return around(told, system=0, before=0, after=0)


def around(told: PlacedTexts, *, system: int, before: int, after: int) -> list[Insertion]:
    """Return the texts of a context as insertions before these messages."""
    placed = (
        Insertion(system, _SYSTEM, "system", told.system),
        Insertion(before, _CONTEXT, "system", told.before),
        # Right after the message that it follows, and before whatever else stands there.
        Insertion(after, _CLOSE if after == before else -1, "system", told.after),
    )
    return [one for one in placed if one.text]


AroundName = Literal["last_words", "scene", "beginning"]
AROUND: Mapping[AroundName, Callable[[PlacedTexts, Sequence[Spoken]], list[Insertion]]] = {
    "last_words": around_last_words,
    "scene": around_scene,
    "beginning": at_the_beginning,
}
"""Where the texts of a context may stand in a conversation."""


def around_books(blocks: Sequence[BookBlock], messages: Sequence[Spoken]) -> list[Insertion]:
    """Return where the texts of scanned lorebooks stand in a conversation.

    A client's messages do not say where it describes the character: what belongs before it follows the first
    instruction, and what belongs after it the last. Depth counts messages of the conversation, from its end.
    """
    opening = opening_of(messages)
    names = [str(message.get("name")) for message in messages[:opening]]
    examples = [place for place, name in enumerate(names) if name.startswith(EXAMPLE)] or [opening]
    talk = [n for n, one in enumerate(messages) if n >= opening and one.get("role") not in INSTRUCTING]
    end = talk[-1] + 1 if talk else opening
    numbers = {
        "before": (min(1, opening), _BEFORE),
        "after": (examples[0], _AFTER),
        "examplesTop": (examples[0], _EXAMPLES_TOP),
        "examplesBottom": (min(examples[-1] + 1, opening), _EXAMPLES_BOTTOM),
    }
    placed = []
    for block in blocks:
        if block.place == "depth":
            deep = talk[max(0, len(talk) - block.depth)] if talk and block.depth > 0 else end
            number = _before_call(deep, messages)
            placed.append(Insertion(number, _AT_DEPTH[block.role], block.role, block.text))
        else:
            placed.append(Insertion(*numbers[block.place], block.role, block.text))
    return placed


def _before_call(number: int, messages: Sequence[Spoken]) -> int:
    """Return the number, or that of the call whose answer stands there: most models want them together."""
    while 0 < number < len(messages) and messages[number].get("role") == "tool":
        number -= 1
    return number


def arranged(insertions: Sequence[Insertion], messages: Sequence[Spoken]) -> list[Spoken]:
    """Return the messages with the insertions between them."""
    waiting: dict[int, list[Insertion]] = {}
    for one in sorted(insertions, key=lambda one: one.rank):
        waiting.setdefault(one.number, []).append(one)
    result: list[Spoken] = []
    for number in range(len(messages) + 1):
        result += [{"role": one.role, "content": one.text} for one in waiting.get(number, ())]
        result += messages[number : number + 1]
    return result


def folded(insertions: Sequence[Insertion], messages: Sequence[Spoken]) -> list[Spoken]:
    """Return the same for models that accept a single system message, which gets all the texts."""
    text = GAP.join(one.text for one in in_order(insertions))
    if not text:
        return list(messages)
    first = messages[0] if messages else {}
    if first.get("role") in INSTRUCTING and isinstance(first.get("content"), str):
        return [{**first, "content": GAP.join(filter(None, (first["content"], text)))}, *messages[1:]]
    return [{"role": "system", "content": text}, *messages]


def in_order(insertions: Sequence[Insertion]) -> list[Insertion]:
    """Return the insertions in the order in which the model reads them."""
    return sorted(insertions, key=lambda one: (one.number, one.rank))


def added_by(insertions: Sequence[Insertion]) -> tuple[ChatMessage, ...]:
    """Return the insertions as messages, without the conversation."""
    return tuple(ChatMessage(role=one.role, content=one.text) for one in in_order(insertions))


def opening_of(messages: Sequence[Spoken]) -> int:
    """Return how many messages at the beginning are instructions."""
    for number, message in enumerate(messages):
        if message.get("role") not in INSTRUCTING:
            return number
    return len(messages)


def outlets_wanted(texts: Sequence[str]) -> dict[str, int]:
    """Return the outlets that macros in these texts ask for, and how often."""
    wanted: dict[str, int] = {}
    for text in texts:
        for found in _OUTLET.finditer(text) if "{{" in text else ():
            name = found[1].strip()
            wanted[name] = wanted.get(name, 0) + 1
    return wanted


def with_outlets(message: Spoken, outlets: Mapping[str, str]) -> Spoken:
    """Return a message with its outlets filled; one that nothing is in becomes empty."""

    def filled(text: Any) -> Any:
        if not isinstance(text, str) or "{{" not in text:
            return text
        return _OUTLET.sub(lambda found: outlets.get(found[1].strip(), ""), text)

    content = message.get("content")
    if isinstance(content, list):
        parts = [
            {**part, "text": filled(part.get("text"))} if isinstance(part, dict) and "text" in part else part
            for part in content
        ]
        return {**message, "content": parts} if parts != content else message
    said = filled(content)
    return message if said == content else {**message, "content": said}
