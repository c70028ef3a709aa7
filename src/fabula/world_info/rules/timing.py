"""Rules that ask when an entry may fire: length of the chat, cooldown, and the kind of the pass."""

from __future__ import annotations

from fabula.model.bilingual import Bilingual
from fabula.model.reason import Reason
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.rules.rule import ScanOccasion, ScanRule


def _awaits_recursion(entry: CompiledEntry, on: ScanOccasion) -> bool:
    return on.state != "recursion" and not on.is_sticky(entry)


def _awaits_level(entry: CompiledEntry, on: ScanOccasion) -> bool:
    return on.state == "recursion" and entry.delay_level > on.level and not on.is_sticky(entry)


def _refuses_recursion(entry: CompiledEntry, on: ScanOccasion) -> bool:
    return on.state == "recursion" and on.recursive and not on.is_sticky(entry)


DELAYED = ScanRule(
    lambda entry, on: on.messages < entry.delay,
    Reason(
        "delay", "out", Bilingual("the chat is too short", "对话还不够长"), "`delay` is longer than the chat"
    ),
    concerns=lambda entry: entry.delay > 0,
)
COOLING = ScanRule(
    lambda entry, on: on.is_cooling(entry) and not on.is_sticky(entry),
    Reason("cooldown", "out", Bilingual("cooling down", "冷却中"), "it fired and its `cooldown` is not over"),
    concerns=lambda entry: bool(entry.cooldown),
)
AWAITS_RECURSION = ScanRule(
    _awaits_recursion,
    Reason(
        "awaits_recursion",
        "out",
        Bilingual("fires in recursion only", "仅在递归中触发"),
        "`delayUntilRecursion`, and nothing recursed",
    ),
    concerns=lambda entry: entry.waits,
)
AWAITS_LEVEL = ScanRule(
    _awaits_level,
    Reason(
        "awaits_level",
        "out",
        Bilingual("waits for a later level of recursion", "等待更晚的递归层级"),
        "`delayUntilRecursion` is a level that was not reached",
    ),
    concerns=lambda entry: entry.waits,
)
REFUSES_RECURSION = ScanRule(
    _refuses_recursion,
    Reason(
        "exclude_recursion",
        "out",
        Bilingual("does not fire in recursion", "不在递归中触发"),
        "`excludeRecursion`, and only the text of other entries has its key",
    ),
    concerns=lambda entry: entry.excludes_recursion,
)
