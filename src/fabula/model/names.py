"""How names are normalised for comparison."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def name_key(text: str) -> str:
    """The name as it is compared: NFKC, trimmed, inner whitespace collapsed, case folded."""
    if text.isascii():
        return " ".join(text.lower().split())
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    folded = text.casefold()
    if folded != text:
        folded = unicodedata.normalize("NFKC", folded)
    return " ".join(folded.split())


def search_fold(*texts: str) -> str:
    """The texts as a search compares them, one per line."""
    return "\n".join(map(name_key, texts))


@lru_cache(4096)
def relation_key(word: str) -> str:
    """The normalised relation type, as it is stored: `KNOWS` and `knows ` are the same."""
    return name_key(word).replace(" ", "_").replace("-", "_")
