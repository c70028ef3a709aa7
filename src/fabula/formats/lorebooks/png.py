"""Cards in PNG pictures: text chunks are read and written; the picture itself is never decoded."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from fabula.errors import InvalidInput, PayloadTooLarge

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 100_000
MAX_TEXT = 32 << 20
# Later versions of a card first; the last one is a lorebook of NovelAI.
KEYWORDS = ("ccv3", "chara", "naidata")

_TEXT_CHUNKS = (b"tEXt", b"zTXt", b"iTXt")


class Chunk(NamedTuple):
    """A chunk of a picture; its checksum is not compared, as other readers do not either."""

    kind: bytes
    data: bytes


def is_png(data: bytes) -> bool:
    """Whether a file is a PNG picture, or an animated one."""
    return data.startswith(SIGNATURE)


def card_texts(picture: bytes) -> dict[str, bytes]:
    """The JSON texts in a picture by their keyword; InvalidInput if there is none."""
    found: dict[str, bytes] = {}
    for chunk in _chunks(picture):
        if chunk.kind in _TEXT_CHUNKS:
            keyword, text = _text_of(chunk)
            if keyword in KEYWORDS and keyword not in found:
                found[keyword] = _decoded(text)
    if not found:
        raise InvalidInput(
            "This PNG has no character card in it.",
            details={"field": "data", "reason": "no_card"},
            suggestion="Export the card again from the program that made it, as PNG or JSON; a picture that "
            "was saved from a chat or a web page has usually lost it.",
        )
    return {keyword: found[keyword] for keyword in KEYWORDS if keyword in found}


def with_cards(picture: bytes, texts: dict[str, bytes]) -> bytes:
    """A picture with these JSON texts in place of the cards it had."""
    parts = [SIGNATURE]
    for chunk in _chunks(picture):
        if chunk.kind == b"IEND":
            break
        if chunk.kind not in _TEXT_CHUNKS or _text_of(chunk)[0] not in KEYWORDS:
            parts.append(_written(chunk.kind, chunk.data))
    parts += [
        _written(b"tEXt", keyword.encode() + b"\0" + base64.b64encode(text))
        for keyword, text in texts.items()
    ]
    return b"".join([*parts, _written(b"IEND", b"")])


def plain_picture(width: int = 64, height: int = 96) -> bytes:
    """A small picture in one colour, for a card that has none."""
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    rows = zlib.compress(b"\0" * ((width + 1) * height), 9)
    palette = bytes((0x5B, 0x64, 0x72))
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", rows), (b"IEND", b""))
    return SIGNATURE + b"".join(_written(kind, data) for kind, data in chunks)


def _chunks(picture: bytes) -> Iterator[Chunk]:
    """The chunks of a picture, up to its end or to where it is cut off."""
    place, view = len(SIGNATURE), memoryview(picture)
    for _ in range(MAX_CHUNKS):
        if place + 8 > len(picture):
            return
        size, kind = struct.unpack_from(">I4s", picture, place)
        if place + 8 + size > len(picture):
            return
        yield Chunk(kind, bytes(view[place + 8 : place + 8 + size]))
        if kind == b"IEND":
            return
        place += 12 + size
    raise PayloadTooLarge(
        f"This PNG has more than {MAX_CHUNKS:,} chunks.",
        details={"limit": MAX_CHUNKS, "reason": "too_many_chunks"},
        suggestion="Export the card again from the program that made it.",
    )


def _text_of(chunk: Chunk) -> tuple[str, bytes]:
    """The keyword and the text of a text chunk; nothing for one that is broken."""
    name, _, rest = chunk.data.partition(b"\0")
    keyword = name.decode("latin-1").lower() if len(name) < 80 else ""
    if keyword not in KEYWORDS:
        return keyword, b""
    if chunk.kind == b"zTXt":
        rest = _unpacked(rest[1:])
    elif chunk.kind == b"iTXt":
        is_packed = rest[:1] == b"\1"
        rest = rest[2:].split(b"\0", 2)[-1]
        rest = _unpacked(rest) if is_packed else rest
    if len(rest) > MAX_TEXT:
        raise _too_large()
    return keyword, rest


def _unpacked(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed, MAX_TEXT + 1)
    except zlib.error:
        return b""
    if len(text) > MAX_TEXT:
        raise _too_large()
    return text


def _too_large() -> PayloadTooLarge:
    return PayloadTooLarge(
        f"The card in this PNG is larger than {MAX_TEXT:,} bytes.",
        details={"limit": MAX_TEXT, "reason": "card_too_large"},
        suggestion="Export the card again, with a smaller lorebook.",
    )


def _decoded(text: bytes) -> bytes:
    """The JSON in a chunk: base64, with or without its padding, or as it is."""
    if text.lstrip()[:1] in (b"{", b"["):
        return text
    packed = text.translate(bytes.maketrans(b"-_", b"+/"), b" \t\r\n\0=")
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return b""


def _written(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
