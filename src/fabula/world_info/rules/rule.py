"""The record of a scan rule: when it decides about an entry, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fabula.model.reason import Reason
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.result import KeyHit, PassState


class ScanOccasion(Protocol):
    """What rules may know about the pass in which entries are judged."""

    @property
    def state(self) -> PassState:
        """The kind of the pass."""

    @property
    def level(self) -> float:
        """The level of delayed recursion that is open."""

    @property
    def recursive(self) -> bool:
        """Whether the settings allow recursion."""

    @property
    def trigger(self) -> str:
        """The kind of generation."""

    @property
    def character(self) -> str | None:
        """The file name of the selected character without its ending; None if there is none."""

    @property
    def tags(self) -> frozenset[str] | None:
        """The tags of the selected character; None if there is none."""

    @property
    def messages(self) -> int:
        """How long the chat is."""

    def is_sticky(self, entry: CompiledEntry) -> bool:
        """Whether the entry is still active from an earlier message."""

    def is_cooling(self, entry: CompiledEntry) -> bool:
        """Whether the entry has to be silent."""

    def has_keys(self, entry: CompiledEntry) -> bool:
        """Whether the entry has keys at all."""

    def primary(self, entry: CompiledEntry) -> KeyHit | None:
        """The first primary key that the entry's text has."""

    def secondary(self, entry: CompiledEntry, key: str) -> bool:
        """Whether the entry's text has a secondary key."""


@dataclass(frozen=True, slots=True)
class ScanRule:
    """A rule: it decides if `applies` returns true, and later rules are not consulted.

    `concerns` is false for an entry about which the rule cannot decide, whatever the chat.
    """

    applies: Callable[[CompiledEntry, ScanOccasion], bool]
    reason: Reason
    admits: bool = False
    concerns: Callable[[CompiledEntry], bool] = lambda _: True
