"""Parses JSON as models write it: fenced, with text around it, with extra commas, or truncated."""

from __future__ import annotations

import json
import re
from typing import Any

MAX_ANSWER = 400_000
_MAX_DEPTH = 24

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_SPACE = re.compile(r"(?:[\s\ufeff\u200b]+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,3})?")
_BARE = re.compile(r"[^\s,:;{}\[\]\"'，：；、“”]+")
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」"}
_WIDE_SEPARATORS = ("，", "：", "；", "、")
_BEGINNINGS = ("", *_CLOSING, "{", "[", "}", "]", *"-0123456789tfn")
_LITERALS = {"true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class NoJson(ValueError):
    """The answer contains no JSON, not even sloppy JSON."""


class Parsed:
    """The parsed value, and whether the answer was truncated."""

    __slots__ = ("is_cut", "value")

    def __init__(self, value: Any, is_cut: bool) -> None:
        self.value = value
        self.is_cut = is_cut


def parse(answer: str) -> Parsed:
    """The first object or list of the answer; NoJson if there is none."""
    text = _THOUGHTS.sub("", answer[:MAX_ANSWER])
    fenced = [found[1] for found in _FENCE.finditer(text) if "{" in found[1] or "[" in found[1]]
    for candidate in (*fenced, text):
        start = min((place for place in map(candidate.find, "{[") if place >= 0), default=-1)
        if start < 0:
            continue
        try:
            return Parsed(json.loads(candidate[start:].rstrip()), False)
        except (ValueError, RecursionError):
            reader = _Reader(candidate, start)
            return Parsed(reader.value(0), reader.is_cut)
    raise NoJson("The answer holds no JSON.")


class _Reader:
    """A tolerant JSON parser that closes whatever is left open at the end."""

    def __init__(self, text: str, place: int) -> None:
        self._text = text
        self._place = place
        self.is_cut = False

    def value(self, depth: int) -> Any:
        """The value that starts here."""
        self._skip()
        character = self._text[self._place : self._place + 1]
        if not character:
            self.is_cut = True
            return None
        if character in "{[" and depth >= _MAX_DEPTH:
            raise NoJson("The answer is nested too deeply.")
        if character == "{":
            return self._object(depth)
        if character == "[":
            return self._list(depth)
        if character in _CLOSING:
            return self._string(_CLOSING[character])
        return self._plain()

    def _object(self, depth: int) -> dict[str, Any]:
        self._place += 1
        found: dict[str, Any] = {}
        while not self._closes("}"):
            before = self._place
            key = self.value(depth + 1)
            self._skip()
            if self._text[self._place : self._place + 1] not in (":", "：") or isinstance(key, dict | list):
                self._forward(before)
                continue
            self._place += 1
            value = self.value(depth + 1)
            # A truncated value is worse than none, unless it is a container.
            if not self.is_cut or isinstance(value, dict | list):
                found[str(key)] = value
        return found

    def _list(self, depth: int) -> list[Any]:
        self._place += 1
        found: list[Any] = []
        while not self._closes("]"):
            before = self._place
            value = self.value(depth + 1)
            if not self.is_cut or isinstance(value, dict | list):
                found.append(value)
            self._forward(before)
        return found

    def _closes(self, mark: str) -> bool:
        """Whether the object or list ends here, by its own bracket, by another, or with the text."""
        while True:
            self._skip()
            character = self._text[self._place : self._place + 1]
            if character and character in ",，;；、":
                self._place += 1
                continue
            if not character:
                self.is_cut = True
                return True
            if character == mark:
                self._place += 1
                return True
            return character in "}]"

    def _string(self, closing: str) -> str:
        self._place += 1
        parts: list[str] = []
        while self._place < len(self._text):
            character = self._text[self._place]
            self._place += 1
            if character == "\\":
                parts.append(self._escaped())
            elif character == closing and self._ends_here(closing):
                return "".join(parts)
            else:
                parts.append(character)
        self.is_cut = True
        return "".join(parts)

    def _ends_here(self, closing: str) -> bool:
        """Whether the quote closes the string; models forget to escape quotes inside one."""
        if closing not in "\"'":
            return True
        after = self._after_space(self._place)
        mark = self._text[after : after + 1]
        if mark in _WIDE_SEPARATORS:
            # Chinese prose goes on after a quotation with the same marks that some models put between items.
            following = self._after_space(after + 1)
            return self._text[following : following + 1] in _BEGINNINGS
        return mark in ("", ",", "}", "]", ":")

    def _escaped(self) -> str:
        character = self._text[self._place : self._place + 1]
        self._place += 1
        if character == "u":
            digits = self._text[self._place : self._place + 4]
            try:
                code = int(digits, 16)
            except ValueError:
                return ""
            self._place += 4
            return "" if 0xD800 <= code <= 0xDFFF else chr(code)
        return _ESCAPES.get(character, character)

    def _plain(self) -> Any:
        number = _NUMBER.match(self._text, self._place)
        bare = _BARE.match(self._text, self._place)
        if number is not None and (bare is None or number.end() >= bare.end()):
            self._place = number.end()
            return float(number[0]) if any(mark in number[0] for mark in ".eE") else int(number[0])
        if bare is None:
            self._place += 1
            return None
        self._place = bare.end()
        return _LITERALS.get(bare[0].lower(), bare[0])

    def _skip(self) -> None:
        self._place = self._after_space(self._place)

    def _after_space(self, place: int) -> int:
        found = _SPACE.match(self._text, place)
        return place if found is None else found.end()

    def _forward(self, before: int) -> None:
        """Skip a character if nothing could be parsed, so that the parser always advances."""
        if self._place == before:
            self._place += 1
