"""A place in a pattern, and the escapes that stand for one character."""

from __future__ import annotations

from fabula.world_info.patterns.syntax import Flags, PatternSyntaxError

_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_HEX = frozenset("0123456789abcdefABCDEF")


def units_of(text: str) -> list[int]:
    """The UTF-16 units of a text."""
    units = []
    for character in text:
        code = ord(character)
        if code > 0xFFFF:
            code -= 0x10000
            units += [0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF)]
        else:
            units.append(code)
    return units


class Cursor:
    """The codes of a pattern, and how far they have been read."""

    def __init__(self, source: str, flags: Flags) -> None:
        self._flags = flags
        self._codes = [ord(c) for c in source] if flags.unicode else units_of(source)
        self._text = source if flags.unicode else "".join(map(chr, self._codes))
        self._at = 0

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._text[at] if at < len(self._text) else ""

    def _eat(self, expected: str) -> bool:
        if self._text.startswith(expected, self._at):
            self._at += len(expected)
            return True
        return False

    def _character_escape(self, char: str) -> int:
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "0" and not (self._peek().isascii() and self._peek().isdigit()):
            return 0
        if char in "01234567" and char and not self._flags.unicode:
            return self._octal(char)
        if char == "c":
            return self._control()
        if char in ("x", "u"):
            code = self._hexadecimal(char)
            if code is not None:
                return code
        if self._flags.unicode and not (char in _SYNTAX or char == "-"):
            raise PatternSyntaxError("invalid escape")
        return self._codes[self._at - 1]

    def _octal(self, char: str) -> int:
        digits = char
        while (
            len(digits) < 3
            and self._peek() in "01234567"
            and self._peek()
            and int(digits + self._peek(), 8) < 256
        ):
            digits += self._peek()
            self._at += 1
        return int(digits, 8)

    def _control(self) -> int:
        letter = self._peek()
        if letter.isascii() and letter.isalpha():
            self._at += 1
            return ord(letter) % 32
        if self._flags.unicode:
            raise PatternSyntaxError("invalid control escape")
        self._at -= 1
        return ord("\\")

    def _hexadecimal(self, kind: str) -> int | None:
        if kind == "u" and self._flags.unicode and self._eat("{"):
            end = self._text.find("}", self._at)
            digits = self._text[self._at : end] if end > 0 else ""
            if not digits or not set(digits) <= _HEX or len(digits) > 64 or int(digits, 16) > 0x10FFFF:
                raise PatternSyntaxError("invalid code point")
            self._at = end + 1
            return int(digits, 16)
        length = 2 if kind == "x" else 4
        code = self._hex_digits(length)
        if (
            code is not None
            and 0xD800 <= code < 0xDC00
            and self._flags.unicode
            and self._text.startswith("\\u", self._at)
        ):
            start = self._at
            self._at += 2
            low = self._hex_digits(4)
            if low is not None and 0xDC00 <= low < 0xE000:
                return 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00
            self._at = start
        return code

    def _hex_digits(self, length: int) -> int | None:
        digits = self._text[self._at : self._at + length]
        if len(digits) != length or not set(digits) <= _HEX:
            return None
        self._at += length
        return int(digits, 16)
