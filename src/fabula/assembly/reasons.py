"""The closed list of reasons: those of Fabula's own rules, and those of scanned lorebooks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from fabula.model.activation import RULES
from fabula.model.bilingual import Bilingual
from fabula.model.reason import (
    ACTIVE,
    ALWAYS,
    BELIEVED,
    BELOW_LINE,
    BUDGET,
    DETECTED,
    DISABLED,
    EMPTY,
    KNOWLEDGE,
    LEVEL_MANUAL_ONLY,
    LEVEL_NEVER,
    NAMES_A_SECRET,
    NO_LONGER,
    NOT_KNOWN,
    NOT_YET,
    NOT_YET_NAMED,
    OFF_STAGE,
    OPEN_THREAD,
    PINNED,
    RECALLED,
    RECENT_SCENE,
    RELATED,
    STALE,
    THREAD_DUE,
    UNREVEALED,
    Reason,
)
from fabula.world_info.rules import SAME_UID, SCAN_REASONS
from fabula.world_info.rules.filters import SWITCHED_OFF
from fabula.world_info.rules.keywords import NO_KEYS, NOT_FOUND

_SCANNED = "book_"
# An entry that is switched off or not found is no candidate, and in a story no two have the same uid.
_UNSAID = frozenset({SWITCHED_OFF.reason.code, NO_KEYS.reason.code, NOT_FOUND.reason.code, SAME_UID.code})

BOOK_RECURSION = Reason(
    "book_recursion",
    "in",
    Bilingual("named by another entry", "由其他条目提到"),
    "a key was found in the text of another entry of a scanned lorebook: see `scan`",
)
BOOK_REASONS: tuple[Reason, ...] = (
    *(replace(one, code=_SCANNED + one.code) for one in SCAN_REASONS if one.code not in _UNSAID),
    BOOK_RECURSION,
)

REASONS: tuple[Reason, ...] = (
    ALWAYS,
    PINNED,
    DETECTED,
    RELATED,
    RECENT_SCENE,
    ACTIVE,
    RECALLED,
    OPEN_THREAD,
    THREAD_DUE,
    DISABLED,
    LEVEL_NEVER,
    LEVEL_MANUAL_ONLY,
    NOT_YET,
    NOT_YET_NAMED,
    UNREVEALED,
    NO_LONGER,
    NOT_KNOWN,
    BELIEVED,
    KNOWLEDGE,
    # Each rule with fields that authors set has a reason of its own.
    *(rule.reason for rule in RULES if rule.fields is not None and rule.reason is not None),
    NAMES_A_SECRET,
    BELOW_LINE,
    OFF_STAGE,
    STALE,
    EMPTY,
    BUDGET,
    *BOOK_REASONS,
)

if TYPE_CHECKING:
    ReasonCode = str
else:
    ReasonCode = Literal[tuple(reason.code for reason in REASONS)]


def scan_reason(code: str, *, is_recursion: bool = False) -> str | None:
    """Return the reason of a context for that of a scan; None if the entry is no candidate."""
    if code in _UNSAID:
        return None
    return BOOK_RECURSION.code if is_recursion else _SCANNED + code
