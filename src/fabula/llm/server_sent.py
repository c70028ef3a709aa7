"""Parses server-sent events from a stream of byte chunks."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from fabula.llm.failures import unavailable

LONGEST_EVENT = 1 << 22

_LINE_END = re.compile(r"\r\n|\n|\r")


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of every event; comments and other fields are skipped, invalid bytes replaced.

    A last event without the trailing empty line counts, because some endpoints omit it.
    """
    data: list[str] = []
    size = 0
    for line in _lines(chunks):
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
            size += len(value)
            if size > LONGEST_EVENT:
                raise _too_long()
        elif not line and data:
            yield "\n".join(data)
            data, size = [], 0
    if data:
        yield "\n".join(data)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """The lines, ended by CR, LF or both."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    pieces: list[str] = []
    size = 0
    after_return = False
    for chunk in chunks:
        text = decoder.decode(chunk)
        if after_return and text:
            text = text.removeprefix("\n")
            after_return = False
        *whole, rest = _LINE_END.split(text)
        if whole:
            yield "".join([*pieces, whole[0]])
            yield from whole[1:]
            pieces, size = [], 0
            after_return = text.endswith("\r")
        if rest:
            pieces.append(rest)
            size += len(rest)
            if size > LONGEST_EVENT:
                raise _too_long()
    last = "".join(pieces) + decoder.decode(b"", final=True)
    if last:
        yield last


def _too_long() -> Exception:
    return unavailable(
        "too_long",
        f"One event of the answer has more than {LONGEST_EVENT:,} characters.",
        limit=LONGEST_EVENT,
    )
