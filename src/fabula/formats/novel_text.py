"""Decodes the text of a novel from a file in any common encoding."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 200_000
# Characters that make up a quarter of any Chinese prose, simplified and traditional.
_FREQUENT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
    "這個們來為國說時會對過後還沒裡她道去里后还没只把又看起想去么麼什都它"
)
_STRANGE = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0b\x0c\x0e-\x1f\x80-\x9f]")
# A damaged text has a few of these.
_SELDOM = 0.02
# The characters in common use come first in these tables: from which first byte to which.
_COMMON = {"gb18030": ("gb2312", b"\xb0", b"\xd7"), "big5hkscs": ("big5", b"\xa4", b"\xc6")}
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_PAIRED = re.compile("[\xa1-\xff]{2,}")
_NOT_KEPT = re.compile("[\x00\ud800-\udfff\ufeff]")


class Decoded(NamedTuple):
    """A text with normalised line endings, and its original encoding."""

    text: str
    encoding: str


def decoded(data: bytes, is_plain: bool = True) -> Decoded:
    """Decode a file by its byte order mark, else as UTF-8, else in the most plausible encoding.

    Line endings become line feeds, unless the text shall not be plain.
    """
    encoding = _encoding_of(data)
    text = _NOT_KEPT.sub("", data.decode(encoding, errors="replace"))
    if is_plain:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, encoding.removesuffix("-sig"))


def _encoding_of(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        sample = data[:_SAMPLE]
        tried = ("gb18030", "big5hkscs", "utf-16-le", "utf-16-be", "cp1252")
        return max(tried, key=lambda encoding: _likeness(sample, encoding))
    return "utf-8"


def is_text(text: str) -> bool:
    """Whether it is text rather than binary data such as an image or archive."""
    sample = text[:_SAMPLE]
    return len(_STRANGE.findall(sample)) <= _SELDOM * len(sample)


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese rather than English."""
    sample = text[:_SAMPLE]
    return _count(_HAN, sample) * 4 > _count(_LATIN, sample)


def _count(sign: re.Pattern[str], text: str) -> int:
    return len(text) - len(sign.sub("", text))


def _likeness(sample: bytes, encoding: str) -> float:
    """How plausible a sample is as prose in this encoding."""
    text = sample.decode(encoding, errors="replace")
    size = max(1, len(text))
    frequent = sum(character in _FREQUENT for character in text) / size
    letters = sum(map(str.isascii, text)) / size
    strange = len(_STRANGE.findall(text)) / size
    # Some of the encodings turn anything into Chinese characters, but seldom into common ones.
    rare = _rare(_HAN.findall(text), encoding) / size if frequent < 0.05 else 0.0
    # Accents stand alone among letters; bytes of Chinese come in pairs.
    paired = sum(map(len, _PAIRED.findall(text))) / size if encoding == "cp1252" else 0.0
    return 4 * frequent + letters - 10 * strange - rare - paired


def _rare(signs: list[str], encoding: str) -> int:
    """How many characters are not in the first, common half of the encoding's table."""
    table, first, last = _COMMON.get(encoding, ("ascii", b"\x00", b"\x00"))
    common = {sign for sign in set(signs) if first <= sign.encode(table, errors="ignore")[:1] <= last}
    return sum(sign not in common for sign in signs)
