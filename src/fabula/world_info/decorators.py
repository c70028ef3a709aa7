"""Decorators: leading lines of a content that say whether its entry fires."""

from __future__ import annotations

from typing import NamedTuple

ACTIVATE = "@@activate"
DONT_ACTIVATE = "@@dont_activate"


class Decorated(NamedTuple):
    """The decorators of a content, and the content without them."""

    decorators: tuple[str, ...]
    content: str


def split_decorators(content: str) -> Decorated:
    """The decorators and the rest; a content of nothing but decorators stays whole.

    A line of three signs is a fallback and counts only after a decorator that nobody knows.
    """
    if not content.startswith("@@"):
        return Decorated((), content)
    lines = content.split("\n")
    found: list[str] = []
    falls_back = False
    for place, line in enumerate(lines):
        if not line.startswith("@@"):
            return Decorated(tuple(found), "\n".join(lines[place:]))
        is_fallback = line.startswith("@@@")
        if is_fallback and not falls_back:
            continue
        plain = line[1:] if is_fallback else line
        falls_back = not plain.startswith((ACTIVATE, DONT_ACTIVATE))
        if not falls_back:
            found.append(plain)
    return Decorated(tuple(found), content)
