"""Inclusion groups: of the entries that share a group, one fires."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from fabula.world_info.entry import CompiledEntry
from fabula.world_info.loose import in_key_order
from fabula.world_info.rules.keywords import AND_ALL, AND_ANY


class GroupOccasion(Protocol):
    """What groups need to know about a pass."""

    @property
    def scores_groups(self) -> bool:
        """Whether the settings let scores decide."""

    @property
    def messages(self) -> int:
        """How long the chat is."""

    def is_sticky(self, entry: CompiledEntry) -> bool:
        """Whether the entry is still active from an earlier message."""

    def is_cooling(self, entry: CompiledEntry) -> bool:
        """Whether the entry has to be silent."""

    def raw_key(self, entry: CompiledEntry, key: str) -> bool:
        """Whether the entry's text has a key exactly as it is written."""


class _Pass:
    """The entries of a pass; removing one that is gone removes the last, as SillyTavern does."""

    def __init__(self, entries: list[CompiledEntry]) -> None:
        self.entries = entries

    def remove(self, entry: CompiledEntry) -> None:
        if entry in self.entries:
            self.entries.remove(entry)
        elif self.entries:
            self.entries.pop()

    def remove_all(self, entries: Iterable[CompiledEntry]) -> None:
        for entry in list(entries):
            self.remove(entry)


def _by_group(entries: Iterable[CompiledEntry]) -> dict[str, list[CompiledEntry]]:
    members: dict[str, list[CompiledEntry]] = {}
    for entry in entries:
        for name in entry.groups:
            members.setdefault(name, []).append(entry)
    return {name: members[name] for name in in_key_order(members)}


def _score(entry: CompiledEntry, on: GroupOccasion) -> int:
    if not entry.keys:
        return 0
    primary = sum(on.raw_key(entry, key) for key in entry.keys)
    secondary = sum(on.raw_key(entry, key) for key in entry.secondary)
    logic = entry.raw.get("selectiveLogic")
    if not entry.secondary or isinstance(logic, bool):
        return primary
    if logic == AND_ANY or (logic == AND_ALL and secondary == len(entry.secondary)):
        return primary + secondary
    return primary


def _drop_by_score(members: list[CompiledEntry], on: GroupOccasion, now: _Pass) -> None:
    if not on.scores_groups and not any(entry.scoring for entry in members):
        return
    scores = [_score(entry, on) for entry in members]
    best = max(scores)
    kept = []
    for entry, score in zip(members, scores, strict=True):
        is_scored = on.scores_groups if entry.scoring is None else entry.scoring
        if is_scored and score < best:
            now.remove(entry)
        else:
            kept.append(entry)
    members[:] = kept


def _choose(members: list[CompiledEntry], drawn: float) -> CompiledEntry | None:
    overriding = [entry for entry in members if entry.overrides_group]
    if overriding:
        return max(overriding, key=lambda entry: entry.order)
    target = drawn * sum(entry.group_weight for entry in members)
    reached = 0.0
    for entry in members:
        reached += entry.group_weight
        if target <= reached:
            return entry
    return None


def _drop_by_time(groups: dict[str, list[CompiledEntry]], on: GroupOccasion, now: _Pass) -> set[str]:
    """Leave only sticky entries in groups that have some; returns these groups."""
    has_sticky = set()
    for name, members in groups.items():
        if any(map(on.is_sticky, members)):
            has_sticky.add(name)
            now.remove_all(entry for entry in members if not on.is_sticky(entry))
        now.remove_all(filter(on.is_cooling, members))
        now.remove_all(entry for entry in members if on.messages < entry.delay)
    return has_sticky


def one_of_each_group(
    entries: list[CompiledEntry],
    active: Iterable[CompiledEntry],
    on: GroupOccasion,
    draw: Callable[[str], float],
) -> list[CompiledEntry]:
    """The new entries of a pass that are left when every group has made its choice."""
    groups = _by_group(entries)
    if not groups:
        return entries
    now = _Pass(list(entries))
    settled = _drop_by_time(groups, on, now)
    unsettled = {name: members for name, members in groups.items() if name not in settled}
    for members in unsettled.values():
        _drop_by_score(members, on, now)
    taken = {entry.group for entry in active}
    for name, members in unsettled.items():
        if name in taken:
            now.remove_all(members)
        elif len(members) > 1:
            chosen = _choose(members, draw(name))
            if chosen is not None:
                now.remove_all(entry for entry in members if entry is not chosen)
    return now.entries
