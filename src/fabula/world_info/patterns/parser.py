"""Reading JavaScript's regular expressions, with the liberties that browsers keep without the flag `u`."""

from __future__ import annotations

from fabula.world_info.patterns.cursor import Cursor
from fabula.world_info.patterns.properties import is_property
from fabula.world_info.patterns.syntax import (
    DIGITS,
    FOLDED_WORDS,
    LINE_ENDS,
    SPACES,
    WORDS,
    BackReference,
    Boundary,
    Chars,
    Choice,
    Flags,
    Group,
    LookAround,
    PatternNode,
    PatternSyntaxError,
    Property,
    Ranges,
    Repeat,
    Sequence,
    any_case,
    inverted,
    merged,
)

_DEEPEST = 100
_LARGEST_COUNT = 2**31 - 1


def parse(source: str, flags: Flags) -> PatternNode:
    """The tree of a pattern; PatternSyntaxError if JavaScript would refuse it."""
    return _Parser(source, flags).parsed()


class _Parser(Cursor):
    def __init__(self, source: str, flags: Flags) -> None:
        super().__init__(source, flags)
        self._groups = 0
        self._open: set[int] = set()
        self._behind = 0
        self._depth = 0
        self._names: dict[str, int] = {}
        self._named_references: list[str] = []
        self._count_groups()

    def _count_groups(self) -> None:
        """How many groups capture, which decides what an escaped number means."""
        total, names, at, in_class = 0, False, 0, False
        text = self._text
        while at < len(text):
            char = text[at]
            if char == "\\":
                at += 1
            elif in_class:
                in_class = char != "]"
            elif char == "[":
                in_class = True
            elif char == "(":
                if text[at + 1 : at + 2] != "?":
                    total += 1
                elif text[at + 2 : at + 3] == "<" and text[at + 3 : at + 4] not in ("=", "!"):
                    total += 1
                    names = True
            at += 1
        self._total, self._has_names = total, names

    def parsed(self) -> PatternNode:
        node = self._choice()
        if self._at < len(self._text):
            raise PatternSyntaxError("unmatched )")
        for name in self._named_references:
            if name not in self._names:
                raise PatternSyntaxError("reference to no group")
        return node

    def _choice(self) -> PatternNode:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise PatternSyntaxError("nested too deeply")
        ways = [self._sequence()]
        while self._eat("|"):
            ways.append(self._sequence())
        self._depth -= 1
        return ways[0] if len(ways) == 1 else Choice(tuple(ways))

    def _sequence(self) -> PatternNode:
        parts: list[PatternNode] = []
        while self._at < len(self._text) and self._peek() not in ("|", ")"):
            parts.append(self._term())
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _term(self) -> PatternNode:
        char = self._peek()
        is_unicode = self._flags.unicode
        can_repeat = True
        node: PatternNode
        if char in "^$":
            self._at += 1
            return Boundary(char)
        if char == "\\" and self._peek(1) in ("b", "B"):
            self._at += 2
            return Boundary(self._text[self._at - 1])
        if char == "(":
            node, can_repeat = self._bracket()
        elif char == ".":
            self._at += 1
            node = Chars((), negated=True) if self._flags.dot_all else Chars(LINE_ENDS, negated=True)
        elif char == "[":
            node = self._class()
        elif char == "\\":
            node = self._escape()
        elif char in "*+?" or (char == "{" and (is_unicode or self._counts() is not None)):
            raise PatternSyntaxError("nothing to repeat")
        elif is_unicode and char in "]}":
            raise PatternSyntaxError("lone bracket")
        else:
            node = self._char(self._codes[self._at])
            self._at += 1
        return self._repeated(node, can_repeat)

    def _char(self, code: int) -> Chars:
        return self._cased(((code, code),))

    def _cased(self, ranges: Ranges) -> Chars:
        return Chars(any_case(ranges, self._flags.unicode) if self._flags.ignore_case else ranges)

    def _counts(self) -> tuple[int, int | None, int] | None:
        """The numbers of `{1,2}` at this place, and where it ends."""
        end = self._text.find("}", self._at)
        low, comma, high = self._text[self._at + 1 : end].partition(",") if end > 0 else ("", "", "")
        if not _is_number(low) or (high and not _is_number(high)):
            return None
        least = min(int(low), _LARGEST_COUNT)
        most = None if comma and not high else min(int(high or low), _LARGEST_COUNT)
        return least, most, end + 1

    def _repeated(self, node: PatternNode, can_repeat: bool) -> PatternNode:
        char = self._peek()
        counts: tuple[int, int | None, int] | None
        if char and char in "*+?":
            counts = {"*": (0, None), "+": (1, None), "?": (0, 1)}[char] + (self._at + 1,)
        else:
            counts = self._counts() if char == "{" else None
        if counts is None:
            if char == "{" and self._flags.unicode:
                raise PatternSyntaxError("incomplete quantifier")
            return node
        least, most, self._at = counts
        if not can_repeat:
            raise PatternSyntaxError("nothing to repeat")
        if most is not None and most < least:
            raise PatternSyntaxError("numbers out of order")
        self._eat("?")
        return Repeat(node, least, most)

    def _bracket(self) -> tuple[PatternNode, bool]:
        self._at += 1
        number: int | None = None
        look: tuple[bool, bool] | None = None
        if self._eat("?"):
            if self._eat(":"):
                pass
            elif self._eat("="):
                look = (False, False)
            elif self._eat("!"):
                look = (False, True)
            elif self._eat("<="):
                look = (True, False)
            elif self._eat("<!"):
                look = (True, True)
            elif self._eat("<"):
                number = self._numbered(self._name())
            else:
                raise PatternSyntaxError("invalid group")
        else:
            number = self._numbered(None)
        is_behind = look is not None and look[0]
        self._open.add(number or 0)
        self._behind += is_behind
        body = self._choice()
        self._behind -= is_behind
        self._open.discard(number or 0)
        if not self._eat(")"):
            raise PatternSyntaxError("unterminated group")
        if look is not None:
            return LookAround(body, *look), not look[0] and not self._flags.unicode
        return Group(body, number), True

    def _numbered(self, name: str | None) -> int:
        self._groups += 1
        if name is not None:
            if name in self._names:
                raise PatternSyntaxError("duplicate name")
            self._names[name] = self._groups
        return self._groups

    def _name(self) -> str:
        end = self._text.find(">", self._at)
        name = self._text[self._at : end] if end > 0 else ""
        if not name.replace("$", "_").isidentifier():
            raise PatternSyntaxError("invalid name")
        self._at = end + 1
        return name

    def _escape(self) -> PatternNode:
        char = self._peek(1)
        if not char:
            raise PatternSyntaxError("\\ at the end")
        if char.isascii() and char.isdigit() and char != "0":
            end = self._at + 1
            while end < len(self._text) and self._text[end].isascii() and self._text[end].isdigit():
                end += 1
            number = int(self._text[self._at + 1 : end][:9])
            if number <= self._total:
                self._at = end
                return self._reference(number)
            if self._flags.unicode:
                raise PatternSyntaxError("reference to no group")
        if char == "k" and (self._flags.unicode or self._has_names):
            self._at += 2
            if not self._eat("<"):
                raise PatternSyntaxError("invalid named reference")
            name = self._name()
            self._named_references.append(name)
            return self._reference(self._names.get(name, 0))
        if char == "-" and self._flags.unicode:
            raise PatternSyntaxError("invalid escape")
        found = self._class_escape()
        if isinstance(found, Chars):
            return found
        return self._char(found)

    def _reference(self, number: int) -> BackReference:
        """A reference; the empty text if its group has not ended, but a look behind is read backwards."""
        is_empty = number in self._open or (number > self._groups and not self._behind)
        return BackReference(0 if is_empty else number)

    def _class_escape(self) -> Chars | int:
        """What an escape stands for, in a class or outside: a set or one character."""
        char = self._peek(1)
        self._at += 2
        sets = {"d": DIGITS, "s": SPACES, "w": self._words()}
        if char.lower() in sets and char:
            return Chars(sets[char.lower()], negated=char.isupper())
        if char in ("p", "P") and self._flags.unicode:
            return self._property(char == "P")
        return self._character_escape(char)

    def _words(self) -> Ranges:
        return merged(WORDS + FOLDED_WORDS) if self._flags.unicode and self._flags.ignore_case else WORDS

    def _property(self, negated: bool) -> Chars:
        end = self._text.find("}", self._at)
        if not self._eat("{") or end < 0:
            raise PatternSyntaxError("invalid property")
        name = self._text[self._at : end]
        if not is_property(name):
            raise PatternSyntaxError("unknown property")
        self._at = end + 1
        return Chars((), (Property(name, negated),))

    def _class(self) -> Chars:
        self._at += 1
        negated = self._eat("^")
        ranges: list[tuple[int, int]] = []
        properties: list[Property] = []
        while not self._eat("]"):
            if self._at >= len(self._text):
                raise PatternSyntaxError("unterminated class")
            first = self._class_atom()
            if self._peek() == "-" and self._peek(1) not in ("]", ""):
                start = self._at
                self._at += 1
                last = self._class_atom()
                if isinstance(first, int) and isinstance(last, int):
                    if last < first:
                        raise PatternSyntaxError("range out of order")
                    ranges.append((first, last))
                    continue
                if self._flags.unicode:
                    raise PatternSyntaxError("invalid class in a range")
                self._at = start
            self._add(first, ranges, properties)
        found = merged(ranges)
        if self._flags.ignore_case:
            found = any_case(found, self._flags.unicode)
        return Chars(found, tuple(properties), negated)

    def _add(self, atom: Chars | int, ranges: list[tuple[int, int]], properties: list[Property]) -> None:
        if isinstance(atom, int):
            ranges.append((atom, atom))
        else:
            ranges += inverted(atom.ranges) if atom.negated else atom.ranges
            properties += atom.properties

    def _class_atom(self) -> Chars | int:
        char = self._peek()
        if char != "\\":
            self._at += 1
            return self._codes[self._at - 1]
        following = self._peek(1)
        if not following:
            raise PatternSyntaxError("\\ at the end")
        if following == "b":
            self._at += 2
            return 8
        if (
            following == "c"
            and not self._flags.unicode
            and (self._peek(2).isascii() and (self._peek(2).isdigit() or self._peek(2) == "_"))
        ):
            self._at += 3
            return ord(self._text[self._at - 1]) % 32
        if self._flags.unicode and following.isdigit() and following != "0":
            raise PatternSyntaxError("invalid class escape")
        return self._class_escape()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 400
