"""What a model is told of an entity, made once at every write."""

from __future__ import annotations

import re
from typing import Any

import yaml

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_PLAIN = re.compile(r"[^\W\d_](?:[\w ]*\w)?")
_RESERVED = frozenset({"y", "n", "yes", "no", "true", "false", "on", "off", "null"})


def prompt_text(description: str, attributes: dict[str, Any]) -> str:
    """The author's prose, then the attributes as YAML."""
    prose = description.strip()
    if not attributes:
        return prose
    facts = "\n".join(_fact(key, value) for key, value in attributes.items())
    return f"{prose}\n{facts}" if prose else facts


def _fact(key: str, value: Any) -> str:
    """One attribute as YAML; the plainest ones without asking the library, which takes 70 µs each."""
    if _is_plain(key) and (type(value) is int or (type(value) is str and _is_plain(value))):
        return f"{key}: {value}"
    dumped: str = yaml.dump({key: value}, Dumper=_DUMPER, allow_unicode=True, sort_keys=False, width=10_000)
    return dumped.rstrip("\n")


def _is_plain(text: str) -> bool:
    return len(text) < 128 and _PLAIN.fullmatch(text) is not None and text.lower() not in _RESERVED
