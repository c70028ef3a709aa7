"""A book says that two are one: what approving it does, and what becomes part of the story."""

from __future__ import annotations

from fabula.extraction.port import Reading
from fabula.memory import Memory
from fabula.model.proposal import FOR_REVIEW, JOINS, LOCAL_READER, TIMES, Draft, ProposalKind
from fabula.operations.proposals.extraction import propose_reading
from fabula.operations.proposals.sorting import ProposalOrigin
from fabula.operations.proposals.values import TextPlace
from fabula.store.log import READ_NOVEL
from fabula.story_memory import StoryMemory

TEXT = "穿云箭石敬来了。"
WHY = [{"name": "穿云箭", "other": "石敬", "reason": "byname", "quotation": TEXT}]


def read(memory: Memory, story: StoryMemory, *drafts: Draft) -> dict[str, str]:
    """The ids of the proposals that a reading makes of these drafts."""
    origin = ProposalOrigin(TextPlace(chapter=0, scene=0), LOCAL_READER, TEXT)
    done = propose_reading(memory.call(), story.id, READ_NOVEL, Reading(list(drafts)), origin)
    return {f"{one.kind}:{one.entity_name}": one.id for one in done.extractions}


def entity(name: str) -> Draft:
    return Draft(
        kind=ProposalKind.ENTITY,
        entity_name=name,
        entity_type="character",
        attributes={TIMES: 12, JOINS: WHY, "office": "guard"},
        source_text=TEXT,
        confidence=0.9,
    )


SAME = Draft(
    kind=ProposalKind.ALIAS,
    entity_name="穿云箭",
    entity_type="character",
    attributes={"aliasOf": "石敬", TIMES: 12, JOINS: WHY},
    source_text=TEXT,
    confidence=0.7,
)


def test_what_helps_the_reviewer_never_becomes_part_of_the_story(memory: Memory, story: StoryMemory) -> None:
    ids = read(memory, story, entity("石敬"))
    assert FOR_REVIEW & story.extraction.read(extraction_id=ids["entity:石敬"]).attributes.keys()
    story.review(ids["entity:石敬"], "approved")
    (made,) = story.entity.list().items
    assert made.attributes == {"office": "guard"}
    assert read(memory, story, entity("石敬")) == {}


def test_approving_that_two_are_one_merges_them_in_one_step(memory: Memory, story: StoryMemory) -> None:
    ids = read(memory, story, entity("石敬"), entity("穿云箭"), SAME)
    for name in ("石敬", "穿云箭"):
        story.review(ids[f"entity:{name}"], "approved")
    waiting = story.extraction.read(extraction_id=ids["alias:穿云箭"])
    assert waiting.attributes[JOINS] == WHY
    story.review(ids["alias:穿云箭"], "approved")
    (one,) = story.entity.list().items
    assert (one.name, one.aliases) == ("石敬", ("穿云箭",))
    story.history.undo()
    assert {one.name for one in story.entity.list().items} == {"石敬", "穿云箭"}


def test_two_names_of_which_one_was_never_an_entity_become_one(memory: Memory, story: StoryMemory) -> None:
    ids = read(memory, story, entity("石敬"), SAME)
    story.review(ids["entity:石敬"], "approved")
    story.review(ids["alias:穿云箭"], "approved")
    (one,) = story.entity.list().items
    assert one.aliases == ("穿云箭",)
