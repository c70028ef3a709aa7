"""Splits a Chinese text into sentences of bounded length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_SENTENCE = re.compile(r"[^。！？!?…\n]*[。！？!?…\n]+[”’」』\"]*|[^。！？!?…\n]+")
_PAUSE = re.compile("[，、；：,;:]")
_LONGEST = 160


class TextSentence(NamedTuple):
    """A sentence of the text and its offset."""

    start: int
    text: str


def sentences_of(text: str) -> Iterator[TextSentence]:
    """The sentences, which together make up the text; long ones are split at a pause."""
    for found in _SENTENCE.finditer(text):
        start, end = found.span()
        while end - start > _LONGEST:
            pauses = [pause.end() for pause in _PAUSE.finditer(text, start, start + _LONGEST)]
            stop = pauses[-1] if pauses else start + _LONGEST
            yield TextSentence(start, text[start:stop])
            start = stop
        yield TextSentence(start, text[start:end])
