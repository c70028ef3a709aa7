"""Rules that ask the text: primary keys, and secondary keys in their four ways."""

from __future__ import annotations

from fabula.model.bilingual import Bilingual
from fabula.model.reason import Reason
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.rules.rule import ScanOccasion, ScanRule

AND_ANY, NOT_ALL, NOT_ANY, AND_ALL = 0, 1, 2, 3


def _disagree(entry: CompiledEntry, on: ScanOccasion) -> bool:
    found = (on.secondary(entry, key) for key in entry.secondary)
    if entry.logic == AND_ANY:
        return not any(found)
    if entry.logic == NOT_ALL:
        return all(found)
    if entry.logic == NOT_ANY:
        return any(found)
    return entry.logic != AND_ALL or not all(found)


NO_KEYS = ScanRule(
    lambda entry, on: not on.has_keys(entry),
    Reason("no_keys", "out", Bilingual("has no key", "没有关键词"), "`key` is empty"),
)
NOT_FOUND = ScanRule(
    lambda entry, on: on.primary(entry) is None,
    Reason("not_found", "out", Bilingual("no key is in the text", "文中没有关键词"), "no key was found"),
)
SECONDARY = ScanRule(
    _disagree,
    Reason(
        "secondary",
        "out",
        Bilingual("the secondary keys do not agree", "次要关键词不符"),
        "a key was found, but `keysecondary` and `selectiveLogic` say no",
    ),
    concerns=lambda entry: entry.filters,
)
FOUND = ScanRule(
    lambda entry, _: True,
    Reason(
        "key",
        "in",
        Bilingual("a key is in the text", "文中有关键词"),
        "a key was found: see `key` and `where`",
    ),
    admits=True,
)
