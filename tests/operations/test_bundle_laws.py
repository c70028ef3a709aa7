"""A story is what its bundles say, whatever they say, one after the other."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import BundleInvalid
from fabula.formats.yaml_text import write_yaml
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

NAMES = ["Ann", "Bob", "Cy"]
PAIRS = [("Ann", "Bob"), ("Bob", "Ann"), ("Bob", "Cy")]
PERIODS = st.none() | st.builds(lambda chapter: {"chapter": chapter}, st.integers(0, 1))


@st.composite
def bundles(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Bundles of which no two items mean the same."""
    told: dict[Any, dict[str, Any]] = {}
    for _ in range(draw(st.integers(1, 8))):
        action = draw(st.sampled_from(["upsert", "upsert", "delete"]))
        if draw(st.integers(0, 2)) == 0:
            name = draw(st.sampled_from(NAMES))
            fields = {} if action == "delete" else {"description": draw(st.sampled_from(["", "old", "new"]))}
            told[name] = {"type": "Character", "name": name, "action": action, **fields}
        else:
            source, target = draw(st.sampled_from(PAIRS))
            since = draw(PERIODS)
            fields = {} if since is None else {"since": since}
            chapter = -1 if since is None else since["chapter"]
            one, other = ({"type": "Character", "name": name} for name in (source, target))
            ends = {"source": one, "target": other}
            told[source, target, chapter] = {"type": "ALLY", "action": action, **ends, **fields}
    return list(told.values())


class Plain:
    """A story as a bundle sees it, without a database: names with descriptions, and edges."""

    def __init__(self) -> None:
        self.nodes: dict[str, str] = {}
        self.edges: set[tuple[str, str, int]] = set()

    def take(self, items: list[dict[str, Any]]) -> bool:
        nodes, edges = dict(self.nodes), set(self.edges)
        for item in items:
            if item["action"] != "delete":
                continue
            if item["type"] == "ALLY":
                ends = item["source"]["name"], item["target"]["name"]
                chapter = item["since"]["chapter"] if "since" in item else None
                edges = {one for one in edges if one[:2] != ends or chapter not in (None, one[2])}
            else:
                nodes.pop(item["name"], None)
                edges = {one for one in edges if item["name"] not in one}
        kept = [item for item in items if item["action"] != "delete"]
        nodes |= {item["name"]: item["description"] for item in kept if item["type"] != "ALLY"}
        for item in kept:
            if item["type"] == "ALLY":
                ends = item["source"]["name"], item["target"]["name"]
                if not nodes.keys() >= set(ends):
                    return False
                edges.add((*ends, item["since"]["chapter"] if "since" in item else -1))
        self.nodes, self.edges = nodes, edges
        return True


@settings(
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(bundles(), max_size=5))
def test_a_story_is_what_a_plain_reading_of_its_bundles_makes_it(
    memory: Memory, told: list[list[dict[str, Any]]]
) -> None:
    story = memory.story("s", id=memory.call().clock.new_id())
    plain = Plain()
    everybody = [{"type": "Character", "name": name, "action": "upsert", "description": ""} for name in NAMES]
    for items in [everybody, *told]:
        before = newest(story)
        try:
            story.import_bundle(write_yaml(items))
            assert plain.take(items)
        except BundleInvalid:
            assert not plain.take(items)
            assert newest(story) == before
    known = {entity.id: entity for entity in story.entity.list().items}
    assert {entity.name: entity.description for entity in known.values()} == plain.nodes
    assert {
        (
            known[one.source_entity_id].name,
            known[one.target_entity_id].name,
            one.since.chapter if one.since else -1,
        )
        for one in story.relation.list().items
    } == plain.edges


def newest(story: StoryMemory) -> int:
    return int(story.history.list(limit=1).items[0].revision)
