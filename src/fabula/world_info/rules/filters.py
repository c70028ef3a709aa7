"""Rules that ask for whom an entry is: switched off, kind of generation, character, tags."""

from __future__ import annotations

from fabula.model.bilingual import Bilingual
from fabula.model.reason import Reason
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.rules.rule import ScanOccasion, ScanRule


def _is_for_others(entry: CompiledEntry, on: ScanOccasion) -> bool:
    wanted = entry.character_filter
    if wanted is None or not wanted.names:
        return False
    return (on.character is not None and on.character in wanted.names) is wanted.excludes


def _has_other_tags(entry: CompiledEntry, on: ScanOccasion) -> bool:
    wanted = entry.character_filter
    if wanted is None or not wanted.tags or on.tags is None:
        return False
    return any(tag in on.tags for tag in wanted.tags if isinstance(tag, str)) is wanted.excludes


SWITCHED_OFF = ScanRule(
    lambda entry, _: entry.disabled,
    Reason("disabled", "out", Bilingual("switched off", "已停用"), "`disable` is true"),
    concerns=lambda entry: entry.disabled,
)
OTHER_TRIGGER = ScanRule(
    lambda entry, on: on.trigger not in entry.triggers,
    Reason(
        "trigger",
        "out",
        Bilingual("not for this kind of generation", "不适用于此类生成"),
        "`triggers` does not list the kind of generation",
    ),
    concerns=lambda entry: bool(entry.triggers),
)
OTHER_CHARACTER = ScanRule(
    _is_for_others,
    Reason(
        "character",
        "out",
        Bilingual("not for this character", "不适用于此角色"),
        "`characterFilter.names` keeps it from the selected character",
    ),
    concerns=lambda entry: entry.character_filter is not None,
)
OTHER_TAGS = ScanRule(
    _has_other_tags,
    Reason(
        "tags",
        "out",
        Bilingual("not for a character with these tags", "不适用于此类标签的角色"),
        "`characterFilter.tags` keeps it from the selected character",
    ),
    concerns=lambda entry: entry.character_filter is not None,
)
