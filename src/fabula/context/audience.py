"""Audiences: which entities and which parts of a text an author or a model may see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.context.edition_cache import (
    confirmed_covers,
    kept_redaction,
    origins_of,
    secrets_spoken_of,
)
from fabula.context.name_origins import NameOrigin
from fabula.context.redaction import Redaction, Spans
from fabula.index.deadline import Deadline
from fabula.index.lorebook import EntryOwner
from fabula.index.story_index import StoryIndex
from fabula.matching import Match, Term
from fabula.matching.matcher import TimeCheck
from fabula.model.audience import OpenText
from fabula.model.entity import Entity
from fabula.model.level import may_be_told
from fabula.model.lore import LoreEntry
from fabula.model.moment import first_instant, last_instant
from fabula.model.names import name_key
from fabula.model.story_settings import Cover
from fabula.store.reader import Reader


@dataclass(frozen=True, slots=True)
class ModelView:
    """What a model may see of a story, at an instant or at all times, with pinned entities and entries."""

    reader: Reader
    index: StoryIndex
    instant: int | None
    pinned_slots: frozenset[int] = frozenset()
    pinned_entries: frozenset[str] = frozenset()
    deadline: Deadline | None = field(default=None, kw_only=True)

    @property
    def key(self) -> Hashable:
        """A key that distinguishes this view from others of the same edition of a story."""
        return type(self).__name__, self.instant, self.pinned_slots, self.pinned_entries

    @property
    def redaction(self) -> Redaction:
        """The redaction of values for this view."""
        return Redaction(self.hidden)

    def tellable(self) -> NDArray[np.bool_]:
        """Return a mask of the entities the model may see at this instant, by slot."""
        return self.index.roster.tellable_at(self.pinned_slots, self.instant)

    def may_be_told(self, slot: int) -> bool:
        """Whether the model may see an entity at this instant."""
        return self.index.roster.may_be_told(slot, named=slot in self.pinned_slots, instant=self.instant)

    def may_be_read(self, entry: LoreEntry) -> bool:
        """Whether the model may see a custom entry at this instant."""
        asked = entry.id in self.pinned_entries
        return entry.enabled and may_be_told(entry.ai_context_level, named=asked) and self._holds(entry)

    def _holds(self, entry: LoreEntry) -> bool:
        now = self.instant
        return now is None or first_instant(entry.since) <= now <= last_instant(entry.until)

    def prose(self, text: str) -> OpenText:
        """Return the text without the sentences that name a secret."""
        return self.redaction.prose(text)

    def label(self, text: str) -> OpenText:
        """Return the text, or an empty text if it names a secret."""
        return self.redaction.label(text)

    def json(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the value without anything that names a secret, at any depth."""
        return self.redaction.json(value)

    def own_names(self, entity: Entity) -> tuple[OpenText, ...]:
        """Return the names of an open entity, name first, without aliases that would reveal a secret.

        Empty if the name itself would reveal one; the entity must not be mentioned then.
        """
        return kept_redaction(self.index, (self.key, entity.id), entity.name, lambda: self._own_names(entity))

    def _own_names(self, entity: Entity) -> tuple[OpenText, ...]:
        if not self._is_open_name(entity.id, entity.name):
            return ()
        others = (one for one in entity.aliases if self._is_open_name(entity.id, one, is_alias=True))
        return OpenText(entity.name), *map(OpenText, others)

    def entry_name(self, entry: LoreEntry) -> OpenText:
        """Return the title of an entry, or an empty text if it would reveal a secret."""
        title = entry.display_name or entry.entry_key
        return OpenText(title if self._is_open_name(entry.id, title) else "")

    def _is_open_name(self, row_id: str, name: str, *, is_alias: bool = False) -> bool:
        """Whether a name of something open contains nothing hidden, or the author allows it.

        An open and a hidden entity may share a name; but an alias equal to a hidden name would reveal who
        an open entity is.
        """
        return not self.hidden(name) or all(
            self._may_cover(row_id, name, match)
            and not (is_alias and (match.start, match.end) == (0, len(name)))
            for match in self.secrets_in(name)
        )

    def hidden(self, text: str) -> Spans:
        """Return the spans of a text that name something hidden from the model at this instant."""
        if not text or not self._has_secrets():
            return ()
        if not any(map(self._is_hidden, secrets_spoken_of(self.reader, self.index, text, self._watch))):
            return ()
        return kept_redaction(self.index, self.key, text, lambda: self._hidden_places(text))

    def _has_secrets(self) -> bool:
        return self.index.roster.has_secrets() or bool(self.index.lorebook(self.reader).guarded)

    def _hidden_places(self, text: str) -> Spans:
        secrets = self.secrets_in(text)
        longer = self.index.names(self.reader).outermost(text, self._is_open, self._watch)
        begins = [match.start for match in longer]
        hidden: list[tuple[int, int]] = []
        for secret in secrets:
            if self._watch is not None:
                self._watch(len(hidden))
            last = bisect_right(begins, secret.start)
            # No span contains another, so those that begin earlier also end earlier.
            while last and longer[last - 1].end >= secret.end:
                if self._is_covered(text, secret, longer[last - 1]):
                    break
                last -= 1
            else:
                hidden.append((secret.start, secret.end))
        return tuple(hidden)

    def check_time(self) -> None:
        """Raise QueryTimeout if the query's deadline has passed."""
        if self.deadline is not None:
            self.deadline.check(0)

    @property
    def _watch(self) -> TimeCheck | None:
        return None if self.deadline is None else self.deadline.check

    def _is_open(self, owner: Hashable) -> bool:
        return not self._is_hidden(owner)

    def secrets_in(self, text: str) -> list[Match]:
        """Return every occurrence of a hidden name in a text, whether or not a longer name covers it."""
        return self.index.secret_names(self.reader).outermost(text, self._is_hidden, self._watch)

    def _is_hidden(self, owner: Hashable) -> bool:
        """Whether the owner of a secret name is hidden from the model at this instant."""
        slots = self.index.roster.slot_of
        if not isinstance(owner, EntryOwner):
            slot = slots.get(str(owner))
            return slot is not None and not self.may_be_told(slot)
        lorebook = self.index.lorebook(self.reader)
        entity_id = lorebook.entity_of.get(owner.entry_id)
        if entity_id is not None:
            return not self.may_be_told(slots[entity_id])
        level = lorebook.guarded.get(owner.entry_id)
        return level is not None and not may_be_told(level, named=owner.entry_id in self.pinned_entries)

    def _is_covered(self, text: str, secret: Match, longer: Match) -> bool:
        """Whether a secret name is only part of a longer, open name that the author allows."""
        if (longer.start, longer.end) == (secret.start, secret.end):
            return False
        name = text[longer.start : longer.end]
        start, end = secret.start - longer.start, secret.end - longer.start
        for hit in self.index.names(self.reader).find_all(name):
            is_longer = hit.start <= start and end <= hit.end and (hit.start, hit.end) != (start, end)
            if is_longer and not self._is_hidden(hit.owner):
                row_id = hit.owner.entry_id if isinstance(hit.owner, EntryOwner) else str(hit.owner)
                if self._may_cover(row_id, hit.term, secret):
                    return True
        return False

    def _may_cover(self, row_id: str, name: str, secret: Match) -> bool:
        """Whether the author allows a name although it contains a secret name.

        A name read from the manuscript covers entities that are hidden only because they appear later.
        """
        origin = origins_of(self.reader, self.index, row_id).get(name_key(name), NameOrigin.OTHERS)
        return all(
            origin is NameOrigin.AUTHOR
            or (origin is NameOrigin.MANUSCRIPT and self._only_comes_later(term))
            or Cover(name_key(name), name_key(term.text)) in confirmed_covers(self.reader, self.index)
            for term in secret.terms
        )

    def _only_comes_later(self, term: Term) -> bool:
        """Whether an entity is hidden only because of the moment and not by its context level."""
        owner = term.owner
        lorebook = self.index.lorebook(self.reader)
        entity_id = lorebook.entity_of.get(owner.entry_id) if isinstance(owner, EntryOwner) else str(owner)
        slot = None if entity_id is None else self.index.roster.slot_of.get(entity_id)
        return slot is not None and may_be_told(
            self.index.roster.levels[slot], named=slot in self.pinned_slots
        )


@dataclass(frozen=True, slots=True)
class AuthorView(ModelView):
    """The view of the author, from whom nothing is hidden, optionally limited to an instant."""

    def tellable(self) -> NDArray[np.bool_]:
        """Return a mask of the entities that are part of the story, by slot."""
        return self.index.roster.present_at(self.instant)

    def may_be_told(self, slot: int) -> bool:
        """Whether an entity is part of the story."""
        return self.index.roster.is_present(slot, self.instant)

    def may_be_read(self, entry: LoreEntry) -> bool:
        """Whether an entry is valid at this instant."""
        return self._holds(entry)

    def hidden(self, text: str) -> Spans:
        """Return no spans: nothing is hidden from the author."""
        return ()
