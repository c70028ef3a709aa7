"""Timed effects: how long an entry stays active or silent after it fired, kept per conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pydantic import Field

from fabula.model.wire import Value
from fabula.world_info.entry import CompiledEntry


class TimedEffect(Value):
    """One effect: which state of an entry it belongs to, and from which message to which it lasts."""

    hash: str
    start: float
    end: float
    protected: bool = False


class TimedEffects(Value):
    """The effects of a conversation by `book.uid`; a caller keeps them between scans and gives them back."""

    sticky: dict[str, TimedEffect] = Field(default_factory=dict)
    cooldown: dict[str, TimedEffect] = Field(default_factory=dict)


class RunningEffects:
    """The effects that hold in one scan, and what becomes of them."""

    def __init__(
        self,
        stored: TimedEffects,
        messages: int,
        entry_of: Callable[[str], CompiledEntry | None],
        dry_run: bool,
    ) -> None:
        self._messages = messages
        self._entry_of = entry_of
        self._dry_run = dry_run
        self._sticky = dict(stored.sticky)
        self._cooldown = dict(stored.cooldown)
        self.sticky: dict[str, CompiledEntry] = {}
        self.cooling: set[str] = set()
        if not dry_run:
            for entry in self._still_running(self._sticky):
                self.sticky[entry.hash] = entry
            for entry in self._still_running(self._cooldown):
                self.cooling.add(entry.hash)

    def _still_running(self, effects: dict[str, TimedEffect]) -> list[CompiledEntry]:
        running = []
        for slot, effect in list(effects.items()):
            entry = self._entry_of(effect.hash)
            is_over = self._messages >= effect.end
            if self._messages <= effect.start and not effect.protected:
                # The chat did not grow: the message that fired the entry was made again or deleted.
                del effects[slot]
            elif is_over:
                del effects[slot]
                if entry is not None and effects is self._sticky and entry.cooldown:
                    # Silence begins when the entry stops being sticky, and deleting messages cannot end it.
                    self._cooldown[entry.slot] = self._effect(entry, entry.cooldown, protected=True)
                    self.cooling.add(entry.hash)
            elif entry is not None:
                running.append(entry)
        return running

    def _effect(self, entry: CompiledEntry, length: float, protected: bool = False) -> TimedEffect:
        return TimedEffect(
            hash=entry.hash, start=self._messages, end=self._messages + length, protected=protected
        )

    def is_sticky(self, entry: CompiledEntry) -> bool:
        """Whether the entry is still active from an earlier message."""
        return bool(self.sticky) and bool(entry.sticky) and entry.hash in self.sticky

    def is_cooling(self, entry: CompiledEntry) -> bool:
        """Whether the entry has to be silent."""
        return bool(self.cooling) and bool(entry.cooldown) and entry.hash in self.cooling

    def after(self, activated: Iterable[CompiledEntry]) -> TimedEffects:
        """The effects to keep for the next scan."""
        if not self._dry_run:
            for entry in activated:
                if entry.sticky:
                    self._sticky.setdefault(entry.slot, self._effect(entry, entry.sticky))
                if entry.cooldown:
                    self._cooldown.setdefault(entry.slot, self._effect(entry, entry.cooldown))
        return TimedEffects(sticky=self._sticky, cooldown=self._cooldown)
