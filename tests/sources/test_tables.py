"""The tables that KG and MEMORY name, as a stranger finds them in the database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Inspector, inspect

from doors import Server, rows
from fabula.store.engines import engine_at

# The story is called project_id everywhere; the category of an entry is the type of the entity behind it.
COLUMNS = {
    "kg_entities": "id project_id type name description attributes_json version created_at updated_at",
    "kg_relations": "id project_id source_entity_id target_entity_id relation_type description created_at",
    "kg_relation_types": "id project_id key label builtin created_at",
    "lorebook_entries": "id project_id user_id entry_key display_name content keywords_json priority enabled "
    "insertion_position token_budget created_at updated_at entity_id",
    "context_snapshots": "id project_id manuscript_id chapter_index scene_index active_characters_json "
    "active_locations_json timeline_position summary emotional_tone word_count created_at",
    "entity_extractions": "id project_id manuscript_id entity_name entity_type attributes_json source_text "
    "confidence reviewed review_action linked_lorebook_id created_at",
}
# What each index begins with, so that it serves what it is named for; names are indexed as they are compared.
INDEXES = {
    "idx_kg_entities_project": ("kg_entities", ["project_id"]),
    "idx_kg_entities_project_type": ("kg_entities", ["project_id", "type"]),
    "idx_kg_entities_project_name": ("kg_entities", ["project_id", "name_key"]),
    "idx_kg_entities_project_level": ("kg_entities", ["project_id", "ai_context_level"]),
    "idx_kg_relations_project": ("kg_relations", ["project_id"]),
    "idx_kg_relations_source": ("kg_relations", ["project_id", "source_entity_id"]),
    "idx_kg_relations_target": ("kg_relations", ["project_id", "target_entity_id"]),
    "idx_snapshot_chapter_scene": ("context_snapshots", ["project_id", "chapter_index", "scene_index"]),
    "idx_extraction_story": ("entity_extractions", ["project_id"]),
    "idx_extraction_manuscript": ("entity_extractions", ["project_id", "manuscript_id"]),
    "idx_extraction_type": ("entity_extractions", ["project_id", "entity_type"]),
    "idx_extraction_review": ("entity_extractions", ["project_id", "reviewed"]),
    "idx_kg_event_roles_name": ("kg_event_roles", ["project_id", "name_key"]),
    "idx_kg_event_roles_entity": ("kg_event_roles", ["project_id", "entity_id"]),
}


@pytest.fixture(scope="module")
def schema(server: Server) -> Iterator[Inspector]:
    engine = engine_at(server.db, writes=False)
    yield inspect(engine)
    engine.dispose()


@pytest.mark.scenario("KG-TABLE-ENTITIES", "KG-TABLE-RELATIONS", "KG-TABLE-RELATION-TYPES")
@pytest.mark.scenario("MEMORY-TABLE-LOREBOOK", "MEMORY-TABLE-SNAPSHOTS", "MEMORY-TABLE-EXTRACTIONS")
@pytest.mark.parametrize("table", COLUMNS)
def test_a_table_has_the_columns_that_are_named(schema: Inspector, table: str) -> None:
    assert {column["name"] for column in schema.get_columns(table)} >= set(COLUMNS[table].split())
    assert schema.get_pk_constraint(table)["constrained_columns"] == ["project_id", "id"]


@pytest.mark.scenario("KG-INDEX-ENTITIES", "KG-INDEX-RELATIONS", "MEMORY-SNAPSHOT-INDEXES")
@pytest.mark.scenario("MEMORY-EXTRACTION-INDEXES", "ENGRAM-INDEX-ROLES")
@pytest.mark.parametrize("name", INDEXES)
def test_an_index_has_its_name_and_begins_with_what_it_is_for(schema: Inspector, name: str) -> None:
    table, columns = INDEXES[name]
    found = {index["name"]: index["column_names"] for index in schema.get_indexes(table)}
    assert found[name][: len(columns)] == columns


@pytest.mark.scenario("ENGRAM-INDEX-ENTITIES")
def test_every_alias_of_an_entity_has_a_row_that_is_found_by_its_name(schema: Inspector) -> None:
    assert schema.get_pk_constraint("kg_entity_aliases")["constrained_columns"][:2] == [
        "project_id",
        "name_key",
    ]


@pytest.mark.scenario("MEMORY-LOREBOOK-CASCADE", "MEMORY-SNAPSHOT-CASCADE", "MEMORY-EXTRACTION-CASCADE")
def test_entries_snapshots_and_finds_go_with_their_story(server: Server, told: str) -> None:
    here = f"/api/v2/stories/{told}"
    proposals = {"proposals": [{"entityName": "林逸", "entityType": "character", "confidence": 0.9}]}
    writes: list[tuple[str, Any]] = [
        ("lorebook", {"entryKey": "青云宗", "content": "宗门。"}),
        ("snapshots", {"chapterIndex": 0, "sceneIndex": 0, "summary": "开始。"}),
        ("extractions", proposals),
    ]
    for path, body in writes:
        assert server.client.post(f"{here}/{path}", json=body).is_success, path
    tables = ("lorebook_entries", "context_snapshots", "entity_extractions")

    def kept() -> list[int]:
        return [
            rows(server.db, f"SELECT count(*) FROM {table} WHERE project_id=?", told)[0] for table in tables
        ]

    assert kept() == [1, 1, 1]
    assert server.client.delete(here).is_success
    assert kept() == [0, 0, 0]
