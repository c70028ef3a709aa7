"""Stories full of private facts, asked on every door from every point of view.

A word that only a private fact holds reaches nobody who does not know the fact.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest
from doors_for_models import WITHOUT_A_MOMENT, answers
from private_story import PrivateStory

from effort import examples
from fabula.memory import Memory

MARK = re.compile(r"zq\d{4}")
NOW = (0, 3)
LATER = frozenset({"preview"})


@pytest.mark.parametrize("seed", range(1, 1 + examples(6)))
def test_nobody_hears_a_private_fact_that_they_do_not_know(memory: Memory, seed: int) -> None:
    private = PrivateStory(memory, seed)
    names = [one.name for one in private.people]
    every = {mark for marks in private.facts.values() for mark in marks}
    heard: Counter[str] = Counter()
    for knower in private.people[:2]:
        ever = private.known_marks(knower, None)
        now = private.known_marks(knower, NOW)
        for door, said in answers(memory, private.id, names, "What is here?", NOW, pov=knower.name):
            known = ever if door in WITHOUT_A_MOMENT else ever | now if door in LATER else now
            found = set(MARK.findall(said))
            assert not found & (every - known), f"seed {seed}, {door}, {knower.name}: {said}"
            heard[door] += len(set(re.findall(r"ok\d{4}", said)) & private.open_marks)
    # Withholding everything would keep every secret, too.
    for door in ("context", "retrieve", "get_entity", "chat", "graph as seen"):
        assert heard[door], f"{door} tells nothing"


@pytest.mark.parametrize("seed", range(1, 1 + examples(6)))
def test_knowledge_only_grows_and_undo_restores_it(memory: Memory, seed: int) -> None:
    private = PrivateStory(memory, seed)

    def known(place: tuple[int, int]) -> dict[str, set[str]]:
        return {one.name: private.known_marks(one, place) for one in private.people}

    held = {scene: known((0, scene)) for scene in range(4)}
    forgetful = {one.knower_id for one in private.story.knowing.list().items if one.belief or not one.knows}
    for scene in range(3):
        for person in private.people:
            if person.id not in forgetful and not _belongs(private, person):
                assert held[scene][person.name] <= held[scene + 1][person.name]
    for one in private.story.knowing.list().items[:2]:
        private.story.knowing.delete(id=one.id)
        private.story.history.undo()
    assert {scene: known((0, scene)) for scene in range(4)} == held


def _belongs(private: PrivateStory, person: object) -> bool:
    """Whether somebody is a member of the guild, which may hold a wrong belief."""
    return any(
        one.relation_type == "belongs_to" and one.source_entity_id == person.id  # type: ignore[attr-defined]
        for one in private.story.relation.list().items
    )
