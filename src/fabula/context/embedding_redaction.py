"""Redaction of texts before they are sent to a remote embedder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fabula.context.audience import ModelView
from fabula.context.entity_texts import entity_text
from fabula.index.cache import StoryIndexes
from fabula.projections.text_sources import CUSTOM_ENTRIES, ENTITIES, Discretion, Shown
from fabula.store.kinds import ENTITY, ENTRY, STORY
from fabula.store.reader import Reader

# A change to one of these kinds can make another text a secret, or no longer one.
_DECISIVE = frozenset({STORY, ENTITY, ENTRY})


def withholding(indexes: StoryIndexes) -> Discretion:
    """Return a redaction of `never` and `manual_only` in every chapter, but not of what appears later."""

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
    """Return the open text of an entity, redacted as values because its text is rendered from them."""
    if not view.may_be_told(slot):
        return ""
    (entity,) = view.index.entities(view.reader, [slot])
    return entity_text(view, entity).text
