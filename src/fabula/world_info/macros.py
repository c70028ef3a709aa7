"""Macros: names in double braces that stand for another text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fabula.world_info.loose import trimmed

_TOKEN = re.compile(r"\{\{(?=\s*[#!?~>/]*\s*[A-Za-z/])|\}\}")
_HEAD = re.compile(
    r"\s*(?P<flags>[#!?~>]*)\s*(?P<name>///(?=\s*(?:\Z|\}\}))|//|/\s*[A-Za-z][\w-]*|[A-Za-z][\w-]*|/+)"
)
# Signs between a name and its first separator are passed over, braces that open included.
_STRAY = re.compile(r"(?:(?!\}\}|[:\s]).)*")
_SEPARATOR = re.compile(r"\s*::|\s*:|\s+")
_LEGACY = re.compile(r"<(USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([{}])")
_TRIM = re.compile(r"(?:\r?\n)*\{\{trim\}\}(?:\r?\n)*", re.IGNORECASE)
_LEGACY_NAMES = {"bot": "char", "charifnotgroup": "char"}
_FALSE = {"", "off", "false", "0"}
_DEEPEST = 40
_MOST_REPEATS = 1_000


class MacroNames(NamedTuple):
    """What macros stand for in one scan."""

    user: str
    char: str
    persona: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    depth_prompt: str = ""
    creator_notes: str = ""


_TEXTS: dict[str, Callable[[MacroNames], str]] = {
    "user": lambda names: names.user,
    "char": lambda names: names.char,
    "notchar": lambda names: names.user,
    "group": lambda names: names.char,
    "groupnotmuted": lambda names: names.char,
    "charifnotgroup": lambda names: names.char,
    "persona": lambda names: names.persona,
    "description": lambda names: names.description,
    "chardescription": lambda names: names.description,
    "personality": lambda names: names.personality,
    "charpersonality": lambda names: names.personality,
    "scenario": lambda names: names.scenario,
    "charscenario": lambda names: names.scenario,
    "chardepthprompt": lambda names: names.depth_prompt,
    "creatornotes": lambda names: names.creator_notes,
    "charcreatornotes": lambda names: names.creator_notes,
    "noop": lambda _: "",
    "else": lambda _: "",
}
_COMMENTS = ("//", "comment")
_SCOPED = {*_TEXTS, *_COMMENTS, "if", "trim", "reverse", "newline", "space"}


@dataclass
class _Macro:
    parts: list[str | _Macro] = field(default_factory=list)

    def head(self) -> tuple[str, str, str] | None:
        """The flags, the name, and what follows the name in the first piece of text."""
        first = self.parts[0] if self.parts else ""
        found = _HEAD.match(first) if isinstance(first, str) else None
        return (
            (found["flags"], "".join(found["name"].lower().split()), found.string[found.end() :])
            if found is not None
            else None
        )

    def name(self) -> str:
        head = self.head()
        return head[1] if head else ""


_Parts = Sequence[str | _Macro]


def has_macros(text: str) -> bool:
    """Whether substitution could change the text."""
    return (
        "{{" in text or "\\{" in text or "\\}" in text or ("<" in text and _LEGACY.search(text) is not None)
    )


def substituted(text: str, names: MacroNames) -> str:
    """The text with its macros replaced; unknown and broken ones stay as they are."""
    if not has_macros(text):
        return text
    text = _LEGACY.sub(lambda found: "{{" + _legacy(found[1].lower()) + "}}", text)
    said = _evaluated(_parsed(text), names, _DEEPEST)
    return _ESCAPED.sub(r"\1", _TRIM.sub("", said))


def _legacy(name: str) -> str:
    return _LEGACY_NAMES.get(name, name)


def _parsed(text: str) -> list[str | _Macro]:
    frames: list[_Macro] = [_Macro()]
    end = opens_from = 0
    for token in _TOKEN.finditer(text):
        if token[0] == "{{":
            if token.start() < opens_from:
                continue
            _say(frames[-1], text[end : token.start()])
            frames.append(_Macro())
            opens_from = _end_of_stray(text, token.end())
        elif token[0] == "}}" and len(frames) > 1:
            _say(frames[-1], text[end : token.start()])
            macro = frames.pop()
            frames[-1].parts.append(macro)
        else:
            _say(frames[-1], text[end : token.end()])
        end = token.end()
    _say(frames[-1], text[end:])
    whole = frames[0]
    for unclosed in frames[1:]:
        whole.parts += ["{{", *unclosed.parts]
    return whole.parts


def _end_of_stray(text: str, start: int) -> int:
    head = _HEAD.match(text, start)
    stray = None if head is None or head["name"] == "//" else _STRAY.match(text, head.end())
    return start if stray is None else stray.end()


def _say(frame: _Macro, text: str) -> None:
    if text:
        frame.parts.append(text)


def _closings(parts: _Parts) -> dict[int, int]:
    """Where the scope of each opening macro ends."""
    open_scopes: dict[str, list[int]] = {}
    closings = {}
    for place, part in enumerate(parts):
        name = part.name() if isinstance(part, _Macro) else ""
        if name in _SCOPED:
            open_scopes.setdefault(name, []).append(place)
        elif name.startswith("/") and open_scopes.get(name[1:]):
            closings[open_scopes[name[1:]].pop()] = place
    return closings


def _evaluated(parts: _Parts, names: MacroNames, room: int) -> str:
    said: list[str] = []
    closings = _closings(parts)
    place = 0
    while place < len(parts):
        part = parts[place]
        if isinstance(part, str):
            said.append(part)
        elif place in closings:
            end = closings[place]
            said.append(_scoped(part, parts[place + 1 : end], parts[end], names, room))
            place = end
        else:
            said.append(_single(part, names, room))
        place += 1
    return "".join(said)


def _arguments(macro: _Macro, names: MacroNames, room: int) -> tuple[str, list[str]]:
    """The macro with its inner macros replaced, and its arguments: several only behind `::`."""
    inner = [part if isinstance(part, str) else (_single(part, names, room - 1),) for part in macro.parts]
    raw = "".join(part if isinstance(part, str) else part[0] for part in inner)
    head = macro.head()
    if head is None:
        return raw, []
    _, name, rest = head
    if name == "//":
        said = rest + "".join(part if isinstance(part, str) else part[0] for part in inner[1:])
        return raw, [said] if said else []
    stray = _STRAY.match(rest)
    separator = _SEPARATOR.match(rest, 0 if stray is None else stray.end())
    if separator is None:
        return raw, []
    pieces: list[str | tuple[str]] = [rest[separator.end() :], *inner[1:]]
    if not separator[0].strip() and pieces == [""]:
        return raw, []
    arguments = [""]
    for piece in pieces:
        if isinstance(piece, tuple):
            arguments[-1] += piece[0]
        elif separator[0].endswith("::"):
            first, *more = piece.split("::")
            arguments[-1] += first
            arguments += more
        else:
            arguments[-1] += piece
    return raw, arguments


def _single(macro: _Macro, names: MacroNames, room: int) -> str:
    head = macro.head()
    if room <= 0 or head is None:
        inner = _evaluated(macro.parts, names, room - 1) if room > 0 else ""
        return "{{" + inner + "}}"
    raw, arguments = _arguments(macro, names, room)
    said: str | None = None
    if head[1] == "trim":
        said = "" if len(arguments) == 1 else None
    elif head[1] == "if":
        if len(arguments) == 2:
            said = arguments[1] if _holds(arguments[0], names) else ""
    else:
        said = _said(head[1], arguments, names)
    return "{{" + raw + "}}" if said is None else said


def _said(name: str, arguments: list[str], names: MacroNames) -> str | None:
    """What a macro stands for; None if it is not known or takes other arguments."""
    if name in _TEXTS:
        return None if arguments else _TEXTS[name](names)
    if name in _COMMENTS:
        return "" if len(arguments) == 1 else None
    if name == "reverse":
        return arguments[0][::-1] if len(arguments) == 1 else None
    if name in ("newline", "space"):
        times = trimmed(arguments[0]) if arguments else "1"
        if len(arguments) > 1 or not (times.isascii() and times.isdigit()):
            return None
        return ("\n" if name == "newline" else " ") * min(int(times[:9]), _MOST_REPEATS)
    return None


def _scoped(macro: _Macro, body: _Parts, closing: str | _Macro, names: MacroNames, room: int) -> str:
    """What a macro makes of the text up to its end; all of it as it is written if it takes none."""
    head = macro.head()
    if room <= 0 or head is None:
        return ""
    flags, name, _ = head
    raw, arguments = _arguments(macro, names, room)
    takes_text = len(arguments) == (name == "if") and name not in _TEXTS
    if takes_text and name == "if":
        yes, no = _branches(body)
        body = yes if _holds(arguments[0], names) else no
    inside = _evaluated(body, names, room - 1)
    said: str | None = None
    if takes_text:
        text = inside if "#" in flags else _dedented(inside)
        said = text if name in ("if", "trim") else _said(name, [text], names)
    if said is None:
        end = "" if isinstance(closing, str) else _arguments(closing, names, room)[0]
        return "{{" + raw + "}}" + inside + "{{" + end + "}}"
    return said


def _dedented(text: str) -> str:
    """The text without the blanks around it, and its lines without the indent of the first."""
    lines = text.split("\n")
    first = next((line for line in lines if trimmed(line)), "")
    indent = _indent(first)
    if indent:
        lines = [line[min(indent, _indent(line)) :] for line in lines]
    return trimmed("\n".join(lines))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _branches(body: _Parts) -> tuple[_Parts, _Parts]:
    depth = 0
    for place, part in enumerate(body):
        name = part.name() if isinstance(part, _Macro) else ""
        depth += (name == "if") - (name == "/if")
        if name == "else" and not depth:
            return body[:place], body[place + 1 :]
    return body, ()


def _holds(condition: str, names: MacroNames) -> bool:
    condition = trimmed(condition)
    is_not = condition.startswith("!")
    if is_not:
        condition = trimmed(condition[1:])
    named = _TEXTS.get(condition.lower())
    if named is not None:
        condition = named(names)
    return (trimmed(condition).lower() not in _FALSE) is not is_not
