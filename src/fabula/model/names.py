"""When two names are the same name."""

from __future__ import annotations

import unicodedata


def name_key(text: str) -> str:
    """The name as it is compared: NFKC, trimmed, inner white space as one space, case folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def relation_key(word: str) -> str:
    """The relation type as it is stored on edges and in the type table: `KNOWS` and `knows ` are one."""
    return name_key(word).replace(" ", "_").replace("-", "_")
