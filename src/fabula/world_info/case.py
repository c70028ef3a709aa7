"""A case: books, settings and a chat in one JSON object, to try what fires without a story."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from fabula.model.scan_settings import ScanSettings
from fabula.model.wire import Value

MOST_BOOKS = 64
MOST_MESSAGES = 10_000
MOST_TURNS = 200
MOST_ENTRIES = 50_000
DEEPEST = 16

_Long = Annotated[str, Field(max_length=1_000_000)]
_Short = Annotated[str, Field(max_length=1_000)]


class _Case(Value):
    model_config = ConfigDict(extra="ignore")


class CaseMessage(_Case):
    """One message of the chat; what else stands in it is ignored."""

    name: _Short = ""
    is_user: bool = Field(default=False, alias="is_user")
    mes: _Long = ""


class CaseCharacter(_Case):
    """The selected character: the file name of its picture, `<char>.png` if it is missing, and its tags."""

    avatar: _Short | None = None
    tags: Annotated[tuple[_Short, ...], Field(max_length=1_000)] = ()


class CaseSources(_Case):
    """Which books are active where, by name; the first of a character's books is its primary one."""

    global_: Annotated[tuple[_Short, ...], Field(alias="global", max_length=MOST_BOOKS)] = ()
    character: Annotated[tuple[_Short, ...], Field(max_length=MOST_BOOKS)] = ()
    chat: _Short | None = None
    persona: _Short | None = None


class CaseScanData(_Case):
    """Texts beside the chat, and the kind of generation."""

    persona_description: _Long = ""
    character_description: _Long = ""
    character_personality: _Long = ""
    character_depth_prompt: _Long = ""
    scenario: _Long = ""
    creator_notes: _Long = ""
    trigger: _Short = "normal"


class CaseInjection(_Case):
    """A text that something else puts into the prompt; only those with `scan` are searched."""

    key: _Short = ""
    value: _Long = ""
    scan: bool = False


def _shallow(entries: dict[str, Any] | list[Any]) -> dict[str, Any] | list[Any]:
    """The entries unchanged; ValueError if lists and objects are nested too deeply in them."""
    level: list[Any] = [entries]
    for _ in range(DEEPEST):
        inner = [
            item
            for outer in level
            for item in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(item, dict | list)
        ]
        if not inner:
            return entries
        level = inner
    raise ValueError(f"is nested deeper than {DEEPEST} levels")


class CaseBook(_Case):
    """A World Info book: its entries by uid, or as a list."""

    entries: Annotated[dict[str, Any] | list[Any], Field(max_length=MOST_ENTRIES), AfterValidator(_shallow)]


_Chat = Annotated[tuple[CaseMessage, ...], Field(max_length=MOST_MESSAGES)]


class CaseTurn(_Case):
    """One scan of several, which share timed effects; it may have a book and settings of its own."""

    chat: _Chat = ()
    book: CaseBook | None = None
    settings: ScanSettings | None = None
    scan_data: CaseScanData | None = None
    dry_run: bool = False
    new_chat_file: bool = False


class LorebookCase(Value):
    """Books and a chat, or several turns of one; `seed` decides the dice.

    What a recorded case says about itself, `id`, `feature`, `note`, `lang`, `form`, `book_ref` and `expect`,
    is ignored.
    """

    settings: ScanSettings = Field(default_factory=ScanSettings)
    book: CaseBook | None = None
    books: Annotated[dict[str, CaseBook], Field(max_length=MOST_BOOKS)] | None = None
    sources: CaseSources | None = None
    user: _Short = "User"
    char: _Short = ""
    character: CaseCharacter | None = None
    scan_data: CaseScanData = Field(default_factory=CaseScanData)
    injections: Annotated[tuple[CaseInjection, ...], Field(max_length=1_000)] = ()
    chat: _Chat = ()
    turns: Annotated[tuple[CaseTurn, ...], Field(max_length=MOST_TURNS)] | None = None
    seed: _Short | None = None
    tokenizer: Literal["fabula", "vectors"] = "fabula"
    id: Any = None
    feature: Any = None
    note: Any = None
    lang: Any = None
    form: Any = None
    book_ref: Any = Field(default=None, alias="book_ref")
    expect: Any = None
