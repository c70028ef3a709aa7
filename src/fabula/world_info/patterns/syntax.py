"""The tree of a regular expression, and the sets of characters that JavaScript's escapes stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

MAX_CODE = 0x10FFFF
_FEW = 256

Ranges = tuple[tuple[int, int], ...]

DIGITS: Ranges = ((0x30, 0x39),)
WORDS: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACES: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
# What else counts as a word character if case is ignored by the rules of Unicode.
FOLDED_WORDS: Ranges = ((0x17F, 0x17F), (0x212A, 0x212A))


class PatternSyntaxError(ValueError):
    """The text is no regular expression in JavaScript."""


@dataclass(frozen=True, slots=True)
class Property:
    """A Unicode property in a class, such as `Script=Han`."""

    name: str
    negated: bool


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a set: ranges and properties, or everything but them."""

    ranges: Ranges
    properties: tuple[Property, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Boundary:
    """A place between characters: `^`, `$`, `b` or `B`."""

    kind: str


@dataclass(frozen=True, slots=True)
class BackReference:
    """What an earlier group matched, by its number."""

    group: int


@dataclass(frozen=True, slots=True)
class Group:
    """A part in brackets; with a number if it captures."""

    body: PatternNode
    number: int | None


@dataclass(frozen=True, slots=True)
class LookAround:
    """A look ahead or behind."""

    body: PatternNode
    behind: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part so many times; no upper limit is None."""

    body: PatternNode
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after another."""

    parts: tuple[PatternNode, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several ways."""

    ways: tuple[PatternNode, ...]


PatternNode = Chars | Boundary | BackReference | Group | LookAround | Repeat | Sequence | Choice


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags that matter for finding: `g` does not, because every search begins anew."""

    ignore_case: bool = False
    multiline: bool = False
    dot_all: bool = False
    unicode: bool = False
    sticky: bool = False

    @classmethod
    def of(cls, letters: str) -> Flags:
        """The flags from their letters."""
        return cls("i" in letters, "m" in letters, "s" in letters, "u" in letters, "y" in letters)


def merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The ranges in order, without overlaps."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return tuple(result)


def inverted(ranges: Ranges) -> Ranges:
    """Everything but the ranges."""
    result = []
    start = 0
    for low, high in merged(ranges):
        if low > start:
            result.append((start, low - 1))
        start = high + 1
    if start <= MAX_CODE:
        result.append((start, MAX_CODE))
    return tuple(result)


def _canonical(code: int) -> int:
    """How a search without the flag `u` sees a character whose case does not count."""
    upper = chr(code).upper()
    if len(upper) != 1 or (code >= 128 and ord(upper) < 128):
        return code
    return ord(upper)


def _folded(code: int) -> int:
    """Simple case folding, for a search with the flag `u`."""
    if code in (0x1E9E, 0x0130):
        return 0xDF if code == 0x1E9E else code
    fold = chr(code).casefold()
    if len(fold) == 1:
        return ord(fold)
    lower = chr(code).lower()
    return ord(lower) if len(lower) == 1 else code


@lru_cache(maxsize=2)
def orbits(unicode: bool) -> dict[int, tuple[int, ...]]:
    """All characters that count as the same as a character if case is ignored; only for those with others."""
    fold = _folded if unicode else _canonical
    same: dict[int, list[int]] = {}
    for code in range(0x1E944 if unicode else 0x10000):
        if 0xD800 <= code <= 0xDFFF or 0x3400 <= code <= 0xA63F or 0xAC00 <= code <= 0xF8FF:
            continue
        same.setdefault(fold(code), []).append(code)
    return {code: tuple(codes) for codes in same.values() if len(codes) > 1 for code in codes}


def any_case(ranges: Ranges, unicode: bool) -> Ranges:
    """The ranges with every character in all its cases."""
    same = orbits(unicode)
    if sum(high - low + 1 for low, high in ranges) <= _FEW:
        found = [code for low, high in ranges for code in range(low, high + 1) if code in same]
    else:
        found = [code for code in same if any(low <= code <= high for low, high in ranges)]
    return merged([*ranges, *((other, other) for code in found for other in same[code])]) if found else ranges
