"""What a model may hear: of whom, and which part of a text."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.assembly.prose import touched_sentences, without
from fabula.index.story_index import StoryIndex
from fabula.model.level import may_be_told
from fabula.model.lore import LoreEntry
from fabula.model.moment import first_instant, last_instant
from fabula.operations.contexts.remembered import named_in, spoken_of
from fabula.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Ear:
    """The ear of a model at an instant of a story, or at none, for a call that asks for some by id."""

    reader: Reader
    index: StoryIndex
    instant: int | None
    pinned_slots: frozenset[int] = frozenset()
    pinned_entries: frozenset[str] = frozenset()

    @property
    def key(self) -> Hashable:
        """What tells one ear from another in the same edition of a story."""
        return type(self).__name__, self.instant, self.pinned_slots, self.pinned_entries

    def tellable(self) -> NDArray[np.bool_]:
        """Which entities the model may hear of here and now, by slot."""
        return self.index.roster.tellable_at(self.pinned_slots, self.instant)

    def may_be_told(self, slot: int) -> bool:
        """Whether the model may hear of an entity here and now."""
        return self.index.roster.may_be_told(slot, named=slot in self.pinned_slots, instant=self.instant)

    def may_be_read(self, entry: LoreEntry) -> bool:
        """Whether the model may hear of an entry that belongs to no entity here and now."""
        asked = entry.id in self.pinned_entries
        return entry.enabled and may_be_told(entry.ai_context_level, named=asked) and self._holds(entry)

    def _holds(self, entry: LoreEntry) -> bool:
        now = self.instant
        return now is None or first_instant(entry.since) <= now <= last_instant(entry.until)

    def hidden(self, text: str) -> tuple[tuple[int, int], ...]:
        """The places of a text that name something the model must not hear of here and now."""
        guarded = self.index.lorebook(self.reader).guarded
        if not text or not (guarded or self.index.roster.has_secrets()):
            return ()
        for slot in spoken_of(self.reader, self.index, text):
            if bool(guarded) if slot < 0 else not self.may_be_told(slot):
                break
        else:
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

    def blanked(self, text: str) -> str:
        """The text with blanks for the sentences that name a secret: what is left stays where it was."""
        hidden = self.hidden(text)
        if not hidden:
            return text
        kept = list(text)
        for start, end in touched_sentences(text, hidden):
            kept[start:end] = " " * (end - start)
        return "".join(kept)

    def open_words(self, properties: dict[str, Any]) -> dict[str, Any]:
        """The properties whose values name no secret."""
        return {key: value for key, value in properties.items() if not self.hidden(f"{key} {value}")}

    def open_or_nothing(self, text: str) -> str:
        """The text, or nothing if it names a secret."""
        return "" if self.hidden(text) else text


@dataclass(frozen=True, slots=True)
class Eye(Ear):
    """The eye of the author, who may see everything; at an instant, all that is part of the story then."""

    def tellable(self) -> NDArray[np.bool_]:
        """Which entities are part of the story, by slot."""
        return self.index.roster.present_at(self.instant)

    def may_be_told(self, slot: int) -> bool:
        """Whether an entity is part of the story."""
        return self.index.roster.is_present(slot, self.instant)

    def may_be_read(self, entry: LoreEntry) -> bool:
        """Whether an entry holds."""
        return self._holds(entry)

    def hidden(self, text: str) -> tuple[tuple[int, int], ...]:
        """Nothing is hidden from the author."""
        return ()
