"""Bundles written into stories: all of one or nothing, by identity, in one step."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from doors import everything
from fabula.errors import BundleInvalid, CapacityExceeded, Conflict, NotFound
from fabula.formats.yaml_text import write_yaml
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.operations.bundles.bundles import import_data
from fabula.operations.import_export.export_story import export_file
from fabula.operations.lorebook.entries import read_entry_of_key
from fabula.story_memory import StoryMemory
from postgres import place_at

LIBRARY = files("fabula.samples").joinpath("library.ontology.yaml").read_text("utf-8")


@pytest.fixture
def library(memory: Memory) -> StoryMemory:
    story = memory.story("Library", language="en")
    story.ontology.write(text=LIBRARY)
    return story


def character(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "Character", "name": name, **fields}


def edge(word: str, source: str, target: str, **fields: Any) -> dict[str, Any]:
    ends = {
        side: {"type": "Character", "name": name} for side, name in (("source", source), ("target", target))
    }
    return {"type": word, **ends, **fields}


def take(story: StoryMemory, *items: dict[str, Any], dry_run: bool = False) -> Any:
    return story.import_bundle(write_yaml(list(items)), dry_run=dry_run)


def refused(story: StoryMemory, *items: dict[str, Any]) -> list[str]:
    with pytest.raises(BundleInvalid) as error:
        take(story, *items)
    told: list[dict[str, Any]] = (error.value.details or {})["errors"]
    return [one["message"] for one in told]


def named(story: StoryMemory) -> dict[str, Any]:
    return {entity.name: entity for entity in story.entity.list().items}


def newest(story: StoryMemory) -> int:
    return int(story.history.list(limit=1).items[0].revision)


def clean(memory: Memory) -> bool:
    return all(report.differing == () for report in memory.audit())


@pytest.mark.parametrize("ontology", [None, LIBRARY], ids=["fiction", "library"])
def test_the_example_of_the_schema_can_be_imported(story: StoryMemory, ontology: str | None) -> None:
    story.ontology.write(text=ontology)
    done = story.import_bundle(story.bundle.schema().example_yaml)
    assert sum(done.nodes.created.values()) == 2
    assert sum(done.edges.created.values()) == 1
    assert (done.status, done.absent_count) == ("success", 1)


def test_nodes_of_a_bundle_are_related_in_any_order(memory: Memory, story: StoryMemory) -> None:
    done = take(story, edge("ALLY", "Ann", "Bob"), character("Bob"), character("Ann"))
    assert (done.nodes.created, done.edges.created) == ({"Character": 2}, {"ALLY": 1})
    (relation,) = story.relation.list().items
    known = named(story)
    assert (relation.source_entity_id, relation.target_entity_id) == (known["Ann"].id, known["Bob"].id)
    assert clean(memory)


def test_all_that_is_wrong_comes_at_once_and_nothing_is_written(memory: Memory, library: StoryMemory) -> None:
    before = everything(memory.place)
    assert refused(
        library,
        {"type": "Human", "email": "ada@example.com"},
        {"type": "Document", "doc_uri": "a", "content": "x", "pages": 0},
        {"type": "Document", "content": "x"},
        {"type": "Document", "doc_uri": "b", "content": "x"},
    ) == [
        "Entity type 'Human' is not defined. Did you mean 'Person'?",
        'Validation error at [1].pages: "pages" must be at least 1; found the number 0',
        'Validation error at [2].doc_uri: "doc_uri" is required',
    ]
    assert everything(memory.place) == before


def test_what_does_not_fit_the_story_comes_at_once_too(memory: Memory, library: StoryMemory) -> None:
    take(
        library,
        {"type": "Person", "email": "ada@example.com", "name": "Ada"},
        {"type": "Organisation", "org_code": "ACME-001"},
        {"type": "Organisation", "org_code": "ACME-002"},
        {"type": "EMPLOYED_BY", "source": {"email": "ada@example.com"}, "target": {"org_code": "ACME-001"}},
    )
    before = everything(memory.place)
    with pytest.raises(BundleInvalid) as error:
        library.import_bundle(
            "- {type: REFERENCES, source: {doc_uri: x}, target: {doc_uri: y}}\n"
            "- {type: Document, doc_uri: x, content: ''}\n"
            "\n"
            "- {type: EMPLOYED_BY, source: {email: ada@example.com}, target: {org_code: ACME-002}}\n"
        )
    told = (error.value.details or {})["errors"]
    assert [(one["index"], one["path"], one["line"], one["message"]) for one in told] == [
        (
            0,
            "[0].target",
            1,
            "Cannot create 'REFERENCES' relation: Target 'Document' with identity "
            '{doc_uri: "y"} not found.',
        ),
        (
            2,
            "[2].source",
            4,
            "Cannot create 'EMPLOYED_BY' relation: another one already begins at 'Person' with identity "
            '{email: "ada@example.com"}, which may have one at a time.',
        ),
    ]
    assert everything(memory.place) == before


def test_a_place_is_free_again_when_the_same_bundle_frees_it(library: StoryMemory) -> None:
    ada, old, new = {"email": "ada@example.com"}, {"org_code": "ACME-001"}, {"org_code": "ACME-002"}
    organisations = [{"type": "Organisation", **one} for one in (old, new)]
    take(library, {"type": "Person", "name": "Ada", **ada}, *organisations)
    take(library, {"type": "EMPLOYED_BY", "source": ada, "target": old})
    moved = take(
        library,
        {"type": "EMPLOYED_BY", "source": ada, "target": new},
        {"type": "EMPLOYED_BY", "action": "delete", "source": ada, "target": old},
    )
    assert (moved.edges.created, moved.edges.deleted) == ({"EMPLOYED_BY": 1}, {"EMPLOYED_BY": 1})


def test_a_dry_run_says_the_same_and_keeps_nothing(memory: Memory, story: StoryMemory) -> None:
    take(story, character("Ann"), character("Bob"), edge("ALLY", "Ann", "Bob"))
    items = [character("Ann", action="delete"), character("Cy"), edge("ENEMY", "Cy", "Bob"), character("Bob")]
    before, revision = everything(memory.place), newest(story)
    tried = take(story, *items, dry_run=True)
    assert everything(memory.place) == before
    assert (tried.dry_run, tried.revision) == (True, revision)
    done = take(story, *items)
    ignored = {"dry_run", "revision"}
    assert tried.model_dump(exclude=ignored) == done.model_dump(exclude=ignored)
    assert done.revision == revision + 1 == newest(story)


@pytest.mark.scenario("BUNDLE-IMPORT-ONE-STEP")
def test_a_bundle_is_one_step_and_is_undone_in_one(memory: Memory, story: StoryMemory) -> None:
    take(story, character("Ann"), character("Bob"), edge("ALLY", "Ann", "Bob"))
    kept = {name: entity.description for name, entity in named(story).items()}
    take(story, character("Ann", description="Older."), character("Bob", action="delete"), character("Cy"))
    assert set(named(story)) == {"Ann", "Cy"}
    story.history.undo()
    assert {name: entity.description for name, entity in named(story).items()} == kept
    assert story.relation.list().total_count == 1
    assert clean(memory)


@pytest.mark.scenario("BUNDLE-UPSERT")
def test_an_upsert_keeps_what_it_does_not_name(memory: Memory, story: StoryMemory) -> None:
    story.entry("Ann", "She lit the lamp.", category="character", keywords=["lamp"], attributes={"age": 30})
    before = named(story)["Ann"]
    take(story, character(" ANN ", aliases=["Annie"]))
    after = named(story)["Ann"]
    assert (after.id, after.created_at, after.description) == (
        before.id,
        before.created_at,
        before.description,
    )
    assert (after.attributes, after.aliases, after.version) == ({"age": 30}, ("Annie",), before.version + 1)
    assert after.updated_at > before.updated_at
    assert read_entry_of_key(memory.call(), project_id=story.id, entry_key="Ann").keywords == ("lamp",)


def test_what_changes_nothing_is_no_step(story: StoryMemory) -> None:
    items = [character("Ann", aliases=["A"]), character("Bob"), edge("ALLY", "Ann", "Bob")]
    first = take(story, *items)
    again = take(story, *items)
    assert (again.nodes.created, again.nodes.upserted) == ({}, {"Character": 2})
    assert again.revision == first.revision == newest(story)


@pytest.mark.scenario("BUNDLE-DELETE")
def test_what_is_deleted_takes_its_own_along_and_says_so(memory: Memory, story: StoryMemory) -> None:
    take(story, character("Ann"), character("Bob"), character("Cy"))
    take(story, edge("ALLY", "Ann", "Bob"), edge("KNOWS", "Cy", "Ann"), edge("KNOWS", "Cy", "Bob"))
    ann = named(story)["Ann"]
    story.entry("Ann", "She lit the lamp.", category="character")
    story.state.create(entity_id=ann.id, description="Asleep.")
    story.event.create(name="Fire", summary="It burned.", roles=["Ann", "Bob"])
    done = take(
        story,
        character("Ann", action="delete"),
        character("Nobody", action="delete"),
        edge("KNOWS", "Cy", "Nobody", action="delete"),
    )
    gone = [(one.source_name, one.relation_type, one.target_name) for one in done.removed_edges]
    took_part = ("Ann", "participates_in", "Fire")
    assert sorted(gone) == [("Ann", "ally", "Bob"), took_part, ("Cy", "knows", "Ann")]
    assert (done.removed_edge_count, done.nodes.deleted, done.edges.deleted) == (3, {"Character": 1}, {})
    assert [(one.index, one.type) for one in done.absent] == [(1, "Character"), (2, "KNOWS")]
    assert done.absent[1].identity == {"source": {"name": "Cy"}, "target": {"name": "Nobody"}}
    with pytest.raises(NotFound):
        read_entry_of_key(memory.call(), project_id=story.id, entry_key="Ann")
    story.history.undo()
    assert (
        read_entry_of_key(memory.call(), project_id=story.id, entry_key="Ann").content == "She lit the lamp."
    )
    assert clean(memory)


@pytest.mark.scenario("BUNDLE-IDS")
def test_the_same_bundle_gives_the_same_ids_in_every_story(memory: Memory, story: StoryMemory) -> None:
    other = memory.story("Another", language="en")
    items = [character("Ann"), character("Bob"), edge("ALLY", "Ann", "Bob")]
    for one in (story, other):
        take(one, *items)
    assert {e.id for e in story.entity.list().items} == {e.id for e in other.entity.list().items}
    assert story.relation.list().items[0].id == other.relation.list().items[0].id
    other.entity.update(id=named(other)["Ann"].id, expected_version=1, patch={"description": "Elsewhere."})
    assert named(story)["Ann"].description == ""
    assert clean(memory)


def test_a_character_who_was_renamed_is_another_one(memory: Memory, story: StoryMemory) -> None:
    take(story, character("Ann"), character("Bob"), edge("ALLY", "Ann", "Bob"))
    ann = named(story)["Ann"]
    story.entity.update(id=ann.id, expected_version=1, patch={"name": "Anna"})
    done = take(story, character("Ann"), edge("ALLY", "Ann", "Bob"))
    assert (done.nodes.created, done.edges.created) == ({"Character": 1}, {"ALLY": 1})
    assert named(story)["Anna"].id == ann.id != named(story)["Ann"].id
    assert clean(memory)


def test_a_document_that_was_renamed_is_the_same(library: StoryMemory) -> None:
    take(library, {"type": "Document", "doc_uri": "doc-1", "content": "Old."})
    (first,) = library.entity.list().items
    library.entity.update(id=first.id, expected_version=1, patch={"name": "The first"})
    done = take(
        library,
        {"type": "Document", "doc_uri": "DOC-1", "content": "New."},
        {"type": "Document", "doc_uri": "doc-2", "content": "x"},
        {"type": "REFERENCES", "source": {"doc_uri": "doc-2"}, "target": {"doc_uri": "doc-1"}},
    )
    assert done.nodes.created == {"Document": 1}
    after = named(library)["The first"]
    assert (after.id, after.attributes["content"]) == (first.id, "New.")
    assert library.relation.list().items[0].target_entity_id == first.id


def test_a_name_that_belongs_to_another_identity_is_not_taken_over(library: StoryMemory) -> None:
    take(library, {"type": "Document", "doc_uri": "doc-1", "content": "x"})
    (first,) = library.entity.list().items
    library.entity.update(id=first.id, expected_version=1, patch={"name": "doc-2"})
    (error,) = refused(library, {"type": "Document", "doc_uri": "doc-2", "content": "y"})
    assert "another 'Document' is called 'doc-2'" in error
    errors = refused(
        library,
        {"type": "Document", "doc_uri": "doc-1", "content": "y"},
        {"type": "Document", "doc_uri": "doc-2", "action": "delete"},
    )
    assert any("by another identity, too" in error for error in errors)


def test_a_person_is_found_by_the_name_that_is_not_the_identity(library: StoryMemory) -> None:
    take(library, {"type": "Person", "email": "ada@example.com", "name": "Ada Byron"})
    (ada,) = library.entity.list().items
    assert (ada.name, ada.aliases, ada.type) == ("ada@example.com", ("Ada Byron",), "person")
    assert [hit.title for hit in library.search("Ada Byron").items] == ["ada@example.com"]


def test_what_a_bundle_wrote_fits_the_ontology_and_is_a_bundle_again(
    memory: Memory, library: StoryMemory
) -> None:
    library.import_bundle('- {type: Person, email: "ada@example.com", name: Ada Byron}')
    ontology = library.ontology.read().text
    assert library.ontology.write(text=ontology, dry_run=True).violation_count == 0
    (ada,) = library.entity.list().items
    library.entity.update(id=ada.id, expected_version=1, patch={"aliases": ["Ada Byron", "Countess"]})
    with export_file(memory.call(), project_id=library.id, format="bundle") as file:
        text = file.read().decode()
    assert "# 1 of aliases in the type Person left out" in text
    again = memory.story("Again", language="en")
    again.ontology.write(text=ontology)
    assert again.import_bundle(text).nodes.created == {"Person": 1}
    assert again.entity.list().items[0].aliases == ("Ada Byron",)


def test_relations_in_a_profile_are_relations_and_wait_for_names(memory: Memory, story: StoryMemory) -> None:
    take(story, character("Ann", attributes={"age": 30, "relations": [{"target": "Bob", "type": "ally"}]}))
    assert named(story)["Ann"].attributes == {"age": 30}
    assert story.relation.list().total_count == 0
    take(story, character("Robert", aliases=["Bob"]))
    (relation,) = story.relation.list().items
    assert relation.relation_type == "ally"
    for target in ("Ann", 5):
        profile = {"relations": [{"target": target, "type": "ally"}]}
        assert "relations" in refused(story, character("Ann", attributes=profile))[0]
    assert clean(memory)


def test_every_profile_that_cannot_be_is_told_with_its_place(memory: Memory, story: StoryMemory) -> None:
    profiles = ("{Ann: {type: ally}}", "{Egret: {type: ally}}", "[{targetId: nobody, type: ally}]")
    items = zip(("Ann", "Bob", "Cy"), profiles, strict=True)
    bundle = "".join(
        f"- {{type: Character, name: {name}, attributes: {{relations: {said}}}}}\n" for name, said in items
    )
    with pytest.raises(BundleInvalid) as refused:
        story.import_bundle(bundle)
    assert refused.value.details is not None
    assert [(one["index"], one["line"]) for one in refused.value.details["errors"]] == [(0, 1), (2, 3)]
    assert story.entity.list().total_count == 0


def test_periods_are_those_of_the_whole_not_of_the_item(story: StoryMemory) -> None:
    take(story, character("Ann", since={"chapter": 5}), character("Bob"))
    take(story, edge("ALLY", "Ann", "Bob", since={"chapter": 4}))
    assert refused(
        story,
        character("Ann", until={"chapter": 2}),
        edge("ALLY", "Ann", "Bob", since={"chapter": 4}, until={"chapter": 9}),
    ) == ['Validation error at [0].until: "until" lies before "since"']


def test_the_limits_of_a_story_hold(tmp_path: Path) -> None:
    limits = Limits(max_entities=2, max_relations=1, max_attribute_keys=2)
    with Memory(place_at(tmp_path / "small.db"), limits=limits) as memory:
        story = memory.story("Small", language="en")
        take(story, character("Ann", attributes={"a": 1, "b": 2}), character("Bob"))
        before = everything(memory.place)
        with pytest.raises(CapacityExceeded):
            take(story, character("Cy"))
        with pytest.raises(CapacityExceeded):
            take(story, edge("ALLY", "Ann", "Bob"), edge("ENEMY", "Ann", "Bob"))
        assert "2 attributes" in refused(story, character("Bob", attributes={"a": 1, "b": 2, "c": 3}))[0]
        assert everything(memory.place) == before
        take(story, character("Ann", action="delete"), character("Cy"))


@pytest.mark.long
def test_an_import_tells_how_far_it_is_and_can_be_stopped(memory: Memory, story: StoryMemory) -> None:
    text = write_yaml([character(f"C{number}") for number in range(2_001)]).encode()
    told: list[tuple[int, int]] = []
    before = everything(memory.place)
    with pytest.raises(Conflict):
        import_data(memory.call(), story.id, text, progress=lambda done, total: done < 2_000)
    assert everything(memory.place) == before
    import_data(memory.call(), story.id, text, progress=lambda *far: told.append(far) is None)
    assert told == [(2_000, 2_001), (2_001, 2_001)]
