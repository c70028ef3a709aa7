"""A story with types of its own: what they decide, and what becomes of what they no longer cover."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fabula.canon.entry_values import LorebookEntryPatch
from fabula.errors import Conflict, InvalidInput
from fabula.extraction.prompts import extraction_messages, extraction_schema
from fabula.formats.ontology_file import read_ontology, write_ontology
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.model.fiction import FICTION
from fabula.operations.lorebook.entries import read_entry_of_key, update_entry_of_key
from fabula.operations.proposals.extraction import list_extractions
from fabula.story_memory import StoryMemory
from postgres import place_at

LIBRARY = files("fabula.samples").joinpath("library.ontology.yaml").read_text("utf-8")
STRICT = """
# people and ships
nodes:
  Character:
    identity: [name]
    schema:
      required: [age]
      properties: {name: {type: string}, age: {type: integer}, attributes: {type: object}}
  Ship:
    identity: [code]
    schema: {properties: {code: {type: string}, attributes: {type: object}}}
edges:
  SAILS: {from: Character, to: Ship, cardinality: "N:1"}
  KNOWS: {from: Character, to: Character, cardinality: "N:1"}
"""


def person(story: StoryMemory, name: str, **fields: Any) -> Any:
    return story.entity.create(type="character", name=name, **fields)


def relate(story: StoryMemory, source: Any, target: Any, word: str, **fields: Any) -> Any:
    return story.relation.create(
        source_entity_id=source.id, target_entity_id=target.id, relation_type=word, **fields
    )


def test_a_story_has_the_ontology_of_fiction_until_it_gets_another(story: StoryMemory) -> None:
    first = story.ontology.read()
    assert (first.is_default, first.version, first.ontology) == (True, 0, FICTION)
    assert read_ontology(first.text.encode()) == FICTION
    assert story.ontology.write(text=STRICT).version == 1
    mine = story.ontology.read()
    assert (mine.is_default, mine.text, mine.version) == (False, STRICT, 1)
    assert [node.name for node in mine.ontology.nodes] == ["Character", "Ship"]


def test_a_change_is_a_step_like_any_other(memory: Memory, story: StoryMemory) -> None:
    story.ontology.write(text=STRICT)
    with pytest.raises(Conflict):
        story.ontology.write(text=LIBRARY, expected_version=7)
    assert story.ontology.write(text=LIBRARY, expected_version=1).version == 2
    assert story.ontology.write(text=LIBRARY).changed is False
    story.history.undo()
    assert story.ontology.read().text == STRICT
    assert story.ontology.write(text=None).version == 0
    story.history.undo()
    assert story.ontology.read().text == STRICT
    assert all(report.differing == () for report in memory.audit())


def test_what_is_wrong_with_a_file_is_told_and_the_story_keeps_its_own(story: StoryMemory) -> None:
    story.ontology.write(text=STRICT)
    with pytest.raises(InvalidInput) as refused:
        story.ontology.write(text=STRICT.replace("[code]", "[cod]").replace("to: Ship", "to: Shop"))
    assert (refused.value.details or {})["errorCount"] == 2
    with pytest.raises(InvalidInput):
        story.ontology.write(text="nodes: &a {}\nedges: *a")
    with pytest.raises(InvalidInput, match="relations are edges"):
        story.ontology.write(
            text=STRICT.replace("{type: integer}", "{type: integer}, relations: {type: array}")
        )
    assert story.ontology.read().text == STRICT


def test_what_no_longer_fits_is_told_and_stays(story: StoryMemory) -> None:
    ann, bob = person(story, "Ann", attributes={"age": 30}), person(story, "Bob", attributes={"age": "old"})
    tower = story.entity.create(type="location", name="Tower")
    relate(story, ann, bob, "knows")
    cy = person(story, "Cy", attributes={"age": 3})
    relate(story, ann, cy, "knows")
    relate(story, ann, tower, "knows")
    relate(story, ann, bob, "ally")
    tried = story.ontology.write(text=STRICT, dry_run=True)
    assert story.ontology.read().is_default
    told = story.ontology.write(text=STRICT)
    assert told.violations == tried.violations
    assert (told.new_nodes, told.new_edges) == (("Ship",), ("SAILS",))
    assert "Location" in told.lost_nodes
    assert "ALLY" in told.lost_edges
    assert [(one.subject, one.path, one.reason) for one in told.violations] == [
        ("character 'Bob'", "age", "schema"),
        ("location 'Tower'", "type", "type"),
        ("'Ann' ally 'Bob'", "type", "type"),
        *[(f"'Ann' knows '{name}'", "source", "cardinality") for name in ("Cy", "Tower")],
    ]
    assert (told.violation_count, told.violation_counts) == (5, {"schema": 1, "type": 2, "cardinality": 2})
    assert story.entity.list().total_count == 4
    assert story.relation.list().total_count == 4


def test_a_type_that_is_gone_can_be_read_listed_and_changed_but_not_given(story: StoryMemory) -> None:
    tower = story.entity.create(type="location", name="Tower")
    story.ontology.write(text=STRICT)
    assert [one.name for one in story.entity.list(filter={"type": "Location"}).items] == ["Tower"]
    changed = story.entity.update(
        id=tower.id, expected_version=1, patch={"type": "location", "description": "Tall."}
    )
    assert (changed.type, changed.description) == ("location", "Tall.")
    with pytest.raises(InvalidInput):
        story.entity.list(filter={"type": "faction"})
    with pytest.raises(InvalidInput) as refused:
        story.entity.create(type="location", name="Another")
    assert (refused.value.details or {})["allowed"] == ["character", "ship"]
    assert "character, ship" in (refused.value.suggestion or "")
    became = story.entity.update(id=tower.id, expected_version=2, patch={"type": "SHIP"})
    assert became.type == "ship"
    with pytest.raises(InvalidInput):
        story.entity.update(id=tower.id, expected_version=3, patch={"type": "location"})


def test_short_words_mean_what_the_story_has(memory: Memory, story: StoryMemory) -> None:
    assert story.entity.create(type="Person", name="Ann").type == "character"
    library = memory.story("Library", language="en")
    library.ontology.write(text=LIBRARY)
    assert library.entity.create(type="Person", name="Ann").type == "person"
    for word in ("char", "loc", "character"):
        with pytest.raises(InvalidInput):
            library.entity.create(type=word, name="Bob")


def test_a_batch_takes_the_types_of_the_story(story: StoryMemory) -> None:
    story.ontology.write(text=STRICT)
    story.batch.upsert(entities=[{"type": "Ship", "name": "Dawn"}])
    with pytest.raises(InvalidInput) as refused:
        story.batch.upsert(entities=[{"type": "ship", "name": "Dusk"}, {"type": "item", "name": "Oar"}])
    assert (refused.value.details or {})["errors"][0]["path"] == "entities[1]"


def test_events_need_their_type(story: StoryMemory) -> None:
    event = story.event.create(name="Fire", summary="It burned.")
    story.ontology.write(text=STRICT)
    with pytest.raises(InvalidInput):
        story.event.create(name="Flood", summary="It rose.")
    assert story.event.update(id=event.id, patch={"summary": "It burned down."}).summary == "It burned down."


def test_entries_have_the_categories_that_are_types_of_the_story(memory: Memory, story: StoryMemory) -> None:
    story.entry("Tower", "It is tall.", category="location")
    story.ontology.write(text=STRICT)
    assert story.entry("Ann", "She lit the lamp.", category="character").category == "character"
    assert story.entry("Style", "Past tense.").category == "custom"
    with pytest.raises(InvalidInput) as refused:
        story.entry("Oar", "It is long.", category="item")
    assert (refused.value.details or {})["allowed"] == ["character", "custom"]
    call = memory.call()
    patch = LorebookEntryPatch(content="It fell.", category="location")
    assert (
        update_entry_of_key(call, project_id=story.id, entry_key="Tower", patch=patch).category == "location"
    )
    story.entity.create(type="ship", name="Dawn", description="A boat.")
    update_entry_of_key(call, project_id=story.id, entry_key="Dawn", patch=LorebookEntryPatch(priority=3))
    entry = read_entry_of_key(call, project_id=story.id, entry_key="Dawn")
    assert (entry.category, entry.content) == ("custom", "A boat.")
    assert (
        update_entry_of_key(
            call, project_id=story.id, entry_key="Dawn", patch=LorebookEntryPatch(category="custom")
        ).priority
        == 3
    )
    assert story.entity.list(filter={"type": "ship"}).total_count == 1


def test_proposals_have_types_of_the_story(memory: Memory) -> None:
    library = memory.story("Library", language="en")
    library.ontology.write(text=LIBRARY)
    with pytest.raises(InvalidInput):
        library.propose({"entity_name": "Ann", "entity_type": "character"}, text="Ann came.")
    library.propose({"entity_name": "Ann", "entity_type": "Person"}, text="Ann came.")
    text = "Captain Elias Thorn walked to Dunmore Castle. Elias Thorn met Mara Quill in Dunmore Castle."
    found = library.extract(text, extractor="local")
    assert {one.entity_type for one in found.extractions if one.kind == "entity"} <= {"person"}
    assert "Mara Quill" in {one.entity_name for one in found.extractions}
    listed = list_extractions(memory.call(), project_id=library.id, entity_type="person", size=50)
    assert listed.total >= 2
    with pytest.raises(InvalidInput):
        list_extractions(memory.call(), project_id=library.id, entity_type="character", size=50)


def test_a_model_is_told_the_types_of_the_story(tmp_path: Path) -> None:
    types = {"Report 7": "document", "Ann": "character", "Dover": "location"}
    said = [
        {"entityName": name, "entityType": kind, "sourceText": name, "confidence": 1}
        for name, kind in types.items()
    ]
    events = [{"event": "A read", "summary": "Ann read.", "sourceText": "Ann", "confidence": 1}]
    answer = json.dumps({"entities": said, "events": events})
    chat = ScriptedChatModel([answer])
    with Memory(place_at(tmp_path / "fabula.db"), chat=chat) as memory:
        library = memory.story("Library", language="en")
        library.ontology.write(text=LIBRARY)
        found = library.extract("Ann read Report 7 in Dover.", extractor="model")
    assert {one.entity_name: one.entity_type for one in found.extractions} == {
        "Report 7": "document",
        "Ann": "person",
    }
    library_types = read_ontology(LIBRARY.encode())
    schema = extraction_schema(library_types)["properties"]["entities"]["items"]["properties"]
    assert schema["entityType"] == {"enum": ["document", "person", "organisation"]}
    system = extraction_messages("x", [], "zh", None, library_types)[0].content
    assert "document" in system
    assert "events 一律给 []" in system


def test_an_ontology_that_is_written_gives_itself_back() -> None:
    for text in (LIBRARY, STRICT):
        ontology = read_ontology(text.encode())
        assert read_ontology(write_ontology(ontology).encode()) == ontology
