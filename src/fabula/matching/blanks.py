"""Spaces next to Chinese characters, which many writers set around Latin names for looks alone."""

from __future__ import annotations

import re

_HAN = "[\u3400-\u9fff]"
_DECORATIVE = re.compile(rf"(?<={_HAN})[^\S\n]+|[^\S\n]+(?={_HAN})")


def closed_up(text: str) -> str:
    """The text without spaces next to Chinese characters."""
    return _DECORATIVE.sub("", text)
