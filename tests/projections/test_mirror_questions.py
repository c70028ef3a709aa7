"""Questions to the graph: the same answers from the built-in index and from a real graph server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from any_story import MOMENT, NUMBER, PROSE, STEPS, Teller
from effort import examples
from every_step import Step
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.graph import GraphNode
from fabula.model.moment import Moment
from fabula.model.story import Limits
from fabula.model.wire import Value
from fabula.operations.graph import graph_patterns, graph_view
from fabula.operations.stories import create_story
from fabula.store.reader import EntityFilter
from fabula.story_memory import StoryMemory
from graph_server import PASSWORD, USER, server_at
from postgres import place_at

pytestmark = [pytest.mark.slow, pytest.mark.every_engine]

PEOPLE, PLACES, EVENTS = ("林远", "苏晚", "Ann", "ANNA"), ("a_b", "a/b"), ("起", "承", "转", "合")
LEVELS = st.sampled_from(("always", "when_detected", "manual_only", "never"))
CHAPTER = st.integers(0, 3)


def _named(kind: str, names: tuple[str, ...]) -> st.SearchStrategy[Step]:
    return st.tuples(
        st.just("entity"),
        st.fixed_dictionaries(
            {
                "type": st.just(kind),
                "name": st.sampled_from(names),
                "aiContextLevel": LEVELS,
                "significance": st.sampled_from((0.1, 0.5, 0.9)),
                "since": MOMENT,
                "attributes": st.sampled_from(({}, {"chapterIndex": 2}, {"chapterIndex": "二"})),
            }
        ),
    )


WORLD = st.lists(
    st.one_of(
        _named("character", PEOPLE),
        _named("location", PLACES),
        _named("event", EVENTS),
        st.tuples(
            st.just("relation"),
            st.fixed_dictionaries(
                {
                    "who": NUMBER,
                    "other": NUMBER,
                    "relationType": st.sampled_from(
                        ("located_at", "knows", "follows", "possesses", "participates_in", "师从")
                    ),
                    "properties": st.sampled_from(
                        ({}, {"chapterIndex": 1}, {"chapterIndex": "x", "since": 9})
                    ),
                    "since": MOMENT,
                }
            ),
        ),
        st.tuples(
            st.just("event"),
            st.fixed_dictionaries(
                {
                    "name": st.sampled_from(EVENTS),
                    "roles": st.lists(
                        st.fixed_dictionaries({"name": st.sampled_from(PEOPLE), "role": PROSE}), max_size=3
                    ),
                    "locations": st.lists(
                        st.fixed_dictionaries({"name": st.sampled_from(PLACES)}), max_size=1
                    ),
                    "moment": MOMENT,
                }
            ),
        ),
        st.just(("undo", {})),
    ),
    min_size=6,
    max_size=25,
)


@pytest.fixture
def both(tmp_path: Path, graph_uri: str) -> Iterator[tuple[Memory, Memory]]:
    """The same stories, answered by the index and by a graph server."""
    place, limits = place_at(tmp_path / "fabula.db"), Limits(max_subgraph_nodes=5)
    server = server_at(graph_uri)
    with Memory(place, limits=limits) as index, Memory(place, limits=limits, graph=server) as mirror:
        yield index, mirror


def said(answer: Value) -> dict[str, Any]:
    """An answer, its nodes and edges in an order of their own."""
    plain = answer.model_dump(mode="json", by_alias=True)
    for part in ("nodes", "edges"):
        if part in plain:
            plain[part] = sorted(plain[part], key=lambda one: one["id"])
    return plain


def answer(ask: Any, memory: Memory, story_id: str, **about: Any) -> Any:
    try:
        return said(ask(memory.call(), project_id=story_id, **about))
    except FabulaError as error:
        return error.code


def compare(both: tuple[Memory, Memory], story_id: str) -> None:
    questions: list[tuple[Any, dict[str, Any]]] = [(graph_view.full_graph, {})]
    moments = (None, Moment(chapter=1), Moment(chapter=2, scene=1))
    with both[0].call().store.read() as reader:
        entities = [one.name for one in reader.entity_page(story_id, EntityFilter(), 8, 0).items]
    for name in entities:
        questions += [
            (graph_view.graph_around, {"entity": name, "depth": depth, "as_of": moment})
            for depth in (1, 3)
            for moment in moments
        ]
        questions.append((graph_patterns.timeline, {"entity": name}))
        questions.append((graph_patterns.consequences, {"event": name}))
    questions += [(graph_patterns.chapter_graph, {"chapter": chapter}) for chapter in range(4)]
    for ask, about in questions:
        built_in, mirrored = (answer(ask, memory, story_id, **about) for memory in both)
        assert mirrored == built_in, (ask.name, about)


@pytest.mark.scenario("MEMORY-GOAL-GRAPH")
@settings(max_examples=examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(WORLD, WORLD, STEPS))
def test_index_and_mirror_answer_alike(both: tuple[Memory, Memory], steps: list[Step]) -> None:
    index, _ = both
    story = StoryMemory(index, create_story(index.call(), title="问").id)
    Teller(index, story).tell(steps)
    compare(both, story.id)


# MEMORY 3.1.2, as they stand there.
NEAR = """
MATCH path = (c:Character {storyId: $storyId, name: $entityName})-[*1..3]-(related)
RETURN path
"""
IN_CHAPTER = """
MATCH (c:Character {storyId: $storyId})-[r:LOCATED_AT {chapterIndex: $chapter}]->(l:Location)
OPTIONAL MATCH (c)-[k:KNOWS]-(other:Character)
RETURN c, r, l, k, other
"""
CONSEQUENCES = """
MATCH path = (e:Event {storyId: $storyId})-[:FOLLOWS*1..5]->(subsequent:Event)
WHERE e.name = $eventName
RETURN path ORDER BY length(path)
"""
TIMELINE = """
MATCH (c:Character {storyId: $storyId, name: $charName})-[r]->(target)
RETURN type(r) AS relType, r, target
ORDER BY COALESCE(r.since, r.chapterIndex, 0)
"""


@pytest.mark.scenario(
    "MEMORY-PATTERN-HOPS", "MEMORY-PATTERN-CHAPTER", "MEMORY-PATTERN-CAUSES", "MEMORY-PATTERN-TIMELINE"
)
def test_the_statements_of_the_source_find_what_the_addresses_answer(
    both: tuple[Memory, Memory], graph_uri: str
) -> None:
    _, mirror = both
    story = mirror.story("青云", language="zh")
    for kind, names in {
        "character": ("林逸", "苏瑶", "赵无极"),
        "location": ("青云山",),
        "event": ("试炼", "大比", "下山"),
        "item": ("寒霜剑",),
    }.items():
        story.batch.upsert(entities=[{"type": kind, "name": name} for name in names])
    story.batch.upsert(
        relations=[
            {"sourceName": source, "targetName": target, "relationType": word, **fields}
            for source, word, target, fields in (
                ("林逸", "located_at", "青云山", {"since": {"chapter": 5, "scene": 2}}),
                ("苏瑶", "knows", "林逸", {"since": {"chapter": 1}}),
                ("林逸", "rivals", "赵无极", {"since": {"chapter": 3}}),
                ("林逸", "owns", "寒霜剑", {"since": {"chapter": 4}}),
                ("试炼", "follows", "大比", {}),
                ("大比", "follows", "下山", {}),
            )
        ]
    )
    call = mirror.call()
    around = graph_view.graph_around(call, project_id=story.id, entity="林逸", depth=3, as_of=None)
    chapter = graph_patterns.chapter_graph(call, project_id=story.id, chapter=5)
    after = graph_patterns.consequences(call, project_id=story.id, event="试炼")
    line = graph_patterns.timeline(call, project_id=story.id, entity="林逸")
    with neo4j.GraphDatabase.driver(graph_uri, auth=(USER, PASSWORD)) as driver:

        def asked(statement: str, **given: Any) -> list[neo4j.Record]:
            return driver.execute_query(statement, storyId=story.id, **given).records

        near = asked(NEAR, entityName="林逸")
        assert {node["name"] for found in near for node in found["path"].nodes} == names_of(around.nodes)
        (here,) = asked(IN_CHAPTER, chapter=5)
        assert {here[one]["name"] for one in ("c", "l", "other")} == names_of(chapter.nodes)
        assert {here["r"].type, here["k"].type} == {edge.type for edge in chapter.edges}
        paths = [found["path"] for found in asked(CONSEQUENCES, eventName="试炼")]
        chain = [[node["name"] for node in path.nodes] for path in paths]
        assert chain == [["试炼", "大比"], ["试炼", "大比", "下山"]]
        assert [node.name for node in after.nodes] == chain[-1]
        turns = [(found["relType"], found["target"]["name"]) for found in asked(TIMELINE, charName="林逸")]
    assert turns == [("RIVALS", "赵无极"), ("POSSESSES", "寒霜剑"), ("LOCATED_AT", "青云山")]
    assert [item.target.name for item in line.items] == [name for _, name in turns]


def names_of(nodes: Iterable[GraphNode]) -> set[str]:
    return {node.name for node in nodes}


def test_depths_and_names_are_refused_alike(both: tuple[Memory, Memory]) -> None:
    index, _ = both
    story = index.story("问", language="zh")
    story.entity.create(type="character", name="林远")
    for name, depth in (("林远", 4), ("无人", 1), (" ", 1)):
        built_in, mirrored = (
            answer(graph_view.graph_around, memory, story.id, entity=name, depth=depth) for memory in both
        )
        assert mirrored == built_in
        assert isinstance(mirrored, str)


def test_the_text_of_an_answer_hides_what_a_model_may_not_hear(both: tuple[Memory, Memory]) -> None:
    index, mirror = both
    story = index.story("密", language="zh")
    story.batch.upsert(
        entities=[
            {"type": "character", "name": "林远"},
            {"type": "character", "name": "苏晚"},
            {"type": "character", "name": "影子", "aiContextLevel": "never"},
        ],
        relations=[
            {"sourceName": "林远", "targetName": "苏晚", "relationType": "ally"},
            {"sourceName": "林远", "targetName": "影子", "relationType": "enemy"},
        ],
    )
    around = graph_view.graph_around(mirror.call(), project_id=story.id, entity="林远", depth=2, as_of=None)
    assert "苏晚" in around.natural_language_description
    assert "影子" not in around.natural_language_description
    hidden = graph_view.graph_around(mirror.call(), project_id=story.id, entity="影子", depth=2, as_of=None)
    assert hidden.natural_language_description == ""
