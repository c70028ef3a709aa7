"""Patterns in the words of two other engines: RE2, which takes linear time, and `regex` for the rest."""

from __future__ import annotations

from dataclasses import dataclass

from fabula.world_info.patterns.properties import re2_name
from fabula.world_info.patterns.syntax import (
    LINE_ENDS,
    MAX_CODE,
    WORDS,
    BackReference,
    Boundary,
    Chars,
    Choice,
    Flags,
    Group,
    LookAround,
    PatternNode,
    Property,
    Ranges,
    Repeat,
    Sequence,
)

# JavaScript counts in UTF-16 units, which neither engine can: halves of a character become private ones.
_HALVES = (0xD800, 0xDFFF)
_SHIFT = 0x100000
_MOST_REPEATS = 1_000


class NotLinearError(ValueError):
    """RE2 has no words for the pattern."""


def in_units(text: str) -> str:
    """The text with every character beyond U+FFFF as two private ones, so that it counts as two."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return text
    return "".join(char if char <= "\uffff" else _halves(ord(char) - 0x10000) for char in text)


def _halves(code: int) -> str:
    return chr(_SHIFT + 0xD800 + (code >> 10)) + chr(_SHIFT + 0xDC00 + (code & 0x3FF))


def characters_before(units: str, offset: int) -> int:
    """How many characters stand before an offset that counts units."""
    first = chr(_SHIFT + 0xDC00)
    last = chr(_SHIFT + 0xDFFF)
    return offset - sum(first <= char <= last for char in units[:offset])


def for_re2(node: PatternNode, flags: Flags) -> str:
    """The pattern for RE2; NotLinearError if it cannot be said."""
    body = _Re2(flags).said(node)
    return rf"\A(?:{body})" if flags.sticky else body


def for_regex(node: PatternNode, flags: Flags) -> str:
    """The pattern for the module `regex`."""
    body = _Backtracking(flags).said(node)
    return rf"\A(?:{body})" if flags.sticky else body


def has_line_edges(node: PatternNode, flags: Flags) -> bool:
    """Whether the pattern asks where lines begin or end."""
    return flags.multiline and any(isinstance(part, Boundary) and part.kind in "^$" for part in _parts(node))


def _parts(node: PatternNode) -> list[PatternNode]:
    found = [node]
    for part in found:
        if isinstance(part, Sequence):
            found += part.parts
        elif isinstance(part, Choice):
            found += part.ways
        elif isinstance(part, Group | LookAround | Repeat):
            found.append(part.body)
    return found


@dataclass
class _Words:
    """What both engines say in the same way."""

    flags: Flags

    def said(self, node: PatternNode) -> str:
        if isinstance(node, Chars):
            return self.chars(node)
        if isinstance(node, Sequence):
            return "".join(self.said(part) for part in node.parts)
        if isinstance(node, Choice):
            return "(?:" + "|".join(self.said(way) for way in node.ways) + ")"
        if isinstance(node, Repeat):
            return self.repeat(node)
        if isinstance(node, Group):
            return self.group(node)
        if isinstance(node, Boundary):
            return self.edge(node.kind)
        if isinstance(node, LookAround):
            return self.look(node)
        return self.reference(node)

    def repeat(self, node: Repeat) -> str:
        most = "" if node.most is None else str(node.most)
        return f"(?:{self.said(node.body)}){{{node.least},{most}}}"

    def chars(self, node: Chars) -> str:
        if len(node.ranges) == 1 and not node.properties and not node.negated:
            low, high = node.ranges[0]
            if low == high:
                return self.char(low)
        members = "".join(self.range(low, high) for low, high in node.ranges)
        members += "".join(self.property(one) for one in node.properties)
        if not members:
            everything = self.range(0, MAX_CODE)
            return f"[{everything}]" if node.negated else f"[^{everything}]"
        return f"[^{members}]" if node.negated else f"[{members}]"

    def range(self, low: int, high: int) -> str:
        parts = [(low, min(high, 0xD7FF)), (max(low, 0xE000), high)]
        halves = max(low, _HALVES[0]), min(high, _HALVES[1])
        if halves[0] <= halves[1]:
            parts.append((_SHIFT + halves[0], _SHIFT + halves[1]))
        return "".join(
            f"{self.code(a)}-{self.code(b)}" if a < b else self.code(a) for a, b in parts if a <= b
        )

    def char(self, code: int) -> str:
        if _HALVES[0] <= code <= _HALVES[1]:
            code += _SHIFT
        return chr(code) if code < 128 and chr(code).isalnum() else self.code(code)

    def ranges(self, ranges: Ranges) -> str:
        return "".join(self.range(low, high) for low, high in ranges)

    def code(self, code: int) -> str:
        raise NotImplementedError

    def property(self, one: Property) -> str:
        raise NotImplementedError

    def group(self, node: Group) -> str:
        raise NotImplementedError

    def edge(self, kind: str) -> str:
        raise NotImplementedError

    def look(self, node: LookAround) -> str:
        raise NotImplementedError

    def reference(self, node: BackReference) -> str:
        raise NotImplementedError


class _Re2(_Words):
    def code(self, code: int) -> str:
        return f"\\x{{{code:X}}}"

    def property(self, one: Property) -> str:
        name = re2_name(one.name)
        if name is None or self.flags.ignore_case:
            raise NotLinearError
        return f"\\{'P' if one.negated else 'p'}{{{name}}}"

    def repeat(self, node: Repeat) -> str:
        if max(node.least, node.most or 0) > _MOST_REPEATS:
            raise NotLinearError
        return super().repeat(node)

    def group(self, node: Group) -> str:
        return f"(?:{self.said(node.body)})"

    def edge(self, kind: str) -> str:
        if kind in "bB":
            if self.flags.ignore_case and self.flags.unicode:
                raise NotLinearError
            return f"\\{kind}"
        if self.flags.multiline:
            return f"(?m:{kind})"
        return r"\A" if kind == "^" else r"\z"

    def look(self, node: LookAround) -> str:
        if node.negated and isinstance(node.body, Sequence) and not node.body.parts:
            # `(?!)` never matches, which is the one look that RE2 can take.
            return self.chars(Chars(()))
        raise NotLinearError

    def reference(self, node: BackReference) -> str:
        if node.group == 0:
            return "(?:)"
        raise NotLinearError


class _Backtracking(_Words):
    def code(self, code: int) -> str:
        return f"\\U{code:08X}"

    def property(self, one: Property) -> str:
        return f"\\{'P' if one.negated else 'p'}{{{one.name}}}"

    def chars(self, node: Chars) -> str:
        said = super().chars(node)
        return f"(?i:{said})" if node.properties and self.flags.ignore_case else said

    def group(self, node: Group) -> str:
        return f"(?:{self.said(node.body)})" if node.number is None else f"({self.said(node.body)})"

    def edge(self, kind: str) -> str:
        if kind in "bB":
            words = WORDS
            if self.flags.ignore_case and self.flags.unicode:
                words += ((0x17F, 0x17F), (0x212A, 0x212A))
            word = f"[{self.ranges(words)}]"
            if kind == "b":
                return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
            return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"
        inside = f"[^{self.ranges(LINE_ENDS)}]"
        if self.flags.multiline:
            return f"(?<!{inside})" if kind == "^" else f"(?!{inside})"
        return r"\A" if kind == "^" else r"\Z"

    def look(self, node: LookAround) -> str:
        sign = ("<" if node.behind else "") + ("!" if node.negated else "=")
        return f"(?{sign}{self.said(node.body)})"

    def reference(self, node: BackReference) -> str:
        if node.group == 0:
            return "(?:)"
        again = rf"(?i:\{node.group})" if self.flags.ignore_case else rf"\{node.group}(?:)"
        # A group that has matched nothing yet is the empty text, where Python would fail.
        return f"(?:(?({node.group}){again}|))"
