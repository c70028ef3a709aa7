"""What is known, revealed and dated follows every change of the story around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabula.memory import Memory
from fabula.story_memory import StoryMemory


@pytest.fixture
def cast(story: StoryMemory) -> dict[str, str]:
    return {
        name: story.entity.create(type="character", name=name, description=f"{name} is here.").id
        for name in ("Ann", "Bob", "Cid", "Dee")
    }


def names_of(story: StoryMemory, entity_id: str) -> list[tuple[str, tuple[str, ...] | None]]:
    return [(one.name, one.known_to) for one in story.entity.read(id=entity_id).names]


def whispered(story: StoryMemory, cast: dict[str, str]) -> None:
    """Let Bob and Cid know Ann as Mrs Salt, and that she is Dee."""
    known = [cast["Bob"], cast["Cid"]]
    patch = {"names": [{"name": "Mrs Salt", "knownTo": known}, {"name": "Auntie"}]}
    story.entity.update(id=cast["Ann"], expected_version=1, patch=patch)
    story.reveal.create(entity_ids=[cast["Ann"], cast["Dee"]], at={"chapter": 2}, known_to=known)


def test_who_takes_somebodys_place_knows_their_names_and_identities(
    story: StoryMemory, cast: dict[str, str]
) -> None:
    whispered(story, cast)
    eve = story.entity.create(type="character", name="Eve").id
    story.entity.merge(target_entity_id=eve, source_entity_ids=[cast["Bob"]])
    known = (eve, cast["Cid"])
    assert names_of(story, cast["Ann"]) == [("Mrs Salt", known), ("Auntie", None)]
    assert story.reveal.list().items[0].known_to == known
    story.history.undo()
    before = (cast["Bob"], cast["Cid"])
    assert names_of(story, cast["Ann"]) == [("Mrs Salt", before), ("Auntie", None)]
    assert story.reveal.list().items[0].known_to == before


def test_who_is_deleted_no_longer_knows_anything(story: StoryMemory, cast: dict[str, str]) -> None:
    whispered(story, cast)
    story.entity.delete(id=cast["Bob"])
    known = (cast["Cid"],)
    assert names_of(story, cast["Ann"]) == [("Mrs Salt", known), ("Auntie", None)]
    assert story.reveal.list().items[0].known_to == known
    story.entity.delete(id=cast["Cid"])
    # Nobody is left who knows, which is not everybody.
    assert names_of(story, cast["Ann"])[0] == ("Mrs Salt", ())
    assert story.reveal.list().items[0].known_to == ()
    ann = story.entity.read(id=cast["Ann"])
    story.entity.update(id=ann.id, expected_version=ann.version, patch={"description": "Ann waits."})
    for _ in range(3):
        story.history.undo()
    before = (cast["Bob"], cast["Cid"])
    assert names_of(story, cast["Ann"])[0] == ("Mrs Salt", before)
    assert story.reveal.list().items[0].known_to == before


def test_a_scene_takes_its_world_time_along_and_undo_brings_it_back(story: StoryMemory) -> None:
    for scene, day in enumerate((0, -10, None, 5)):
        story.scene(
            0, scene, f"Scene {scene}.", world_time=None if day is None else {"day": day, "label": "x"}
        )

    def days() -> list[tuple[str, float | None]]:
        read = [story.ask("manuscript.scene.read", chapter=0, scene=scene) for scene in range(4)]
        return [(one.text, None if one.world_time is None else one.world_time.day) for one in read]

    before = days()
    story.ask("manuscript.scene.move", chapter=0, scene=1, to={"chapter": 0, "scene": 3})
    assert sorted(days()) == sorted(before)
    assert days() != before
    story.history.undo()
    assert days() == before
    story.scene_time(0, 2, {"day": 7})
    assert days()[2] == ("Scene 2.", 7)
    story.history.undo()
    assert days() == before


def _all_of_it(story: StoryMemory) -> dict[str, Any]:
    """Everything that is known, revealed and dated, without when it was written."""
    aside = {"created_at", "updated_at", "version", "project_id", "revision"}

    def plain(values: Any) -> list[Any]:
        return sorted((one.model_dump(mode="json", exclude=aside) for one in values), key=str)

    people = sorted(story.entity.list().items, key=lambda one: one.id)
    return {
        "knowings": plain(story.knowing.list().items),
        "reveals": plain(story.reveal.list().items),
        "people": plain(people),
        "states": [plain(story.state.list(entity_id=one.id).items) for one in people],
        "told": [(one.kind, one.day) for one in story.timeline("told").items],
    }


def test_a_folder_keeps_all_of_it(
    memory: Memory, story: StoryMemory, cast: dict[str, str], tmp_path: Path
) -> None:
    whispered(story, cast)
    story.scene(0, 0, "Ann hid the key. Bob saw it.", world_time={"day": -3, "label": "the eve"})
    scene = story.ask("manuscript.scene.read", chapter=0, scene=0)
    story.scene(1, 0, "Rain.", world_time={"day": 0})
    state = story.state.create(
        entity_id=cast["Ann"],
        description="Ill.",
        secrecy="private",
        valid_from={"day": -2.5},
        told={"chapter": 1},
    )
    fact = {"kind": "state", "id": state.id}
    story.event.create(
        name="The hiding", summary="A key.", roles=["Ann"], tells=[fact], world_time={"day": -3}
    )
    story.knowing.create(
        fact=fact,
        knower_id=cast["Bob"],
        since={"chapter": 0, "scene": 0},
        until={"chapter": 1},
        how="witnessed",
        source={"scene_id": scene.id, "quotation": "Bob saw it."},
    )
    story.knowing.create(fact=fact, knower_id=cast["Cid"], how="believes", belief="She has a cold.")
    story.knowing.create(fact=fact, knower_id=cast["Dee"], knows=False)
    kept = _all_of_it(story)
    story.export(tmp_path / "out")
    assert _all_of_it(memory.import_story(tmp_path / "out")) == kept
