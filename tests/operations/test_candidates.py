"""What asks for a place in a context is redacted before any section sees it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from fabula.assembly.pieces import Weighed
from fabula.assembly.sections import SECTIONS
from fabula.assembly.setting import SceneSetting
from fabula.context.candidates.catalogue import CANDIDATES, Question
from fabula.context.candidates.gathering import stage
from fabula.context.detection import detect
from fabula.context.edition_cache import snapshots_before
from fabula.memory import Memory
from fabula.model.moment import Moment, first_instant
from fabula.projections.meaning import NO_MEANING
from fabula.story_memory import StoryMemory
from fabula.tokens import counter

MOMENT = Moment(chapter=3, scene=0)
TEXT = "江离走进地窖，看见盐先生、陶婆和沈潮，想起毒酒。"
LATER = {"chapter": 9}
# Words of what the author hides, and of what is not part of the story yet.
HIDDEN = ("盐先生", "他下了毒", "陶婆", "她藏着账本", "沈潮", "他会归来", "毒酒", "暗号是灯")
FOR_THE_AUTHOR = ("title", "matches")


@pytest.fixture
def secretive(story: StoryMemory) -> StoryMemory:
    li = story.entity.create(
        type="character", name="江离", description="她守灯。她怕盐先生。", ai_context_level="always"
    )
    hidden = [
        story.entity.create(
            type="character", name="盐先生", description="他下了毒。", ai_context_level="never"
        ),
        story.entity.create(
            type="character", name="陶婆", description="她藏着账本。", ai_context_level="manual_only"
        ),
        story.entity.create(type="character", name="沈潮", description="他会归来。", since=LATER),
    ]
    story.entry("毒酒", "暗号是灯。", ai_context_level="never")
    for one in hidden:
        story.relation.create(source_entity_id=li.id, target_entity_id=one.id, relation_type="ally")
    story.event.create(name="夜谈", summary="江离点灯。盐先生来过。", roles=["江离"], moment={"chapter": 1})
    story.scene(1, 0, "江离点灯。盐先生来过。陶婆不说话。" * 3)
    people = [{"name": name, "currentState": "盐先生在旁"} for name in ("江离", "盐先生", "沈潮")]
    story.snapshot(2, 0, "江离点灯。盐先生走了。", active_characters=people)
    return story


def candidates(memory: Memory, story: StoryMemory) -> dict[str, list[dict[str, Any]]]:
    """The candidates of each section, field by field."""
    call = memory.call()
    with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
        index.build_for_text(reader)
        question = Question(
            stage(reader, index, MOMENT, TEXT, ()),
            SceneSetting(first_instant(MOMENT), "zh", counter("o200k_base"), TEXT),
            detect(reader, index, TEXT),
            snapshots_before(reader, index, MOMENT),
            NO_MEANING,
            4000,
        )
        asking = {section.key: CANDIDATES[section.key](question) for section in SECTIONS}
    return {key: [asdict(one) for one in _each(found)] for key, found in asking.items()}


def _each(found: Any) -> list[Any]:
    if isinstance(found, Weighed):
        kept = [candidate for piece in found.kept for candidate in piece.candidates]
        return kept + [dropped.candidate for dropped in found.dropped]
    return list(found)


def test_no_section_sees_what_its_audience_may_not_hear(memory: Memory, secretive: StoryMemory) -> None:
    asking = candidates(memory, secretive)
    seen = str([{**one, **dict.fromkeys(FOR_THE_AUTHOR)} for own in asking.values() for one in own])
    assert [word for word in HIDDEN if word in seen] == []
    assert "她守灯" in seen
    assert "江离点灯" in seen


def test_the_author_still_learns_what_was_left_out(memory: Memory, secretive: StoryMemory) -> None:
    trace = {item.label: item.reason for item in secretive.context(3, 0, TEXT).trace if item.kind == "entry"}
    assert trace == {
        "江离": "always",
        "盐先生": "level_never",
        "陶婆": "level_manual_only",
        "沈潮": "not_yet",
        "毒酒": "level_never",
    }
