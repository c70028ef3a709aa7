"""What is read from a text that stands in a saved scene has evidence, whoever read it."""

from __future__ import annotations

import pytest

from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from fabula.operations.proposals.values import Extraction, ProposeResponse
from fabula.story_memory import StoryMemory

SCENE = "It rained. Dora Lane was a nurse. Dora Lane smiled at Dr. Hale."
PASSAGE = "Dora Lane was a nurse. Dora Lane smiled at Dr. Hale."


def read(story: StoryMemory, text: str) -> tuple[Extraction, ...]:
    answer = story.extraction.extract(text=text, chapter=2, scene=0, extractor="local")
    assert isinstance(answer, ProposeResponse)
    return answer.extractions


@pytest.mark.parametrize("text", [SCENE, PASSAGE])
def test_a_text_of_a_saved_scene_is_evidence_and_its_facts_become_stale(memory: Memory, text: str) -> None:
    story = memory.story("Ward", language="en")
    story.scene(2, 0, SCENE)
    found = read(story, text)
    story.extraction.review_many(decision={"action": "approved", "ids": [one.id for one in found]})
    (dora,) = (one for one in story.entity.list().items if one.name == "Dora Lane")
    proof = story.evidence.list(kind="entity", id=dora.id).items
    assert "Dora Lane was a nurse." in [one.quotation for one in proof]
    story.scene(2, 0, "Nobody came.")
    assert dora.id in [one.id for one in story.stale.list().items]


def test_what_an_agent_proposes_of_a_saved_scene_is_evidence(memory: Memory) -> None:
    story = memory.story("Ward", language="en")
    story.scene(2, 0, SCENE)
    find = {
        "entity_name": "Dora Lane",
        "entity_type": "character",
        "confidence": 0.9,
        "source_text": "Dora Lane was a nurse.",
    }
    made = TOOLS["propose_extractions"].operation(
        memory.call(), project_id=story.id, chapter=2, scene=0, text=PASSAGE, proposals=[find]
    )
    story.extraction.review_many(decision={"action": "approved", "ids": [made.proposals[0].id]})
    (dora,) = story.entity.list().items
    assert [one.quotation for one in story.evidence.list(kind="entity", id=dora.id).items] == [
        "Dora Lane was a nurse."
    ]


def test_a_text_that_stands_in_no_saved_scene_is_no_evidence(memory: Memory) -> None:
    story = memory.story("Ward", language="en")
    story.scene(2, 0, "Nobody came.")
    found = read(story, PASSAGE)
    assert {one.manuscript_id for one in found} == {None}
