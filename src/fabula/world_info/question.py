"""What a scan is asked: books, chat, settings, and the texts around them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fabula.model.scan_settings import BookSource, ScanSettings
from fabula.world_info.book import CompiledBook
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.timed import TimedEffects


@dataclass(frozen=True, slots=True)
class ScanMessage:
    """One message of the chat."""

    name: str
    is_user: bool
    mes: str


@dataclass(frozen=True, slots=True)
class ScannedCharacter:
    """The selected character, as filters see it: the file name of its picture, and its tags."""

    avatar: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScanData:
    """Texts beside the chat that entries may ask for, and what kind of generation it is."""

    persona_description: str = ""
    character_description: str = ""
    character_personality: str = ""
    character_depth_prompt: str = ""
    scenario: str = ""
    creator_notes: str = ""
    trigger: str = "normal"


@dataclass(frozen=True, slots=True)
class Injection:
    """A text that something else puts into the prompt; keys search it if `scan` is true."""

    key: str
    value: str
    scan: bool = True


def _whole_text(entry: CompiledEntry) -> str | None:
    return entry.content


def _go_on() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Scan:
    """One question to the engine; the same scan always has the same result.

    `chat` is oldest first. `told` is the text an audience may read of an entry; None removes the entry before
    anything is scanned. `seed` decides the dice. `pattern_seconds` is the time that one pattern may take, and
    `patterns_seconds` the time that all slow patterns of the scan may take together. `check` is called again
    and again, and ends the scan by raising.
    """

    books: Mapping[BookSource, tuple[CompiledBook, ...]]
    chat: tuple[ScanMessage, ...]
    count: Callable[[str], int]
    settings: ScanSettings = field(default_factory=ScanSettings)
    user: str = "User"
    char: str = ""
    character: ScannedCharacter | None = None
    scan_data: ScanData = field(default_factory=ScanData)
    injections: tuple[Injection, ...] = ()
    timed: TimedEffects = field(default_factory=TimedEffects)
    dry_run: bool = False
    seed: str = ""
    told: Callable[[CompiledEntry], str | None] = _whole_text
    pattern_seconds: float = 0.1
    patterns_seconds: float = 1.0
    check: Callable[[], None] = _go_on
