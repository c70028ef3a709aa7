"""The audience of an author, who sees everything, or what somebody in the story knows."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabula.context.audience import ModelView
from fabula.context.redaction import Spans
from fabula.index.appearances import NameOfEntity
from fabula.index.identities import NOBODY, ToldIdentity
from fabula.index.lorebook import EntryOwner
from fabula.model.entity import Entity
from fabula.model.lore import LoreEntry


@dataclass(frozen=True, slots=True)
class AuthorView(ModelView):
    """The view of the author, optionally limited to an instant; levels hide nothing, a point of view does."""

    def __post_init__(self) -> None:
        """Need nothing: the author knows what comes later."""

    @property
    def identity(self) -> ToldIdentity:
        """Nobody: the author knows two entities as two; with a point of view, who is who for them."""
        return NOBODY if self.pov is None else super(AuthorView, self).identity

    def is_name_unknown(self, entity_id: str, name: str) -> bool:
        """The author knows every name, a point of view those that it may."""
        return self.pov is not None and super(AuthorView, self).is_name_unknown(entity_id, name)

    def name_in_use(self, entity_id: str) -> str | None:
        """None: for the author, the main name is the identity; with a point of view, the name they know."""
        return None if self.pov is None else super(AuthorView, self).name_in_use(entity_id)

    def as_named(self, entity: Entity) -> Entity:
        """Return the entity as it is, or as the point of view knows it."""
        return entity if self.pov is None else super(AuthorView, self).as_named(entity)

    def tellable(self) -> NDArray[np.bool_]:
        """Return a mask of the entities that are part of the story, by slot."""
        return self.known_among(self.index.roster.present_at(self.instant))

    def may_be_told(self, slot: int) -> bool:
        """Whether an entity is part of the story."""
        return not self.is_not_known(slot) and self.index.roster.is_present(slot, self.instant)

    def may_be_read(self, entry: LoreEntry) -> bool:
        """Whether an entry is valid at this instant."""
        return self.may_be_known(entry)

    def may_be_known(self, entry: LoreEntry) -> bool:
        """The same: nothing is hidden from the author by a level."""
        return self._holds(entry) and not self.is_entry_not_known(entry.id)

    def hidden(self, text: str) -> Spans:
        """Return the spans that name something the point of view does not know; without one, none."""
        return () if self.pov is None else super(AuthorView, self).hidden(text)

    def is_hidden(self, owner: Hashable) -> bool:
        """Whether the point of view does not know the owner of a name."""
        if isinstance(owner, NameOfEntity):
            return self.is_name_unknown(*owner)
        lorebook = self.index.lorebook(self.reader)
        if isinstance(owner, EntryOwner):
            entity_id = lorebook.entity_of.get(owner.entry_id)
            if entity_id is None:
                return self.is_entry_not_known(owner.entry_id)
            owner = entity_id
        slot = self.index.roster.slot_of.get(str(owner))
        return slot is not None and self.is_not_known(slot)
