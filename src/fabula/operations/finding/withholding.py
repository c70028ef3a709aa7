"""What an embedder at another place is not sent: secrets, and the sentences that name them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fabula.index.cache import StoryIndexes
from fabula.operations.contexts.ear import Ear
from fabula.operations.contexts.entity_texts import entity_text
from fabula.projections.text_sources import CUSTOM_ENTRIES, ENTITIES, Discretion, Shown
from fabula.store.kinds import ENTITY, ENTRY, STORY
from fabula.store.reader import Reader

# With one of these, another text may have become a secret, or be one no longer.
_DECISIVE = frozenset({STORY, ENTITY, ENTRY})


def withholding(indexes: StoryIndexes) -> Discretion:
    """What is `never` or `manual_only` is withheld, whichever chapter it is of; what comes later is not."""

    @contextmanager
    def opened(reader: Reader, project_id: str) -> Iterator[Shown]:
        with indexes.lease(reader, project_id) as index:
            on = Ear(reader, index, None)
            slots, guarded = index.roster.slot_of, index.lorebook(reader).guarded

            def shown(kind: str, owner: str, text: str) -> str:
                if kind == ENTITIES.kind:
                    slot = slots.get(owner)
                    return "" if slot is None else _open_entity(on, slot)
                is_secret = kind == CUSTOM_ENTRIES.kind and owner in guarded
                return "" if is_secret else on.redaction.blanked(text)

            yield shown

    return Discretion("open", opened, _DECISIVE)


def _open_entity(on: Ear, slot: int) -> str:
    """What may be told of an entity: redacted as values, for its text is rendered from them."""
    if not on.may_be_told(slot):
        return ""
    (entity,) = on.index.entities(on.reader, [slot])
    return entity_text(on, entity).text
