"""What an embedder at another place is not sent: secrets, and the sentences that name them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fabula.index.cache import StoryIndexes
from fabula.operations.contexts.ear import Ear
from fabula.projections.embeddings import CUSTOM_ENTRIES, ENTITIES, Discretion, Shown
from fabula.store.reader import Reader

# With one of these, another text may have become a secret, or be one no longer.
_DECISIVE = ("story", "entity", "entry")


def open_text(on: Ear, text: str) -> str:
    """The text with blanks for the sentences that name a secret."""
    return on.blanked(text)


def withholding(indexes: StoryIndexes) -> Discretion:
    """What is `never` or `manual_only` is withheld, whichever chapter it is of; what comes later is not."""

    @contextmanager
    def opened(reader: Reader, project_id: str) -> Iterator[Shown]:
        with indexes.lease(reader, project_id) as index:
            on = Ear(reader, index, None)
            slots, guarded = index.roster.slot_of, index.lorebook(reader).guarded

            def is_secret(kind: str, owner: str) -> bool:
                if kind == ENTITIES.kind:
                    slot = slots.get(owner)
                    return slot is None or not on.may_be_told(slot)
                return kind == CUSTOM_ENTRIES.kind and owner in guarded

            yield lambda kind, owner, text: "" if is_secret(kind, owner) else open_text(on, text)

    return Discretion("open", opened, _DECISIVE)
