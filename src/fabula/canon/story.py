"""Creating a story."""

from __future__ import annotations

from typing import Any

from fabula.call import Call
from fabula.model.ontology import DEFAULT_RELATION_TYPES
from fabula.model.relation import Language, RelationType
from fabula.model.story import Story
from fabula.store.store import Beginning


def new_story(
    call: Call,
    project_id: str,
    *,
    title: str | None = None,
    language: Language = "zh",
    settings: dict[str, Any] | None = None,
) -> Beginning:
    """Return a new story with the default relation types."""
    now = call.clock.now()
    story = Story.trusted(
        id=project_id,
        title=title or project_id,
        language=language,
        settings=settings or {},
        revision=0,
        entity_count=0,
        relation_count=0,
        created_at=now,
        updated_at=now,
    )
    types = tuple(
        RelationType.trusted(
            id=call.clock.new_id(),
            project_id=project_id,
            key=word.key,
            label=word.zh if language == "zh" else word.en,
            labels={"zh": word.zh, "en": word.en},
            builtin=word.builtin,
            created_at=now,
        )
        for word in DEFAULT_RELATION_TYPES
    )
    return Beginning(story, types)
