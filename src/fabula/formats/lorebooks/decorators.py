"""Decorators at the head of a content (`@@depth 4`): what they mean as fields of World Info.

Cards of the third version and RisuAI have them; SillyTavern only knows two, which the engine reads itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from fabula.formats.lorebooks.columns import ABSENT, RawEntry, number

_ROLES = ("system", "user", "assistant")
_POSITIONS = {"before_desc": 0, "after_desc": 1, "personality": 1, "scenario": 1}


class _Line(NamedTuple):
    name: str
    value: str
    is_fallback: bool
    raw: str


def _number(field: str) -> Callable[[str], RawEntry | None]:
    def read(value: str) -> RawEntry | None:
        said = number(value.strip())
        return None if said is ABSENT else {field: said}

    return read


def _fixed(**fields: Any) -> Callable[[str], RawEntry | None]:
    return lambda _: dict(fields)


def _depth(value: str) -> RawEntry | None:
    said = number(value.strip())
    return None if said is ABSENT else {"position": 4, "depth": said}


def _role(value: str) -> RawEntry | None:
    return {"role": _ROLES.index(value.strip())} if value.strip() in _ROLES else None


def _position(value: str) -> RawEntry | None:
    return {"position": _POSITIONS[value.strip()]} if value.strip() in _POSITIONS else None


def _words(logic: int) -> Callable[[str], RawEntry | None]:
    def read(value: str) -> RawEntry | None:
        words = [word.strip() for word in value.split(",") if word.strip()]
        return {"keysecondary": words, "selective": True, "selectiveLogic": logic} if words else None

    return read


_KNOWN: dict[str, Callable[[str], RawEntry | None]] = {
    "depth": _depth,
    "role": _role,
    "position": _position,
    "scan_depth": _number("scanDepth"),
    "probability": _number("probability"),
    "activate_only_after": _number("delay"),
    "additional_keys": _words(0),
    "exclude_keys": _words(2),
    "match_full_word": _fixed(matchWholeWords=True),
    "match_partial_word": _fixed(matchWholeWords=False),
    "unrecursive": _fixed(preventRecursion=True),
    "no_recursive_search": _fixed(excludeRecursion=True),
    "activate": _fixed(),
    "dont_activate": _fixed(disable=True),
}


def decorated(content: Any, view: RawEntry) -> RawEntry:
    """A view with what the decorators of its content say; secondary keys that are there stay."""
    has_secondary = bool(view["keysecondary"]) and view["selective"] is True
    for fields in _meanings(content):
        if "keysecondary" in fields:
            if has_secondary:
                continue
            has_secondary = True
        view = {**view, **fields}
    return view


def without_decorators(content: str, fields: Iterable[str]) -> str:
    """A content without the decorators that say these fields, so that another value of them counts."""
    changed = set(fields)
    head, body = _split(content)
    kept: list[str] = []
    was_known = False
    for line in head:
        meaning = None if line.is_fallback and was_known else _meaning(line)
        was_known = meaning is not None or (line.is_fallback and was_known)
        if meaning is None or not changed & meaning.keys():
            kept.append(line.raw)
    return "\n".join([*kept, body]) if body is not None else "\n".join(kept)


def plain(content: str, view: RawEntry) -> str:
    """A content without the decorators that say only what the view says anyway."""
    said = [
        name
        for meaning in _meanings(content)
        for name in meaning
        if all(view.get(field) == value for field, value in meaning.items())
    ]
    return without_decorators(content, said) if said else content


def decorate(content: str, fields: RawEntry) -> str:
    """A content with decorators for the fields that can be said by one."""
    lines = [line for field, write in _WRITTEN.items() if field in fields for line in write(fields)]
    return "\n".join([*lines, content]) if lines else content


def _placed(fields: RawEntry) -> list[str]:
    position = fields["position"]
    if position == 4:
        return [f"@@depth {fields.get('depth', 4)}"]
    return [f"@@position {'before_desc' if position == 0 else 'after_desc'}"]


_WRITTEN: dict[str, Callable[[RawEntry], list[str]]] = {
    "disable": lambda fields: ["@@dont_activate"] if fields["disable"] else [],
    "position": _placed,
    "role": lambda fields: [f"@@role {_ROLES[fields['role']]}"] if fields["role"] in (0, 1, 2) else [],
    "scanDepth": lambda fields: [f"@@scan_depth {fields['scanDepth']}"] if fields["scanDepth"] else [],
    "matchWholeWords": lambda fields: [
        "@@match_full_word" if fields["matchWholeWords"] else "@@match_partial_word"
    ],
    "preventRecursion": lambda fields: ["@@unrecursive"] if fields["preventRecursion"] else [],
    "excludeRecursion": lambda fields: ["@@no_recursive_search"] if fields["excludeRecursion"] else [],
}


def _meanings(content: Any) -> Iterator[RawEntry]:
    if not isinstance(content, str) or not content.startswith("@@"):
        return
    was_known = False
    for line in _split(content)[0]:
        if line.is_fallback and was_known:
            continue
        meaning = _meaning(line)
        was_known = meaning is not None
        if meaning:
            yield meaning


def _meaning(line: _Line) -> RawEntry | None:
    read = _KNOWN.get(line.name)
    return None if read is None else read(line.value)


def _split(content: str) -> tuple[list[_Line], str | None]:
    head: list[_Line] = []
    rest: str | None = content
    while rest is not None and rest.startswith("@@"):
        raw, _, after = rest.partition("\n")
        name, _, value = raw.lstrip("@").partition(" ")
        head.append(_Line(name.strip(), value, raw.startswith("@@@"), raw))
        rest = after if "\n" in rest else None
    return head, rest
