"""The text a model reads about an entity, rendered at every write."""

from __future__ import annotations

import re
from typing import Any

import yaml

IDENTITY = "identity"

_Quick: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_PLAIN = re.compile(r"[^\W\d_](?:[\w ]*\w)?")
_RESERVED = frozenset({"y", "n", "yes", "no", "true", "false", "on", "off", "null"})


class _Dumper(_Quick):  # type: ignore[misc]
    """Writes repeated values in full instead of YAML anchors and aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _WideDumper(yaml.SafeDumper):
    """The slow dumper; the fast one writes rare Han characters and emoji as escapes."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def prompt_text(description: str, attributes: dict[str, Any]) -> str:
    """The `identity` attribute if any, then the author's prose, then the other attributes as YAML."""
    prose = description.strip()
    if not attributes:
        return prose
    facts = {key: _fact(key, value) for key, value in attributes.items()}
    identity = facts.pop(IDENTITY, "")
    return "\n".join(part for part in (identity, prose, *facts.values()) if part)


def _fact(key: str, value: Any) -> str:
    """One attribute as YAML; plain ones without the library, which takes 70 µs each."""
    if _is_plain(key) and (type(value) is int or (type(value) is str and _is_plain(value))):
        return f"{key}: {value}"
    dumped = _dumped(key, value, _Dumper)
    if "\\U" in dumped:
        wide = _dumped(key, value, _WideDumper)
        # The slow dumper loses U+0085; then the escapes stay.
        if yaml.safe_load(wide) == {key: value}:
            return wide
    return dumped


def _dumped(key: str, value: Any, dumper: Any) -> str:
    text: str = yaml.dump({key: value}, Dumper=dumper, allow_unicode=True, sort_keys=False, width=10_000)
    return text.rstrip("\n")


def _is_plain(text: str) -> bool:
    return len(text) < 128 and _PLAIN.fullmatch(text) is not None and text.lower() not in _RESERVED
