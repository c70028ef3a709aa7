"""The mirror in a real Neo4j: exactly the story, whatever happens to either of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import neo4j
import pytest
from hypothesis import HealthCheck, example, given, settings

from any_story import STEPS, Teller
from effort import examples
from every_step import SOMETHING_OF_EVERYTHING, Step
from fabula.errors import GraphUnavailable, NotFound
from fabula.memory import Memory
from fabula.operations.stories import create_story, delete_story
from fabula.projections import mirror_changes
from fabula.projections.mirror import Mirror
from fabula.projections.mirror_questions import around
from fabula.projections.mirror_server import Run
from fabula.story_memory import StoryMemory
from graph_server import PASSWORD, USER, crowd, mirror_of, server_at
from postgres import place_at

pytestmark = [pytest.mark.slow, pytest.mark.every_engine]

COUNT_OF = "MATCH (n {storyId: $s}) RETURN count(n) AS count"


@pytest.fixture
def mirrored(tmp_path: Path, graph_uri: str) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "fabula.db"), graph=server_at(graph_uri)) as memory:
        yield memory


@pytest.fixture
def story(mirrored: Memory) -> StoryMemory:
    return mirrored.story("镜", language="zh")


@pytest.fixture
def mirror(mirrored: Memory) -> Mirror:
    return mirror_of(mirrored)


@pytest.fixture
def cypher(graph_uri: str) -> Iterator[Callable[..., list[dict[str, Any]]]]:
    """Questions of a stranger with a driver of their own."""
    with neo4j.GraphDatabase.driver(graph_uri, auth=(USER, PASSWORD)) as driver:
        yield lambda statement, **parameters: [
            record.data() for record in driver.execute_query(statement, parameters).records
        ]


@pytest.mark.scenario("MEMORY-SYNC", "MEMORY-FLOW-SYNC")
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS, STEPS)
@example(SOMETHING_OF_EVERYTHING, [("undo", {})] * 9)
def test_a_mirror_is_its_story_after_a_sync_and_after_following(
    mirrored: Memory, before: list[Step], after: list[Step]
) -> None:
    mirror, call = mirror_of(mirrored), mirrored.call()
    story = StoryMemory(mirrored, create_story(call, title="任").id)
    teller = Teller(mirrored, story)
    teller.tell(before)
    first = mirror.verify(story.id)
    assert first.equal, first
    teller.tell(after)
    followed = mirror.verify(story.id)
    assert followed.equal, followed
    mirror.bring_up_to_date(story.id, anew=True)
    assert mirror.verify(story.id) == followed


@pytest.mark.scenario("MEMORY-NODE-CHARACTER", "MEMORY-NODE-EVENT", "MEMORY-EDGE-POSSESSES")
def test_labels_properties_and_types_are_those_of_the_source(
    story: StoryMemory, mirror: Mirror, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    lin = story.entity.create(
        type="character",
        name="林逸",
        aliases=["小逸"],
        description="剑修",
        attributes={"status": "active", "deep": {"a": [1]}},
        since={"chapter": 2},
    )
    sword = story.entity.create(type="item", name="寒霜剑", attributes={"itemType": "weapon"})
    spell = story.entity.create(type="concept", name="剑道九境")
    story.relation.create(
        source_entity_id=lin.id,
        target_entity_id=sword.id,
        relation_type="POSSESSES",
        since={"chapter": 4, "scene": 1},
        properties={"acquisitionMethod": "机缘"},
    )
    story.relation.create(source_entity_id=lin.id, target_entity_id=spell.id, relation_type="悟道")
    story.event.create(
        name="试炼",
        summary="入门。",
        time_anchor="第七天清晨",
        moment={"chapter": 2, "scene": 0},
        roles=[{"name": "林逸", "role": "主角"}],
    )
    mirror.bring_up_to_date(story.id)
    (found,) = cypher("MATCH (c:Character {storyId: $s, name: '林逸'}) RETURN properties(c) AS c", s=story.id)
    assert (
        found["c"].items()
        >= {
            "id": lin.id,
            "aliases": ["小逸"],
            "description": "剑修",
            "status": "active",
            "deep": '{"a":[1]}',
            "firstAppearance": 2,
        }.items()
    )
    (owned,) = cypher(
        "MATCH (:Character {storyId: $s})-[r:POSSESSES]->(i:Item) "
        "RETURN properties(r) AS r, i.itemType AS kind",
        s=story.id,
    )
    assert owned["kind"] == "weapon"
    said = {"since": 4, "sceneIndex": 1, "acquisitionMethod": "机缘", "relationType": "owns"}
    assert owned["r"].items() >= said.items()
    (other,) = cypher(
        "MATCH (:Character {storyId: $s})-[r:RELATED_TO]->(:Concept) RETURN r.relationType AS kind",
        s=story.id,
    )
    assert other["kind"] == "悟道"
    (took_part,) = cypher(
        "MATCH (:Character {storyId: $s})-[r:PARTICIPATES_IN]->(e:Event) RETURN r.role AS role, e AS e",
        s=story.id,
    )
    assert took_part["role"] == "主角"
    assert (
        took_part["e"].items()
        >= {"chapterIndex": 2, "sceneIndex": 0, "timelinePosition": "第七天清晨"}.items()
    )


@pytest.mark.scenario("MEMORY-SIGNIFICANCE", "MEMORY-PARENT-LOCATION")
def test_both_kinds_of_significance_and_the_place_around_a_place_are_there(
    story: StoryMemory, mirror: Mirror, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    story.entity.create(type="item", name="寒霜剑", attributes={"significance": "major"}, significance=0.7)
    hall, mount = (story.entity.create(type="location", name=name) for name in ("藏剑阁", "青云山"))
    mirror.bring_up_to_date(story.id)
    (sword,) = cypher(
        "MATCH (i:Item {storyId: $s}) RETURN i.significance AS word, i.significanceScore AS score", s=story.id
    )
    assert sword == {"word": "major", "score": 0.7}
    inside = story.relation.create(
        source_entity_id=hall.id, target_entity_id=mount.id, relation_type="located_in"
    )
    question = "MATCH (l:Location {storyId: $s, name: '藏剑阁'}) RETURN l.parentLocationId AS parent"
    for parent, change in ((mount.id, lambda: None), (None, lambda: story.relation.delete(id=inside.id))):
        change()
        assert mirror.verify(story.id).equal
        assert cypher(question, s=story.id) == [{"parent": parent}]


def test_a_graph_of_an_older_shape_is_built_anew(
    story: StoryMemory, mirror: Mirror, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    crowd(story, 3)
    mirror.bring_up_to_date(story.id)
    cypher("MATCH (s:Story {storyId: $s}) REMOVE s.shape", s=story.id)
    cypher("MATCH (n:Entity {storyId: $s}) REMOVE n.significanceScore", s=story.id)
    assert mirror.answer(story.id, lambda run: around(run, story.id, "p0", 1, 1, None)).truncated is False
    assert mirror.verify(story.id).equal


def test_a_rename_a_merge_and_their_undoing_are_followed(story: StoryMemory, mirror: Mirror) -> None:
    crowd(story, 4)
    mirror.bring_up_to_date(story.id)
    people = sorted(story.entity.list(limit=10).items, key=lambda one: one.name)
    first, second = people[0], people[1]
    story.entity.update(id=first.id, expected_version=first.version, patch={"name": "别名"})
    assert mirror.verify(story.id).equal
    story.entity.merge(target_entity_id=first.id, source_entity_ids=[second.id])
    assert mirror.verify(story.id).equal
    for _ in range(2):
        story.history.undo()
        assert mirror.verify(story.id).equal


def test_who_takes_part_and_what_an_edge_says_are_followed(story: StoryMemory, mirror: Mirror) -> None:
    crowd(story, 4)
    quay = story.entity.create(type="location", name="码头")
    supper = story.event.create(
        name="夜宴", roles=[{"name": "p0"}, {"name": "谁"}], locations=[{"name": "码头"}]
    )
    bond = story.relation.list(filter={"relationType": "knows"}, limit=1).items[0]
    assert mirror.verify(story.id).equal
    changes: list[Callable[[], object]] = [
        lambda: story.event.update(id=supper.id, patch={"roles": [{"name": "p1", "role": "客"}]}),
        lambda: story.event.update(id=supper.id, patch={"locations": []}),
        lambda: story.event.update(id=supper.id, patch={"timeAnchor": "子夜", "roles": [{"name": "谁"}]}),
        lambda: story.entity.create(type="character", name="谁"),
        lambda: story.relation.update(id=bond.id, patch={"relationType": "师从", "since": {"chapter": 3}}),
        lambda: story.relation.delete(id=bond.id),
        lambda: story.history.undo(),
        lambda: story.entity.delete(id=quay.id),
        lambda: story.event.delete(id=supper.id),
        lambda: story.history.undo(),
    ]
    counts = []
    for change in changes:
        change()
        report = mirror.verify(story.id)
        assert report.equal, report
        counts.append(report.edges)
    assert counts == [5, 4, 3, 4, 4, 3, 4, 4, 3, 4]


def test_a_difference_is_found_and_named(
    story: StoryMemory, mirror: Mirror, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    crowd(story, 3)
    mirror.bring_up_to_date(story.id)
    cypher("MATCH (n:Character {storyId: $s, name: 'p1'}) SET n.name = 'x'", s=story.id)
    report = mirror.verify(story.id)
    assert not report.equal
    assert report.checksum != report.mirror_checksum
    assert report.differing == (story.entity.list(filter={"keyword": "p1"}).items[0].id,)
    mirror.bring_up_to_date(story.id, anew=True)
    assert mirror.verify(story.id).equal
    cypher(
        "MATCH (a:Entity {storyId: $s})-[r]->(b) CREATE (a)-[t:KNOWS]->(b) SET t = properties(r)", s=story.id
    )
    assert len(mirror.verify(story.id).differing) == 2


def test_who_changes_type_has_another_label_and_keeps_every_edge(
    story: StoryMemory, mirror: Mirror, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    crowd(story, 3)
    story.event.create(name="夜宴", roles=[{"name": "p1", "role": "客"}], locations=[{"name": "码头"}])
    quay = story.entity.create(type="concept", name="码头")
    mirror.bring_up_to_date(story.id)
    whom = story.entity.list(filter={"keyword": "p1"}).items[0]
    for key, kind in ((whom.id, "item"), (quay.id, "location"), (whom.id, "unknown")):
        version = story.entity.read(id=key).version
        story.entity.update(id=key, expected_version=version, patch={"type": kind})
        report = mirror.verify(story.id)
        assert (report.equal, report.edges) == (True, 4), report
    labels = cypher("MATCH (n {storyId: $s, id: $id}) RETURN labels(n) AS labels", s=story.id, id=whom.id)
    assert [set(found["labels"]) for found in labels] == [{"Entity", "Unknown"}]


def test_a_graph_that_somebody_spoilt_is_written_anew(
    story: StoryMemory, mirror: Mirror, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    crowd(story, 3)
    mirror.bring_up_to_date(story.id)
    cypher("CREATE (:Entity {storyId: $s, id: 'lamp'})", s=story.id)
    story.batch.upsert(entities=[{"id": "lamp", "type": "item", "name": "灯"}])
    assert mirror.verify(story.id).equal


@pytest.mark.usefixtures("in_small_parts")
def test_a_large_story_is_written_in_parts_and_shown_to_nobody_before_its_end(
    mirrored: Memory, story: StoryMemory, mirror: Mirror, graph_uri: str
) -> None:
    crowd(story, 120)
    seen: list[int] = []

    def report(done: int, total: int) -> bool:
        seen.append(done)
        with pytest.raises(GraphUnavailable) as refused:
            mirror.answer(story.id, lambda run: None)
        assert (refused.value.details or {})["reason"] == "behind"
        return True

    assert mirror.bring_up_to_date(story.id, report)
    assert seen == sorted(seen)
    assert len(seen) > 3
    assert mirror.verify(story.id).equal


@pytest.mark.usefixtures("in_small_parts")
def test_a_sync_that_was_stopped_half_way_is_begun_anew(story: StoryMemory, mirror: Mirror) -> None:
    crowd(story, 120)
    assert not mirror.bring_up_to_date(story.id, lambda done, total: done < 60)
    with pytest.raises(GraphUnavailable):
        mirror.answer(story.id, lambda run: None)
    assert mirror.bring_up_to_date(story.id)
    assert mirror.verify(story.id).equal


@pytest.mark.usefixtures("in_small_parts")
def test_of_two_who_build_at_once_one_gives_way(story: StoryMemory, mirror: Mirror) -> None:
    crowd(story, 120)
    calls = iter(range(1_000))

    def intrude(done: int, total: int) -> bool:
        if next(calls) == 1:
            mirror.bring_up_to_date(story.id, anew=True)
        return True

    assert mirror.bring_up_to_date(story.id, intrude, anew=True)
    assert mirror.verify(story.id).equal


def test_many_who_follow_while_the_story_is_written_write_everything_once(
    mirrored: Memory, story: StoryMemory, mirror: Mirror
) -> None:
    crowd(story, 5)
    over = threading.Event()

    def follow() -> None:
        while not over.is_set():
            mirror.bring_up_to_date(story.id)

    def verify() -> None:
        while not over.is_set():
            with suppress(GraphUnavailable):
                report = mirror.verify(story.id)
                assert report.equal, report

    with ThreadPoolExecutor(3) as many:
        following = [many.submit(work) for work in (follow, follow, verify)]
        for number in range(12):
            story.entity.create(type="item", name=f"thing {number}")
            if number % 3 == 2:
                story.history.undo()
        over.set()
        assert [one.exception() for one in following] == [None] * 3
    assert mirror.verify(story.id).equal


def test_a_change_that_fails_in_the_middle_leaves_the_mirror_as_it_was(
    story: StoryMemory, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd(story, 3)
    mirror.bring_up_to_date(story.id)
    before = mirror.positions()[story.id]
    story.entity.create(type="item", name="灯")
    broken = mirror_changes.Saying("THIS IS NO CYPHER", {}, 0)
    real = mirror_changes.sayings_for
    monkeypatch.setattr("fabula.projections.mirror.sayings_for", lambda *given: [*real(*given), broken])
    with pytest.raises(neo4j.exceptions.Neo4jError):
        mirror.bring_up_to_date(story.id)
    monkeypatch.undo()
    assert mirror.positions()[story.id] == before
    assert mirror.verify(story.id).equal


def test_a_story_made_again_under_its_id_is_mirrored_anew(mirrored: Memory, mirror: Mirror) -> None:
    call = mirrored.call()
    first = StoryMemory(mirrored, create_story(call, title="一", id="again").id)
    crowd(first, 4)
    mirror.bring_up_to_date("again")
    delete_story(call, project_id="again")
    with pytest.raises(NotFound):
        mirror.bring_up_to_date("again")
    second = StoryMemory(mirrored, create_story(call, title="二", id="again").id)
    second.entity.create(type="item", name="灯")
    report = mirror.verify("again")
    assert (report.equal, report.nodes) == (True, 1)


def test_an_answer_is_given_by_one_state_of_the_story(story: StoryMemory, mirror: Mirror) -> None:
    crowd(story, 3)
    mirror.bring_up_to_date(story.id)
    times = iter(range(10))

    def question(run: Run) -> int:
        before = run(COUNT_OF, {"s": story.id})[0]["count"]
        if next(times) == 0:
            story.entity.create(type="item", name="灯")
            mirror.bring_up_to_date(story.id)
        after = run(COUNT_OF, {"s": story.id})[0]["count"]
        return int(before) if before == after else -1

    assert mirror.answer(story.id, question) == 5
