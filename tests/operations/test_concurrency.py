"""Two at a time on one story."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from fabula.errors import Conflict, EntityConflict, EntityDuplicate, FabulaError
from fabula.memory import Memory
from fabula.story_memory import StoryMemory


def together(*acts: Callable[[], Any]) -> list[Any]:
    """What became of acts that began at the same moment."""
    gate = threading.Barrier(len(acts))
    outcomes: list[Any] = [None] * len(acts)

    def run(number: int, act: Callable[[], Any]) -> None:
        gate.wait()
        try:
            outcomes[number] = act()
        except FabulaError as error:
            outcomes[number] = error

    threads = [threading.Thread(target=run, args=[number, act]) for number, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def split(outcomes: list[Any]) -> tuple[list[Any], list[FabulaError]]:
    errors = [outcome for outcome in outcomes if isinstance(outcome, FabulaError)]
    return [outcome for outcome in outcomes if outcome not in errors], errors


@pytest.mark.parametrize("round_number", range(5))
def test_of_two_updates_one_wins_and_the_other_learns_the_latest(
    memory: Memory, story: StoryMemory, round_number: int
) -> None:
    entity = story.entity.create(type="character", name=f"林远{round_number}")

    def update(text: str) -> Callable[[], Any]:
        return lambda: story.entity.update(
            id=entity.id, expected_version=entity.version, patch={"description": text}
        )

    (winner,), (loser,) = split(together(update("一"), update("二")))
    assert type(loser) is EntityConflict
    now = story.entity.read(id=entity.id)
    assert (now.version, now.description) == (entity.version + 1, winner.description)
    assert loser.details == {
        "expectedVersion": entity.version,
        "latestVersion": now.version,
        "latestSnapshot": now.model_dump(mode="json", by_alias=True),
    }
    details = loser.details or {}
    again = story.entity.update(
        id=entity.id, expected_version=details["latestVersion"], patch={"description": "三"}
    )
    assert again.version == now.version + 1
    assert memory.audit()[0].differing == ()


def test_of_two_of_one_name_one_is_made(story: StoryMemory) -> None:
    made, refused = split(
        together(
            *(
                lambda name=name: story.entity.create(type="item", name=name)
                for name in ("Ａ", "a", "A", " a")
            )
        )
    )
    assert len(made) == 1
    assert [type(error) for error in refused] == [EntityDuplicate] * 3
    assert story.entity.list().total_count == 1


def test_of_two_undos_each_takes_its_own_step(memory: Memory, story: StoryMemory) -> None:
    for name in ("a", "b", "c"):
        story.entity.create(type="item", name=name)
    done, refused = split(together(*[lambda: story.history.undo()] * 4))
    assert sorted(answer.reverted_revision for answer in done) == [2, 3, 4]
    assert [type(error) for error in refused] == [Conflict]
    assert story.entity.list().total_count == 0
    assert memory.audit()[0].differing == ()


@pytest.mark.long
def test_questions_and_changes_do_not_disturb_each_other(memory: Memory, story: StoryMemory) -> None:
    hub = story.entity.create(type="character", name="林远", description="青云宗")

    def write(part: int) -> list[Any]:
        made = []
        for number in range(15):
            other = story.entity.create(type="item", name=f"{part}-{number}")
            made.append(
                story.relation.create(
                    source_entity_id=hub.id, target_entity_id=other.id, relation_type="owns"
                )
            )
        return made

    def ask() -> list[int]:
        counts = []
        for _ in range(60):
            found = story.query.subgraph(center_entity_id=hub.id, k=1)
            assert found.node_count == found.edge_count + 1
            counts.append(found.node_count)
            assert story.query.relevant(excerpt="林远在青云宗").items[0].id == hub.id
        return counts

    first, second, counts, more = together(lambda: write(1), lambda: write(2), ask, ask)
    assert len(first) == len(second) == 15
    assert counts == sorted(counts)
    assert more == sorted(more)
    assert story.query.subgraph(center_entity_id=hub.id, k=1).node_count == 31
    assert memory.audit()[0].differing == ()
