"""What a model may hear: of whom, and which part of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fabula.assembly.prose import without
from fabula.index.story_index import StoryIndex
from fabula.model.level import may_be_told
from fabula.operations.remembered import named_in
from fabula.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Ear:
    """The ear of a model at an instant of a story, or at none, for a call that asks for some by id."""

    reader: Reader
    index: StoryIndex
    instant: int | None
    pinned_slots: frozenset[int] = frozenset()
    pinned_entries: frozenset[str] = frozenset()

    def may_be_told(self, slot: int) -> bool:
        """Whether the model may hear of an entity here and now."""
        return self.index.roster.may_be_told(slot, named=slot in self.pinned_slots, instant=self.instant)

    def hidden(self, text: str) -> tuple[tuple[int, int], ...]:
        """The places of a text that name something the model must not hear of here and now."""
        guarded = self.index.lorebook(self.reader).guarded
        if not text or not (guarded or self.index.roster.has_secrets()):
            return ()
        found = named_in(self.reader, self.index, text)
        secret = [places for slot, places in found.entities.items() if not self.may_be_told(slot)]
        secret += [
            places
            for entry_id, places in found.entries.items()
            if entry_id in guarded
            and not may_be_told(guarded[entry_id], named=entry_id in self.pinned_entries)
        ]
        return tuple((place.start, place.end) for places in secret for place in places)

    def open_part(self, text: str) -> str:
        """The text without the sentences that name a secret."""
        return without(text, self.hidden(text))

    def open_words(self, properties: dict[str, Any]) -> dict[str, Any]:
        """The properties whose values name no secret."""
        return {key: value for key, value in properties.items() if not self.hidden(f"{key} {value}")}

    def open_or_nothing(self, text: str) -> str:
        """The text, or nothing if it names a secret."""
        return "" if self.hidden(text) else text
