"""What older versions kept where it does not count is found, put right in one step, and can be put back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from doors import fabula
from fabula.memory import Memory
from fabula.model.ontology import DEFAULT_RELATION_TYPES
from fabula.operations.import_export.misplaced_roles import find_misplaced, mend_misplaced
from fabula.store import migrate
from fabula.store.engines import engine_at
from fabula.store.place import DatabasePlace
from fabula.story_memory import StoryMemory
from postgres import blank_at

AT = "2026-01-01T00:00:00Z"
NO_PERIOD = {"since_chapter": None, "since_scene": None, "until_chapter": None, "until_scene": None}


def _entity(key: str, kind: str, name: str, attributes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": key,
        "type": kind,
        "name": name,
        "description": "",
        "attributes_json": json.dumps(attributes, ensure_ascii=False, separators=(",", ":")),
        "aliases_json": "[]",
        "ai_context_level": "when_detected",
        "significance": 0.5,
        "layout_x": None,
        "layout_y": None,
        "version": 1,
        "created_at": AT,
        "updated_at": AT,
        **NO_PERIOD,
        **more,
    }


def _relation(key: str, ends: str, word: str, properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    source, target = ends.split(" ")
    return {
        "id": key,
        "source_entity_id": source,
        "target_entity_id": target,
        "relation_type": word,
        "description": "",
        "properties_json": json.dumps(properties, ensure_ascii=False, separators=(",", ":")),
        **NO_PERIOD,
        "version": 1,
        "created_at": AT,
        "updated_at": AT,
        **more,
    }


ENTITIES = [
    _entity("lin", "character", "林逸", {}),
    _entity("su", "character", "苏瑶", {}),
    _entity("mount", "location", "青云山", {}),
    _entity("trial", "event", "入门试炼", {"chapterIndex": 9, "timelinePosition": "清晨", "eventType": "x"}),
    _entity("war", "event", "大战", {"chapterIndex": 2}, since_chapter=7),
    _entity("odd", "event", "怪事", {"chapterIndex": "九"}),
]
RELATIONS = [
    _relation("at", "lin mount", "located_at", {"chapterIndex": 12, "sceneIndex": 1, "purpose": "闭关"}),
    _relation("know", "lin su", "knows", {"since": 4, "description": "同门", "sentiment": "positive"}),
    _relation("part", "lin trial", "participates_in", {"role": "主角", "outcome": "胜"}),
    _relation("both", "su trial", "participates_in", {"outcome": "负"}),
    _relation("place", "trial mount", "occurs_at", {}),
    _relation("text", "su lin", "knows", {"since": "春天"}),
    _relation("late", "lin su", "ally", {"chapterIndex": 3}),
    _relation("twin", "lin su", "ally", {}, since_chapter=3),
]
ROLES = [
    {
        "id": "role",
        "event_id": "trial",
        "kind": "role",
        "entity_id": "su",
        "name": "苏瑶",
        "role": "客",
        "ordinal": 0,
    }
]


@pytest.fixture
def old(tmp_path: Path) -> DatabasePlace:
    """A database as the version before wrote it, log and all."""
    path = blank_at(tmp_path / "fabula.db")
    engine = engine_at(path, writes=True)
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0009")
        values = f"('s', '旧', 'zh', '{{}}', 1, {len(ENTITIES)}, {len(RELATIONS)}, '{AT}', '{AT}')"
        connection.execute(text(f"INSERT INTO stories VALUES {values}"))
        number = 0
        derived = {"name_key": "name", "search_fold": "name", "prompt_text": "attributes_json"}
        for row in ENTITIES:
            extra = {column: row[source] for column, source in derived.items()}
            number = _put(connection, "kg_entities", "entity", row, extra, number)
        for word in DEFAULT_RELATION_TYPES:
            row = {"id": word.key, "key": word.key, "label": word.zh, "labels_json": "{}"}
            row |= {"builtin": int(word.builtin), "created_at": AT}
            number = _put(connection, "kg_relation_types", "relation_type", row, {}, number)
        for row in RELATIONS:
            number = _put(connection, "kg_relations", "relation", row, {}, number)
        for row in ROLES:
            number = _put(connection, "kg_event_roles", "event_role", row, {"name_key": None}, number)
        step = f"('s', 1, '{AT}', 'old', 'knowledge:batch:upsert', NULL, NULL, {number})"
        connection.execute(text(f"INSERT INTO story_steps VALUES {step}"))
    engine.dispose()
    return path


def _put(
    connection: Connection, table: str, kind: str, row: dict[str, Any], extra: dict[str, Any], number: int
) -> int:
    columns = {"project_id": "s", **row, **extra}
    named = ", ".join(f":{name}" for name in columns)
    connection.execute(text(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({named})"), columns)
    logged = {"n": number, "kind": kind, "id": row["id"], "after": json.dumps(row, ensure_ascii=False)}
    connection.execute(
        text("INSERT INTO story_changes VALUES ('s', 1, :n, :kind, :id, NULL, :after)"), logged
    )
    return number + 1


@pytest.mark.scenario("MEMORY-REL-MOMENT", "MEMORY-EVENT-MOMENT", "MEMORY-PARTICIPATION")
def test_what_an_older_version_left_is_put_where_it_counts(old: DatabasePlace) -> None:
    with Memory(old) as memory:
        story = StoryMemory(memory, "s")
        before = {one.id: one for one in story.relation.list().items}
        assert before["at"].since is None
        with memory.call().store.read() as reader:
            found = find_misplaced(reader, "s")
        assert sorted(one.id for one, _ in found.relations) == ["at", "both", "know", "part", "place"]
        assert sorted(one.id for one, _ in found.events) == ["trial", "war"]
        assert found.unclear == ("relation late", "relation text", "event odd")
        assert mend_misplaced(memory.call(), "s").size == found.size
        assert [report.differing for report in memory.audit()] == [()]
        after = {one.id: one for one in story.relation.list().items}
        assert (after["at"].since.chapter, after["at"].since.scene) == (12, 1)
        assert after["at"].properties == {"purpose": "闭关"}
        assert (after["know"].since.chapter, after["know"].description) == (4, "同门")
        assert after["text"] == before["text"]
        assert after["part"].properties == {"role": "主角", "outcome": "胜"}
        assert after["role"].properties == {"role": "客", "outcome": "负"}, (
            "it was said twice, and is one fact"
        )
        assert "both" not in after
        trial, war = story.event.read(id="trial"), story.event.read(id="war")
        assert (trial.moment.chapter, trial.time_anchor) == (9, "清晨")
        assert trial.attributes == {"eventType": "x"}
        assert (war.moment.chapter, war.attributes) == (7, {}), "what was said outright counts"
        assert sorted(one.name for one in trial.roles) == ["林逸", "苏瑶"]
        assert trial.locations[0].entity_id == "mount"
        assert [one.name for one in story.event.companions(entity_id="lin").items] == ["苏瑶"]
        steps = story.history.list().items
        assert [step.action for step in steps] == ["story:repair", "knowledge:batch:upsert"]
        assert mend_misplaced(memory.call(), "s").size == 0
        assert story.history.list().total_count == 2, "where nothing is to be mended there is no step"


@pytest.mark.scenario("MEMORY-PARTICIPATION")
def test_the_repair_can_be_taken_back_and_done_again(old: DatabasePlace) -> None:
    with Memory(old) as memory:
        story = StoryMemory(memory, "s")
        mend_misplaced(memory.call(), "s")
        story.history.undo()
        with memory.call().store.read() as reader:
            assert find_misplaced(reader, "s").size == 7
        kept = {one.id: one for one in story.relation.list().items}
        assert (kept["at"].since, kept["part"].properties) == (None, {"role": "主角", "outcome": "胜"})
        assert story.event.read(id="trial").moment is None
        assert [report.differing for report in memory.audit()] == [()]
        story.history.redo()
        assert story.event.read(id="trial").moment is not None
        assert [report.differing for report in memory.audit()] == [()]


def test_an_old_step_that_is_taken_back_brings_no_old_facts_back(old: DatabasePlace) -> None:
    with Memory(old) as memory:
        story = StoryMemory(memory, "s")
        story.relation.delete(id="part")
        mend_misplaced(memory.call(), "s")
        story.history.undo(revision=2)
        assert "林逸" in [one.name for one in story.event.read(id="trial").roles]
        with memory.call().store.read() as reader:
            assert find_misplaced(reader, "s").size == 0


@pytest.mark.parametrize("language", ["en_US.UTF-8", "zh_CN.UTF-8"])
def test_the_doctor_reports_and_mends(old: DatabasePlace, tmp_path: Path, language: str) -> None:
    def doctor(*more: str) -> Any:
        return fabula("doctor", "--db", str(old), *more, cwd=tmp_path, LANG=language, COLUMNS="200")

    found = doctor()
    assert found.returncode == 1
    assert "fabula doctor --repair" in found.stdout
    mended = doctor("--repair")
    assert (mended.returncode, mended.stderr) == (0, "")
    assert "relation late" in mended.stdout, "what is unclear is left to the author, and named"
    again = doctor()
    assert again.returncode == 0
    assert "--repair" not in again.stdout
