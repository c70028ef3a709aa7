"""Blanks beside Chinese characters: many set them around Latin names, for the eye alone."""

from __future__ import annotations

import re

_HAN = "[\u3400-\u9fff]"
_FOR_THE_EYE = re.compile(rf"(?<={_HAN})[^\S\n]+|[^\S\n]+(?={_HAN})")


def closed_up(text: str) -> str:
    """A text without blanks beside Chinese characters."""
    return _FOR_THE_EYE.sub("", text)
