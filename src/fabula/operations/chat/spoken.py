"""Reading the messages of OpenAI clients: their texts, made safe, and what in them is not text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fabula.errors import InvalidInput
from fabula.operations.chat.context_window import SizedMessage
from fabula.operations.chat.placement import GAP, Spoken, opening_of

SPEAKING = ("user", "assistant")
# An image costs less than this with most models.
PART_TOKENS = 1_500
# This much of a conversation shows its topic; names mentioned long ago are no longer relevant.
RECENT_CHARACTERS = 8_000
RECENT_MESSAGES = 12
# The names of a character card and its examples are in the first pages of the instructions.
INSTRUCTION_CHARACTERS = 100_000

_UNSAFE = re.compile("[\x00\ud800-\udfff]")
_ROLES = re.compile(
    r"Write (?P<char>[^\n]{1,100}?)'s next reply in a fictional chat "
    r"between [^\n]{1,200}? and (?P<user>[^\n.]{1,100})"
)


def sized(messages: Iterable[Spoken]) -> list[SizedMessage]:
    """Return the messages as the window sees them."""
    return [
        SizedMessage(str(one.get("role")), tuple(_texts(one)), PART_TOKENS * _other_parts(one))
        for one in messages
    ]


def recent(texts: Iterable[str]) -> str:
    """Return the last messages of a conversation, the oldest of them truncated, separated by blank lines."""
    kept: list[str] = []
    room = RECENT_CHARACTERS
    for text in list(texts)[: -RECENT_MESSAGES - 1 : -1]:
        if room > 0 and text.strip():
            kept.append(text[-room:])
            room -= len(text)
    return GAP.join(reversed(kept))


def speaker(message: Spoken) -> str:
    """Return who says a message, empty if that is not said.

    Clients replace what a `name` field must not contain, spaces for instance, by an underscore.
    """
    name = message.get("name")
    return _UNSAFE.sub("\ufffd", name).replace("_", " ").strip() if isinstance(name, str) else ""


class Roles(NamedTuple):
    """Who plays the character and who the user in a conversation; empty where nobody is named."""

    char: str
    user: str


def roles_in(messages: Sequence[Spoken]) -> Roles:
    """Return who talks with whom, as the instruction says that SillyTavern puts before every chat."""
    for message in messages[: opening_of(messages)]:
        content = message.get("content")
        found = _ROLES.search(content[:INSTRUCTION_CHARACTERS]) if isinstance(content, str) else None
        if found is not None:
            return Roles(_UNSAFE.sub("\ufffd", found["char"]), _UNSAFE.sub("\ufffd", found["user"]))
    return Roles("", "")


def naming(messages: Sequence[Spoken], spoken: Sequence[SizedMessage]) -> str:
    """Return the names of those who speak, and the instructions, which name the character of a card."""
    given = [one.get("name") for one in messages[-RECENT_MESSAGES:]]
    exact = [_UNSAFE.sub("\ufffd", name) for name in given if isinstance(name, str)]
    called = dict.fromkeys(filter(None, (*exact, *map(speaker, messages[-RECENT_MESSAGES:]))))
    said = [text for one in spoken[: opening_of(messages)] for text in one.texts]
    return GAP.join((*called, *said))[:INSTRUCTION_CHARACTERS]


def json_bytes(value: Any) -> bytes:
    """Encode a value as JSON; an unpaired surrogate, which UTF-8 cannot represent, stays escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The request holds a number that is too large for JSON.") from error


def _texts(message: Spoken) -> Iterator[str]:
    """Yield the texts of a message, made safe to count: its content or text parts, and its tool calls."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            yield _UNSAFE.sub("\ufffd", text)
    if message.get("tool_calls"):
        yield _UNSAFE.sub("\ufffd", json_bytes(message["tool_calls"]).decode())


def _other_parts(message: Spoken) -> int:
    """Return how many parts of a message are not text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    return sum(isinstance(part, dict) and not isinstance(part.get("text"), str) for part in parts)
