"""Tokenises texts into numeric word codes: stems, single characters and character pairs.

In scripts with spaces, a word is a run of letters and digits, reduced to its English stem. In Chinese and
Japanese every character and every pair of adjacent characters is a word, which finds words of any length
without a dictionary. Stop words and question words are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Codes
from fabula.index.stems import stem
from fabula.matching import fold

Counts = NDArray[np.int32]

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[^\W_{_HAN}]+")
_IS_WORD = 1 << 63
_NOTHING = 0

# Stop words, left out of texts and queries alike. What can be a name (Will, May, Mark) stays.
EMPTY_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at be been but by can could did do does for from had has have he her him his how i
        if in is it its many me much my not of on or our she should so that the their them then there they
        this to was we were what when where which who whom whose why with would you your""",
    )
)
_EMPTY_CHARACTERS = "的了吗呢吧啊么"
_EMPTY_PAIRS = re.findall(r"\w+", "什么 怎么 怎样 为何 哪里 哪个 哪些 哪儿 多少 是否 是谁 谁的")

_WORDS_KEPT = 1 << 17


class Lexemes(NamedTuple):
    """The words of many texts: code, number of the text, position in it; and the length of each text."""

    codes: Codes
    owners: Counts
    places: Counts
    lengths: Counts


def lexemes(texts: Sequence[str], *, simplify: bool = False) -> Lexemes:
    """The words of many texts in order, and the number of words of each text."""
    folded = [fold(text, simplify=simplify).text for text in texts]
    joined = "\n".join(folded)
    characters = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ends = np.cumsum(np.fromiter((len(text) + 1 for text in folded), np.int64, len(folded)))
    han = are_han(characters)
    starts, codes = _words(joined)
    # Positions are counted in words, so that distance means the same in every script.
    begins = han.copy()
    begins[starts] = True
    ordinal = np.cumsum(begins, dtype=np.int64)
    totals = ordinal[np.minimum(ends, len(ordinal)) - 1] if len(ordinal) else np.zeros(len(folded), np.int64)
    single = np.flatnonzero(han)
    paired = np.flatnonzero(han[:-1] & han[1:])
    whole = characters.astype(np.uint64)
    all_codes = np.concatenate([codes, whole[single], (whole[paired] << np.uint64(21)) | whole[paired + 1]])
    at = np.concatenate([starts, single, paired])
    said = ~np.isin(all_codes, _empty_codes())
    all_codes, at = all_codes[said], at[said]
    order = np.argsort(at, kind="stable")
    all_codes, at = all_codes[order], at[order]
    owners = np.searchsorted(ends, at, side="right")
    before = np.concatenate([np.zeros(1, np.int64), totals[:-1]])
    places = ordinal[at] - 1 - before[owners] if len(at) else at
    return Lexemes(
        all_codes,
        owners.astype(np.int32),
        places.astype(np.int32),
        (totals - before[: len(totals)]).astype(np.int32),
    )


def are_han(characters: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which characters are words by themselves."""
    return _han_table()[np.minimum(characters, _HAN_END)]


def is_written_apart(codes: Codes) -> NDArray[np.bool_]:
    """Which codes are words of scripts with spaces."""
    return codes >= np.uint64(_IS_WORD)


def _words(joined: str) -> tuple[NDArray[np.int64], Codes]:
    """The start and the code of each word of a script with spaces."""
    found = [(word.start(), word_code(word.group())) for word in _WORD.finditer(joined)]
    starts = np.fromiter((start for start, _ in found), np.int64, len(found))
    return starts, np.fromiter((code for _, code in found), np.uint64, len(found))


@lru_cache(maxsize=_WORDS_KEPT)
def word_code(word: str) -> int:
    """The code of a folded word; `_NOTHING` for stop words."""
    if word in EMPTY_WORDS or (len(word) == 1 and word.isascii() and word.isalpha()):
        return _NOTHING
    digest = blake2b(stem(word).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") | _IS_WORD


_HAN_END = 0x40000
_tables: list[NDArray[np.bool_]] = []


def _han_table() -> NDArray[np.bool_]:
    """Which characters are words by themselves, by code point; the last item covers all higher ones."""
    if not _tables:
        table = np.zeros(_HAN_END + 1, dtype=np.bool_)
        for low, high in ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)):
            table[low : high + 1] = True
        table[0x20000:_HAN_END] = True
        _tables.append(table)
    return _tables[0]


@lru_cache(maxsize=1)
def _empty_codes() -> Codes:
    pairs = [(ord(pair[0]) << 21) | ord(pair[1]) for pair in _EMPTY_PAIRS]
    return np.array([_NOTHING, *map(ord, _EMPTY_CHARACTERS), *pairs], dtype=np.uint64)
