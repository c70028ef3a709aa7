"""A story that goes out as files and comes in again is the same story, to the byte and through every door."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from starlette.testclient import TestClient

from any_story import STEPS, Teller
from effort import examples
from every_step import SOMETHING_OF_EVERYTHING, Step
from fabula.api.app import create_app
from fabula.errors import Conflict, NotFound
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.operations.import_export.export_story import export_file
from fabula.operations.import_export.import_folder import import_archive, import_story, read_archive
from fabula.samples import SAMPLES, load_sample
from fabula.story_memory import StoryMemory
from faulty import rounds
from postgres import place_at

API = "/api/v2"
# What an export does not hold, and what follows from it.
# The dice of a context go by the story's id.
LEFT_OUT = {"createdAt", "updatedAt", "version", "projectId", "storyId", "revision", "queryCostMs", "seed"}
# History, jobs, accounts and vectors stay where they are; contexts and searches are asked for below.
OTHER_DOORS = ("history", "jobs", "members", "live", "embeddings", "export")


class House:
    """A memory and the doors to it."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.app = create_app(memory, version="0")
        self.client = TestClient(self.app, base_url="http://127.0.0.1", raise_server_exceptions=True)
        self.addresses = [
            path
            for path, item in self.app.openapi()["paths"].items()
            if "get" in item and path.startswith(f"{API}/stories/{{storyId}}") and path.count("{") == 1
        ]

    def new_story(self) -> StoryMemory:
        begun = self.client.post(f"{API}/stories", json={"title": "任意"})
        return StoryMemory(self.memory, begun.json()["id"])

    def files(self, story_id: str) -> bytes:
        with export_file(self.memory.call(), project_id=story_id, format="zip") as file:
            return file.read()

    def seen(self, story_id: str) -> dict[str, Any]:
        """What the doors show of a story, without times, versions and the story's own id."""
        story = StoryMemory(self.memory, story_id)
        shown: dict[str, Any] = {}
        for address in self.addresses:
            if not address.endswith(OTHER_DOORS):
                asked = {"size": 1000, "q": "林远 一句", "chapter": 2, "scene": 2}
                answer = self.client.get(address.replace("{storyId}", story_id), params=asked)
                shown[address] = answer.json()
        shown["lorebook"] = self.client.get(f"{API}/stories/{story_id}/lorebook/export").json()
        ids = [item.id for item in story.entity.list(limit=1000).items]
        for name, answer in (
            ("entities", story.entity.list(limit=1000)),
            ("relations", story.relation.list(limit=1000)),
            ("types", story.relationtype.list()),
            ("circles", story.query.validate()),
            ("relevant", story.query.relevant(excerpt="林远和Ann在a/b。")),
            ("retrieved", story.query.retrieve(query="林远和Ann在a/b。") if ids else None),
            ("bundle", story.bundle.schema()),
        ):
            shown[name] = None if answer is None else answer.model_dump(mode="json", by_alias=True)
        for key in ids:
            states = story.state.list(entity_id=key)
            around = story.query.subgraph(center_entity_id=key, k=2)
            shown[key] = [part.model_dump(mode="json", by_alias=True) for part in (states, around)]
        return _without(shown, story_id)


def _without(value: Any, story_id: str) -> Any:
    """The value as it can be compared: lists that go by time are sorted by what is in them."""
    if isinstance(value, dict):
        return {key: _without(item, story_id) for key, item in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        items = [_without(item, story_id) for item in value]
        return sorted(items, key=lambda item: json.dumps(item, sort_keys=True, ensure_ascii=False))
    return "the story" if value == story_id else value


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    # A busy machine is no reason to give up.
    limits = Limits(query_timeout_ms=120_000)
    with Memory(place_at(tmp_path_factory.mktemp("house") / "fabula.db"), limits=limits) as memory:
        yield House(memory)


def comes_back(house: House, story_id: str) -> None:
    """Hold a story against the one that its files make."""
    archive = house.files(story_id)
    again = import_archive(house.memory.call(), archive)
    assert house.files(again.story_id) == archive
    assert house.seen(again.story_id) == house.seen(story_id)


@pytest.mark.slow
@settings(max_examples=rounds(examples(15), 200))
@given(steps=STEPS)
def test_any_story_comes_back_to_the_byte_and_through_every_door(house: House, steps: list[Step]) -> None:
    story = house.new_story()
    Teller(house.memory, story).tell(steps)
    comes_back(house, story.id)


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_the_sample_stories_come_back(house: House, sample: str) -> None:
    comes_back(house, load_sample(house.memory, sample).id)


@pytest.mark.long
def test_a_story_with_something_of_everything_comes_back(house: House) -> None:
    story = house.new_story()
    Teller(house.memory, story).tell(SOMETHING_OF_EVERYTHING)
    held = read_archive(house.files(story.id))
    assert {"character", "location", "event"} <= {path.split("/")[1] for path in held if "entities/" in path}
    assert {"lorebook", "manuscript", "proposals"} <= {path.split("/")[0] for path in held}
    assert held["manuscript/0000/0001.md"] == "\ufeff雾。\r\n\n没有换行".encode()
    comes_back(house, story.id)


@pytest.mark.long
def test_a_story_with_an_ontology_of_its_own_comes_back(house: House) -> None:
    story = house.new_story()
    story.entity.create(type="character", name="林远")
    definition = "nodes:\n  Person: {identity: [name], schema: {properties: {name: {type: string}}}}\n"
    story.ontology.write(text=definition)
    story.entity.create(type="person", name="苏晚")
    held = read_archive(house.files(story.id))
    assert held["ontology.yaml"].decode() == definition
    assert b"typeUnlisted: true" in held["entities/character/林远.yaml"]
    comes_back(house, story.id)


def test_what_was_rejected_stays_rejected(house: House) -> None:
    story = house.new_story()
    draft = {"entityName": "灰衣人", "entityType": "character", "sourceText": "灰衣人来了。"}
    story.review(story.propose(draft).extractions[0].id, "rejected")
    again = import_archive(house.memory.call(), house.files(story.id))
    assert StoryMemory(house.memory, again.story_id).propose(draft).skipped.rejected == 1


def test_names_that_are_waited_for_are_waited_for_still(house: House) -> None:
    story = house.new_story()
    story.entity.create(
        type="character", name="林远", attributes={"relations": [{"target": "师父", "type": "师从"}]}
    )
    again = import_archive(house.memory.call(), house.files(story.id))
    other = StoryMemory(house.memory, again.story_id)
    assert other.relation.list().total_count == 0
    other.entity.create(type="character", name="师父")
    assert [item.relation_type for item in other.relation.list().items] == ["师从"]


def test_an_import_is_one_step_that_can_be_taken_back(house: House) -> None:
    story = house.new_story()
    story.entity.create(type="character", name="林远")
    again = import_archive(house.memory.call(), house.files(story.id))
    other = StoryMemory(house.memory, again.story_id)
    other.history.undo()
    assert other.entity.list().total_count == 0
    assert house.memory.audit()[0].differing == ()


def test_only_an_empty_story_takes_another_in(house: House) -> None:
    story, empty = house.new_story(), house.new_story()
    story.scene(0, 0, "一。")
    files = read_archive(house.files(story.id))
    assert import_story(house.memory.call(), files, empty.id).story_id == empty.id
    assert house.files(empty.id) == house.files(story.id)
    with pytest.raises(Conflict):
        import_story(house.memory.call(), files, empty.id)
    with pytest.raises(NotFound):
        import_story(house.memory.call(), files, "nowhere")
