"""Keys of other programs as keys of World Info: lists in one text, wildcards, and back again."""

from __future__ import annotations

import re
from typing import Any

from fabula.formats.lorebooks.columns import ABSENT

PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)

_WILD = re.compile(r"/\\b(.*)\\b/iu?", re.DOTALL)
_SPECIAL = re.compile(r"[*?]")


def key_list(value: Any) -> Any:
    """A list of keys; other values say nothing."""
    return value if isinstance(value, list) else ABSENT


def keys_between_commas(value: Any) -> Any:
    """The keys of a text in which commas part them; a list is taken as it is."""
    if isinstance(value, list):
        return value
    if not isinstance(value, str):
        return ABSENT
    if PATTERN.fullmatch(value.strip()):
        return [value.strip()]
    return [word.strip() for word in value.split(",") if word.strip()]


def joined_by_commas(keys: Any) -> str:
    """Keys as one text; commas inside a key become blanks, as they would part it."""
    if not isinstance(keys, list):
        return ""
    words = [word for word in keys if isinstance(word, str)]
    if len(words) == 1 and PATTERN.fullmatch(words[0]):
        return words[0]
    return ",".join(word.replace(",", " ") for word in words)


def from_wildcards(value: Any) -> Any:
    """Keys in which `*` stands for letters and `?` for one, as patterns; plain ones as they are."""
    if not isinstance(value, list):
        return ABSENT
    return [_pattern_of(word) if isinstance(word, str) else word for word in value]


def to_wildcards(keys: Any) -> Any:
    """The reverse of `from_wildcards`; other patterns stay patterns."""
    return [_wildcard_of(word) if isinstance(word, str) else word for word in keys]


def _pattern_of(word: str) -> str:
    if not _SPECIAL.search(word) or PATTERN.fullmatch(word) or "/" in word:
        return word
    body = "".join({"*": r"\w*", "?": r"\w"}.get(sign) or re.escape(sign) for sign in word)
    return rf"/\b{body}\b/i"


def _wildcard_of(word: str) -> str:
    found = _WILD.fullmatch(word)
    if found is None:
        return word
    plain = found[1].replace(r"\w*", "*").replace(r"\w", "?")
    plain = re.sub(r"\\(.)", r"\1", plain)
    return plain if _pattern_of(plain) == word else word
