"""Taking part in an event is one fact with two sides: a relation, and a role of the event."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabula.errors import CapacityExceeded, Conflict, FabulaError, InvalidInput, NotFound, RelationInvalid
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.operations.context import assemble_context
from fabula.operations.graph.graph_view import full_graph, graph_around
from fabula.operations.import_export.export_story import export_file
from fabula.operations.import_export.import_folder import import_archive
from fabula.story_memory import StoryMemory
from postgres import place_at

# As MEMORY 3.1.2 writes it.
PART = {"role": "protagonist", "outcome": "通过试炼，被收为弟子"}
WORDS = ("participates_in", "occurs_at")


class Trial:
    """Two people, a place and an event that nobody takes part in yet."""

    def __init__(self, story: StoryMemory, **event: Any) -> None:
        self.story = story
        self.lin, self.su = (story.entity.create(type="character", name=name).id for name in ("林逸", "苏瑶"))
        self.mount = story.entity.create(type="location", name="青云山").id
        self.trial = story.entity.create(type="event", name="入门试炼", **event).id

    def relate(self, who: str, word: str = "PARTICIPATES_IN", target: str | None = None, **said: Any) -> Any:
        return self.story.relation.create(
            source_entity_id=who, target_entity_id=target or self.trial, relation_type=word, **said
        )

    @property
    def roles(self) -> list[tuple[str, str]]:
        return [(one.name, one.role) for one in self.story.event.read(id=self.trial).roles]

    @property
    def relations(self) -> list[tuple[str, str, str]]:
        names = {one.id: one.name for one in self.story.entity.list(limit=100).items}
        found = [one for one in self.story.relation.list().items if one.relation_type in WORDS]
        return sorted(
            (names[one.source_entity_id], one.relation_type, names[one.target_entity_id]) for one in found
        )

    def companions(self, who: str, **more: Any) -> list[str]:
        return [one.name for one in self.story.event.companions(entity_id=who, **more).items]

    def events(self, who: str) -> list[str]:
        return [one.name for one in self.story.event.list(filter={"entityId": who}).items]


@pytest.fixture
def trial(story: StoryMemory) -> Trial:
    return Trial(story)


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_a_relation_to_an_event_is_a_part_in_it(memory: Memory, trial: Trial) -> None:
    made = trial.relate(trial.lin, properties=PART)
    trial.relate(trial.su)
    assert (made.relation_type, made.properties) == ("participates_in", PART)
    event = trial.story.event.read(id=trial.trial)
    assert [one.model_dump() for one in event.roles] == [
        {
            "entity_id": trial.lin,
            "name": "林逸",
            "role": "protagonist",
            "properties": {"outcome": PART["outcome"]},
        },
        {"entity_id": trial.su, "name": "苏瑶", "role": "", "properties": {}},
    ]
    assert trial.companions(trial.lin) == ["苏瑶"]
    assert trial.events(trial.lin) == ["入门试炼"]
    assert "- 林逸（protagonist；通过试炼，被收为弟子）" in event.prompt_text
    found = trial.story.query.retrieve(query="林逸经历了什么？")
    assert [one.name for one in found.events] == ["入门试炼"]
    context = assemble_context(
        memory.call(), project_id=trial.story.id, chapter=0, scene=0, text="林逸来了。"
    )
    assert "入门试炼" in str(context.messages)


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_a_part_in_an_event_is_a_relation_to_it(memory: Memory, trial: Trial) -> None:
    patch = {
        "roles": [{"name": "林逸", "role": "主角", "properties": {"outcome": "胜"}}],
        "locations": ["青云山"],
    }
    trial.story.event.update(id=trial.trial, patch=patch)
    assert trial.relations == [("入门试炼", "occurs_at", "青云山"), ("林逸", "participates_in", "入门试炼")]
    mine = {"entityId": trial.lin, "relationType": "参与"}
    (relation,) = trial.story.relation.list(filter=mine).items
    assert relation.properties == {"role": "主角", "outcome": "胜"}
    assert relation.version == trial.story.entity.read(id=trial.trial).version
    near = trial.story.query.subgraph(center_entity_id=trial.lin, k=1)
    assert [one.name for one in near.entities] == ["林逸", "入门试炼"]
    assert [one.id for one in near.relations] == [relation.id]
    assert trial.story.query.path(
        source_entity_id=trial.lin, target_entity_id=trial.mount
    ).path_entity_ids == (trial.lin, trial.trial, trial.mount)
    whole = full_graph(memory.call(), project_id=trial.story.id)
    assert sorted(edge.type for edge in whole.edges) == ["OCCURS_AT", "PARTICIPATES_IN"], "drawn once each"
    told = graph_around(memory.call(), project_id=trial.story.id, entity="林逸", depth=1, as_of=None)
    assert "参与入门试炼" in told.natural_language_description
    profile = trial.story.entity.read(id=trial.lin).attributes["relations"]
    assert [(one["target"], one["type"]) for one in profile] == [("入门试炼", "participates_in")]
    assert trial.story.entity.impact(id=trial.trial).relation_count == 2


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_where_an_event_is_can_be_said_from_both_sides(trial: Trial) -> None:
    made = trial.relate(
        trial.trial, "OCCURS_AT", trial.mount, properties={"specificLocation": "试炼广场"}, description="山上"
    )
    event = trial.story.event.read(id=trial.trial)
    assert [one.model_dump() for one in event.locations] == [
        {
            "entity_id": trial.mount,
            "name": "青云山",
            "properties": {"specificLocation": "试炼广场", "description": "山上"},
        }
    ]
    assert trial.story.event.list(filter={"location": "青云山"}).total_count == 1
    trial.story.event.update(id=trial.trial, patch={"locations": []})
    with pytest.raises(NotFound):
        trial.story.relation.delete(id=made.id)


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_it_is_changed_from_either_side(trial: Trial) -> None:
    story, made = trial.story, trial.relate(trial.lin, properties=PART)
    changed = story.relation.update(id=made.id, patch={"properties": {"role": "证人", "outcome": "负"}})
    assert trial.roles == [("林逸", "证人")]
    assert changed.version == story.entity.read(id=trial.trial).version > made.version
    shown = story.event.read(id=trial.trial).roles
    again = {"entityId": trial.lin, "role": "主角", "properties": {**shown[0].properties, "outcome": "平"}}
    story.event.update(id=trial.trial, patch={"roles": [again]})
    (relation,) = story.relation.list(filter={"entityId": trial.lin}).items
    assert (relation.id, relation.properties) == (made.id, {"role": "主角", "outcome": "平"})
    story.event.update(id=trial.trial, patch={"roles": ["林逸"]})
    assert story.relation.list(filter={"entityId": trial.lin}).items[0].properties["outcome"] == "平"
    with pytest.raises(Conflict):
        story.relation.update(id=made.id, expected_version=made.version, patch={"description": "迟了"})


@pytest.mark.scenario("MEMORY-PARTICIPATION")
@pytest.mark.parametrize("side", ["relation", "role", "profile", "bundle"])
def test_it_is_deleted_on_either_side_and_brought_back(trial: Trial, side: str) -> None:
    story, made = trial.story, trial.relate(trial.lin, properties=PART)
    trial.relate(trial.su)
    ways: dict[str, Callable[[], Any]] = {
        "relation": lambda: story.relation.delete(id=made.id),
        "role": lambda: story.event.update(id=trial.trial, patch={"roles": ["苏瑶"]}),
        "profile": lambda: story.entity.update(
            id=trial.lin, expected_version=1, patch={"attributes": {"relations": {"入门试炼": None}}}
        ),
        "bundle": lambda: story.import_bundle(
            "- type: PARTICIPATES_IN\n  action: delete\n  source: {type: Character, name: 林逸}\n"
            "  target: {type: Event, name: 入门试炼}\n"
        ),
    }
    for _ in range(2):
        ways[side]()
        assert (trial.roles, trial.companions(trial.su)) == ([("苏瑶", "")], [])
        assert trial.relations == [("苏瑶", "participates_in", "入门试炼")]
        story.history.undo()
        assert ("林逸", "protagonist") in trial.roles
        assert story.relation.list(filter={"entityId": trial.lin}).items[0].properties == PART
        story.history.redo()
        assert trial.roles == [("苏瑶", "")]
        story.history.undo()


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_what_is_said_already_is_not_said_twice(trial: Trial) -> None:
    story = trial.story
    story.event.update(id=trial.trial, patch={"roles": [{"name": "林逸", "role": "主角"}]})
    with pytest.raises(Conflict) as refused:
        trial.relate(trial.lin)
    (known,) = story.relation.list().items
    assert (refused.value.details or {})["existingId"] == known.id
    trial.relate(trial.lin, properties={"role": "证人"})
    assert trial.roles == [("林逸", "主角"), ("林逸", "证人")], "one may have two roles"
    with pytest.raises(Conflict):
        trial.relate(trial.lin, properties={"role": "证人"})
    story.relation.delete(id=known.id)
    story.event.update(id=trial.trial, patch={"roles": [{"name": "林逸", "role": "主角"}]})
    with pytest.raises(Conflict):
        story.history.undo(revision=story.history.list(limit=2).items[1].revision)


@pytest.mark.scenario("MEMORY-PARTICIPATION")
@pytest.mark.parametrize("way", ["batch", "profile", "waiting", "bundle", "type", "word", "merge"])
def test_every_way_to_write_a_relation_writes_a_part(trial: Trial, way: str) -> None:
    story = trial.story
    if way == "batch":
        one = {"sourceName": "林逸", "targetName": "入门试炼", "relationType": "参与"}
        for _ in range(2):
            story.batch.upsert(relations=[{**one, "properties": {"role": "主角"}}])
    elif way == "profile":
        said = {"relations": [{"target": "入门试炼", "type": "participates_in"}]}
        for version in (1, 1):
            story.entity.update(id=trial.lin, expected_version=version, patch={"attributes": said})
    elif way == "waiting":
        story.entity.delete(id=trial.trial)
        said = {"relations": [{"target": "入门试炼", "type": "participates_in"}]}
        story.entity.update(id=trial.lin, expected_version=1, patch={"attributes": said})
        trial.trial = story.entity.create(type="event", name="入门试炼").id
    elif way == "bundle":
        text = (
            "- type: PARTICIPATES_IN\n  source: {type: Character, name: 林逸}\n"
            "  target: {type: Event, name: 入门试炼}\n  properties: {role: 主角}\n"
        )
        revisions = {story.import_bundle(text).revision for _ in range(2)}
        assert len(revisions) == 1, "the same again changes nothing"
    elif way == "type":
        vague = story.entity.create(type="unknown", name="大事").id
        trial.relate(trial.lin, target=vague)
        story.entity.delete(id=trial.trial)
        trial.trial = vague
        story.entity.update(id=vague, expected_version=1, patch={"type": "event"})
    elif way == "word":
        made = trial.relate(trial.lin, "ally")
        story.relation.update(id=made.id, patch={"relationType": "PARTICIPATES_IN"})
    else:
        vague = story.entity.create(type="unknown", name="大事").id
        trial.relate(trial.lin, target=vague, description="听说")
        story.entity.merge(target_entity_id=trial.trial, source_entity_ids=[vague])
    assert [name for name, _ in trial.roles] == ["林逸"]
    assert [(who, word) for who, word, _ in trial.relations] == [("林逸", "participates_in")]
    assert trial.events(trial.lin)
    assert "林逸" in story.event.read(id=trial.trial).prompt_text
    story.history.undo()
    assert ("林逸", "participates_in", "入门试炼") not in trial.relations
    story.history.redo()
    assert [name for name, _ in trial.roles] == ["林逸"]


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_a_part_can_become_another_relation_again(trial: Trial) -> None:
    made = trial.relate(trial.lin, properties=PART, description="初试")
    changed = trial.story.relation.update(id=made.id, patch={"relationType": "knows"})
    assert (changed.id, changed.relation_type, changed.description) == (made.id, "knows", "初试")
    assert changed.properties == PART
    assert (trial.roles, trial.relations) == ([], [])
    trial.story.history.undo()
    assert trial.roles == [("林逸", "protagonist")]


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_who_joins_later_is_told_of_later(memory: Memory, story: StoryMemory) -> None:
    war = Trial(story, since={"chapter": 3})
    war.relate(war.su)
    war.relate(war.lin, since={"chapter": 9}, properties={"role": "援军"})
    assert "林逸" not in story.event.read(id=war.trial).prompt_text
    for chapter, known in ((5, []), (9, ["苏瑶"])):
        moment = {"chapter": chapter}
        assert war.companions(war.lin, as_of=moment) == known
        near = story.query.subgraph(center_entity_id=war.trial, k=1, as_of=moment)
        assert ("林逸" in [one.name for one in near.entities]) == bool(known)
        request = {"chapter": chapter, "scene": 0, "text": "入门试炼还在继续，林逸在哪里？"}
        said = assemble_context(memory.call(), project_id=story.id, **request).graph_relationships
        assert ("参与入门试炼" in said) == bool(known)
    found = story.query.retrieve(query="入门试炼里有谁？", as_of={"chapter": 5})
    assert "林逸" not in [one.name for one in found.entities]


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_two_who_become_one_keep_what_both_did(trial: Trial) -> None:
    trial.relate(trial.lin, properties={"role": "主角", "outcome": "胜"})
    trial.relate(trial.su, properties={"role": "主角", "prize": "剑"}, description="同行")
    done = trial.story.entity.merge(target_entity_id=trial.lin, source_entity_ids=[trial.su])
    assert (done.redirected_relation_count, done.dropped_relation_count) == (0, 1)
    (relation,) = trial.story.relation.list().items
    assert relation.properties == {"role": "主角", "outcome": "胜", "prize": "剑"}
    assert relation.description == "同行"
    trial.story.history.undo()
    assert trial.roles == [("林逸", "主角"), ("苏瑶", "主角")]


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_who_is_deleted_leaves_a_name_and_comes_back(trial: Trial) -> None:
    trial.relate(trial.lin, properties=PART)
    assert trial.story.entity.delete(id=trial.lin).deleted_relation_count == 1
    assert (trial.roles, trial.relations) == ([("林逸", "protagonist")], [])
    trial.story.entity.create(type="character", name="林逸")
    assert trial.relations == [("林逸", "participates_in", "入门试炼")]
    assert trial.story.relation.list().items[0].properties == PART


@pytest.mark.scenario("MEMORY-PARTICIPATION")
@pytest.mark.parametrize("form", ["zip", "json", "bundle"])
def test_a_story_that_is_exported_comes_back_with_both_sides(memory: Memory, trial: Trial, form: Any) -> None:
    trial.relate(trial.lin, properties=PART, description="初试", since={"chapter": 2, "scene": 1})
    trial.relate(trial.trial, "occurs_at", trial.mount, properties={"specificLocation": "试炼广场"})
    with export_file(memory.call(), project_id=trial.story.id, format=form) as file:
        data = file.read()
    if form == "bundle":
        other = memory.story("回", language="zh")
        other.import_bundle(data.decode())
    else:
        other = StoryMemory(memory, import_archive(memory.call(), data).story_id)
    (event,) = other.event.list().items
    assert [(one.name, one.role, one.properties) for one in event.roles] == [
        ("林逸", "protagonist", {"outcome": PART["outcome"], "description": "初试", "since": 2})
    ]
    assert event.locations[0].properties == {"specificLocation": "试炼广场"}
    kept = {one.relation_type: one for one in other.relation.list().items}
    assert (
        kept["participates_in"].since
        == trial.story.relation.list(filter={"relationType": "participates_in"}).items[0].since
    )


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_a_folder_that_says_it_twice_is_taken_in_once(memory: Memory, trial: Trial) -> None:
    trial.story.event.update(id=trial.trial, patch={"roles": [{"name": "林逸", "role": "主角"}]})
    with export_file(memory.call(), project_id=trial.story.id, format="json") as file:
        files = file.read().decode()
    person = "type: character\\nname: 林逸\\n"
    assert person in files
    said = "relations:\\n- {type: participates_in, to: event/入门试炼, properties: {outcome: 胜}}\\n"
    told = files.replace(person, person + said)
    other = StoryMemory(memory, import_archive(memory.call(), told.encode()).story_id)
    (relation,) = other.relation.list().items
    assert relation.properties == {"role": "主角", "outcome": "胜"}


@pytest.mark.scenario("MEMORY-PARTICIPATION")
@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"properties": {"role": 7}}, RelationInvalid),
        ({"properties": {"role": "很" * 257}}, RelationInvalid),
        ({"since": {"chapter": 5}, "until": {"chapter": 3}}, InvalidInput),
        ({"properties": {"chapterIndex": "五"}}, InvalidInput),
    ],
)
def test_a_part_that_cannot_be_is_refused(
    trial: Trial, said: dict[str, Any], error: type[FabulaError]
) -> None:
    before = trial.story.history.list().total_count
    with pytest.raises(error):
        trial.relate(trial.lin, **said)
    assert (trial.roles, trial.relations) == ([], [])
    assert trial.story.history.list().total_count == before


def test_an_event_with_people_is_no_part_of_a_person(trial: Trial) -> None:
    trial.relate(trial.lin)
    with pytest.raises(Conflict):
        trial.story.entity.merge(target_entity_id=trial.su, source_entity_ids=[trial.trial])


@pytest.mark.scenario("KG1-X-S4")
def test_a_full_story_takes_no_more_parts(tmp_path: Path) -> None:
    limits = Limits(max_relations=1)
    with Memory(place_at(tmp_path / "full.db"), limits=limits) as memory:
        trial = Trial(memory.story("满", language="zh"))
        trial.relate(trial.lin, "ally", trial.su)
        with pytest.raises(CapacityExceeded):
            trial.relate(trial.lin)
        assert trial.roles == []


def test_parts_are_listed_among_the_relations_in_the_order_of_change(trial: Trial) -> None:
    first = trial.relate(trial.lin, "ally", trial.su)
    part = trial.relate(trial.lin)
    last = trial.relate(trial.su, "ally", trial.lin)
    listed = trial.story.relation.list()
    assert ([one.id for one in listed.items], listed.total_count) == ([last.id, part.id, first.id], 3)
    pages = [trial.story.relation.list(limit=1, offset=offset).items[0].id for offset in range(3)]
    assert pages == [last.id, part.id, first.id]
    for wanted in ({"sourceEntityId": trial.lin}, {"targetEntityId": trial.trial}):
        assert part.id in [one.id for one in trial.story.relation.list(filter=wanted).items]
    assert trial.story.relation.list(filter={"relationType": "occurs_at"}).total_count == 0
