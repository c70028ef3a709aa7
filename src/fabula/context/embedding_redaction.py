"""What an embedder at another place is not sent: secrets, and the sentences that name them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fabula.context.audience import ModelView
from fabula.context.entity_texts import entity_text
from fabula.index.cache import StoryIndexes
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
            view = ModelView(reader, index, None)
            slots, guarded = index.roster.slot_of, index.lorebook(reader).guarded

            def shown(kind: str, owner: str, text: str) -> str:
                if kind == ENTITIES.kind:
                    slot = slots.get(owner)
                    return "" if slot is None else _open_entity(view, slot)
                is_secret = kind == CUSTOM_ENTRIES.kind and owner in guarded
                return "" if is_secret else view.redaction.blanked(text)

            yield shown

    return Discretion("open", opened, _DECISIVE)


def _open_entity(view: ModelView, slot: int) -> str:
    """What may be told of an entity: redacted as values, for its text is rendered from them."""
    if not view.may_be_told(slot):
        return ""
    (entity,) = view.index.entities(view.reader, [slot])
    return entity_text(view, entity).text
