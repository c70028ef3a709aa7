"""How the keywords of an entry are looked for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.model.wire import Name, Value

MAX_KEYWORDS = 256

Keywords = Annotated[tuple[Name, ...], Field(max_length=MAX_KEYWORDS)]


class KeywordFields(Value):
    """What counts as a keyword found; the index heeds it while it looks through a text."""

    case_sensitive: bool = False
    whole_word: bool | None = None
