"""Describe the properties of a relation in a few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabula.model.relation import Language

# Known values and their translations; any other value is used as the author wrote it.
_WORDS: dict[str, dict[str, dict[Language, str]]] = {
    "sentiment": {
        "positive": {"zh": "亲近", "en": "close"},
        "negative": {"zh": "不睦", "en": "on bad terms"},
        "neutral": {"zh": "平淡", "en": "indifferent"},
        "complex": {"zh": "复杂", "en": "it is complicated"},
    },
    "intensity": {
        "high": {"zh": "激烈", "en": "fierce"},
        "medium": {"zh": "", "en": ""},
        "low": {"zh": "缓和", "en": "mild"},
    },
}
_TOLD = ("role", "sentiment", "intensity", "level", "purpose", "outcome")


def notes_in(properties: Mapping[str, Any], language: Language) -> Iterator[str]:
    """Yield what the properties say about a relation, each on one line."""
    for key in _TOLD:
        value = properties.get(key)
        if isinstance(value, str):
            said = " ".join(value.split())
            yield _WORDS.get(key, {}).get(said.casefold(), {}).get(language, said)
        elif key == "level" and type(value) is int:
            yield str(value)
