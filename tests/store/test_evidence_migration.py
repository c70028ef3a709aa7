"""A story from before there was evidence: what was approved becomes evidence, and the log has it."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from doors import rows
from fabula.memory import Memory
from fabula.model.evidence import fingerprint
from fabula.operations.evidence import ListEvidenceRequest, list_evidence
from fabula.store import migrate
from fabula.store.engines import engine_at
from postgres import blank_at

SCENE = "师父来了。林远的师父苏晚来了。"
ENTITY = """INSERT INTO kg_entities (project_id, id, type, name, name_key, search_fold, description,
    attributes_json, aliases_json, significance, prompt_text, version, created_at, updated_at)
    VALUES ('s', '{0}', 'character', '{1}', '{1}', '{1}', '', '{{}}', '[]', 0.5, '', 1, '2026', '2026')"""
PROPOSAL = """INSERT INTO entity_extractions (project_id, id, manuscript_id, chapter_index, scene_index, kind,
    entity_name, name_key, entity_type, attributes_json, aliases_json, source_text, source_start, source_end,
    confidence, extractor, suggestion, reviewed, review_action, linked_entity_id, version, created_at,
    updated_at)
    VALUES ('s', '{}', 'scene', 0, 0, '{}', '苏晚', '苏晚', 'character', '{}', '[]', '{}', {}, 9, 0.9,
    'local', 'new', {}, '{}', 'su', 1, '2026', '2026')"""
TIE = '{"target": "林远", "type": "mentors"}'
OLD = [
    "INSERT INTO stories VALUES ('s', '旧', 'zh', '{}', 0, 2, 1, '2026', '2026')",
    ENTITY.format("su", "苏晚"),
    ENTITY.format("lin", "林远"),
    """INSERT INTO kg_relations (project_id, id, source_entity_id, target_entity_id, relation_type,
       description, properties_json, version, created_at, updated_at)
       VALUES ('s', 'tie', 'su', 'lin', 'mentors', '', '{}', 1, '2026', '2026')""",
    f"""INSERT INTO scenes (project_id, id, chapter_index, scene_index, title, text, word_count, version,
        created_at, updated_at) VALUES ('s', 'scene', 0, 0, '', '{SCENE}', 9, 1, '2026', '2026')""",
    PROPOSAL.format("one", "entity", "{}", "来了", SCENE.rindex("来了"), 1, "approved"),
    PROPOSAL.format("two", "relation", TIE, "林远的师父苏晚", SCENE.index("林远"), 1, "approved"),
    PROPOSAL.format("three", "entity", "{}", "别的话", 0, 1, "approved"),
    PROPOSAL.format("four", "entity", "{}", "师父", 0, 0, "pending"),
]


def test_what_was_approved_becomes_evidence(tmp_path: Path) -> None:
    path = blank_at(tmp_path / "fabula.db")
    engine = engine_at(path, writes=True)
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0011")
        for statement in OLD:
            connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()
    with Memory(path) as memory:
        for kind, fact, quotation, occurrence in (
            ("entity", "su", "来了", 1),
            ("relation", "tie", "林远的师父苏晚", 0),
        ):
            request = ListEvidenceRequest.model_validate({"projectId": "s", "kind": kind, "id": fact})
            (one,) = list_evidence(memory.call(), request).items
            assert (one.quotation, one.occurrence, one.scene_id) == (quotation, occurrence, "scene")
            assert SCENE[one.start : one.end] == quotation
        assert rows(path, "SELECT fingerprint FROM fact_evidence WHERE fact_id = 'su'") == [
            fingerprint("来了")
        ]
        differing = {name for report in memory.audit() for name in report.differing}
        assert not any(name.startswith("evidence") for name in differing)
