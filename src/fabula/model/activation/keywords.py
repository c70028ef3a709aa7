"""How the keywords of an entry are matched."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.model.wire import Name, Value

MAX_KEYWORDS = 256

Keywords = Annotated[tuple[Name, ...], Field(max_length=MAX_KEYWORDS)]


class KeywordFields(Value):
    """How strictly keywords match; the index applies this while searching a text."""

    case_sensitive: bool = False
    whole_word: bool | None = None
