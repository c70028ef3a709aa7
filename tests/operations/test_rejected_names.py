"""A name that somebody said no to, found again."""

from __future__ import annotations

from fabula.story_memory import StoryMemory

TEXT = "沈无咎说道：“走。”沈无咎笑道：“好。”\n" * 3
NAME = {"entity_name": "沈无咎", "confidence": 0.8}


def test_to_rules_a_rejected_name_is_nobody_whatever_its_type(story: StoryMemory) -> None:
    (wrong,) = story.propose({**NAME, "entity_type": "item"}).extractions
    story.review(wrong.id, "rejected")
    again = story.extract(TEXT, extractor="local")
    assert (again.total_extracted, again.skipped.rejected) == (0, 1)


def test_who_reads_for_themselves_may_propose_it_as_something_else(story: StoryMemory) -> None:
    (wrong,) = story.propose({**NAME, "entity_type": "item"}).extractions
    story.review(wrong.id, "rejected")
    assert story.propose({**NAME, "entity_type": "item"}).total_extracted == 0
    assert story.propose({**NAME, "entity_type": "character"}).total_extracted == 1
