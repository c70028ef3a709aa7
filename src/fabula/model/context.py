"""Parts common to every context: messages and matches."""

from __future__ import annotations

from typing import Literal

from fabula.model.wire import Value


class MatchPlace(Value):
    """A term in the text that refers to a candidate, and its span."""

    term: str
    kind: str
    start: int
    end: int


class ScanTrace(Value):
    """How the scan of a lorebook came to an entry: in which pass, by which key, found in which text."""

    book_id: str
    pass_number: int
    key: str | None = None
    where: str | None = None


class ChatMessage(Value):
    """A message in a chat with a model."""

    role: Literal["system", "user", "assistant"]
    content: str
