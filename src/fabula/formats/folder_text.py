"""Writes YAML that is byte-for-byte reproducible, with one fact per line.

The library's writer is not used: its C and Python versions lay out the same data differently, and it is ten
times as slow, which matters for a story of 50,000 files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fabula.formats.plain_scalars import needs_quotes

_SHORT = 100
_LONGEST_KEY = 1000  # a reader of YAML looks 1,024 characters ahead for the colon of a key
_PLAIN = re.compile(r"[^\W_][\w /.'+&@%()\-·，。！？、；：“”‘’（）《》【】…—～]*")
_ESCAPED = re.compile(
    '["\\\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]'
)
_UNTAMED = re.compile("[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_WORDS = frozenset({"y", "n", "Y", "N"})
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class FactLines(list[dict[str, Any]]):
    """A list of mappings, each written on one line however long it is."""


class FactLine(dict[str, Any]):
    """A mapping that is written on one line."""


def document(data: Mapping[str, Any] | FactLines) -> bytes:
    """The content of a file with named fields, or with rows."""
    lines: list[str] = []
    if isinstance(data, FactLines):
        lines.extend(f"- {_flow(row)}" for row in data)
    else:
        _block(data, "", lines)
    return ("\n".join(lines) + "\n").encode() if lines else b""


def _block(fields: Mapping[str, Any], indent: str, lines: list[str]) -> None:
    for key, value in fields.items():
        head = f"{indent}{_block_key(key, indent)}:"
        if isinstance(value, str):
            lines.append(f"{head} {_told(value, indent)}")
        elif isinstance(value, FactLines) and value:
            lines.append(head)
            lines.extend(f"{indent}  - {_flow(row)}" for row in value)
        elif _is_block(value, indent):
            lines.append(head)
            _block(value, f"{indent}  ", lines)
        elif isinstance(value, list | tuple) and len(_flow(value)) > _SHORT:
            lines.append(head)
            lines.extend(f"{indent}  - {_flow(item)}" for item in value)
        else:
            lines.append(f"{head} {_flow(value)}")


def _is_block(value: Any, indent: str) -> bool:
    if not isinstance(value, Mapping) or not value or isinstance(value, FactLine):
        return False
    return not indent or len(_flow(value)) > _SHORT


def _told(text: str, indent: str) -> str:
    """A text after its key: as a block scalar if every YAML reader understands it the same way."""
    if "\n" not in text or text[0] in " \n" or _UNTAMED.search(text) or not text.strip():
        return _scalar(text)
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    sign = "|-" if ends == 0 else "|" if ends == 1 else "|+"
    lines = [f"{indent}  {line}" if line else "" for line in body.split("\n")]
    return "\n".join([sign, *lines]) + "\n" * max(ends - 1, 0)


def _flow(value: Any) -> str:
    if isinstance(value, str):
        return _scalar(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return _number(value)


def _number(value: int | float) -> str:
    text = repr(value)
    # YAML 1.1 readers take 1e+16 for text, and 1.0e+16 for a number.
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _key(key: str) -> str:
    text = _scalar(key)
    return text if len(text) <= _LONGEST_KEY else f"? {text} "


def _block_key(key: str, indent: str) -> str:
    text = _scalar(key)
    return text if len(text) <= _LONGEST_KEY else f"? {text}\n{indent}"


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text[-1] != " " and not _is_doubtful(text):
        return text
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _is_doubtful(text: str) -> bool:
    """Whether some YAML reader would take the unquoted scalar for something other than text."""
    return text in _WORDS or needs_quotes(text) or (text[0].isdigit() and not any(map(str.isalpha, text)))


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    known = _SHORT_ESCAPES.get(character)
    if known is not None:
        return known
    number = ord(character)
    return f"\\u{number:04x}" if number > 0xFF else f"\\x{number:02x}"
