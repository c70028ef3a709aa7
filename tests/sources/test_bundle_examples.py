"""BUNDLE by its own examples: its schema, its file and the words of its errors, as an agent meets them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from agents import Agent, called, in_process
from fabula.memory import Memory
from fabula.operations.catalogue import CHANNELS
from fabula.projections.embeddings import bring_up_to_date
from fabula.story_memory import StoryMemory
from plain_embedder import PlainEmbedder
from postgres import place_at

ONTOLOGY = """
nodes:
  Document:
    identity: [doc_uri]
    schema:
      required: [doc_uri, content]
      properties:
        doc_uri: {type: string, description: 唯一标识}
        content: {type: string, description: 长文本}
  Person:
    identity: [email]
    schema: {properties: {email: {type: string}}}
  Organization:
    identity: [org_code]
    schema: {properties: {org_code: {type: string}}}
edges:
  EMPLOYED_BY:
    from: Person
    to: Organization
    schema: {properties: {position: {type: string}}}
  REFERENCES:
    from: Document
    to: Document
    schema: {properties: {ref_type: {type: string}}}
"""
ACTION = {"type": "string", "enum": ["upsert", "delete"], "default": "upsert"}
FILE = """\
- type: Document
  doc_uri: "doc-001"
  content: "DuckDB 是一个嵌入式分析数据库..."

- type: Document
  action: delete
  doc_uri: "doc-old"

- type: REFERENCES
  source: { doc_uri: "doc-001" }
  target: { doc_uri: "doc-002" }
  ref_type: "citation"
"""


def document(number: int) -> str:
    return f'- {{type: Document, doc_uri: "doc-00{number}", content: ""}}\n'


class Library:
    """A story with the types of BUNDLE, and an agent who may import files from one folder."""

    def __init__(self, memory: Memory, folder: Path) -> None:
        self.memory, self.file = memory, folder / "bundle.yaml"
        self.story: StoryMemory = memory.story("Library", language="en")
        self.story.ontology.write(text=ONTOLOGY)
        self.agent = Agent(in_process(memory))

    def take(self, text: str) -> dict[str, Any]:
        self.file.write_text(text, "utf-8")
        return self.agent.call("import_knowledge_bundle", temp_file_path=str(self.file))

    def errors(self, text: str) -> list[str]:
        self.file.write_text(text, "utf-8")
        refused = self.agent.refusal("import_knowledge_bundle", temp_file_path=str(self.file))
        assert (refused["code"], self.file.exists()) == ("BUNDLE_INVALID", True)
        return [one["message"] for one in refused["details"]["errors"]]

    def branch(self, type_: str) -> dict[str, Any]:
        schema = self.agent.call("get_knowledge_schema")["full_bundle_schema"]
        (found,) = (one for one in schema["items"]["oneOf"] if one["properties"]["type"]["const"] == type_)
        return found

    def names(self) -> set[str]:
        return {one.name for one in self.story.entity.list().items}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    folder = tmp_path / "import"
    folder.mkdir()
    with Memory(place_at(tmp_path / "fabula.db"), import_dir=folder) as memory:
        yield Library(memory, folder)


@pytest.mark.scenario(
    "BUNDLE-TOOL-SCHEMA", "BUNDLE-SCHEMA-ANSWER", "BUNDLE-SCHEMA-TITLE", "BUNDLE-SCHEMA-ARRAY"
)
def test_an_agent_gets_the_schema_of_an_array_as_text(library: Library) -> None:
    asked = library.agent.ask(lambda client: called(client, "get_knowledge_schema", {}))
    text = asked.content[0].text
    told = json.loads(text)
    assert "唯一标识" in text
    assert told.keys() == {"full_bundle_schema", "example_yaml"}
    schema = told["full_bundle_schema"]
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert schema["title"].endswith("Knowledge Bundle Schema")
    assert (schema["type"], list(schema["items"])) == ("array", ["oneOf"])


@pytest.mark.scenario("BUNDLE-SCHEMA-NODE", "BUNDLE-SCHEMA-IDENTITY", "BUNDLE-SCHEMA-ACTION")
@pytest.mark.scenario("BUNDLE-NODE-PROPERTIES")
def test_the_branch_of_a_document_is_the_one_that_is_shown(library: Library) -> None:
    told = library.branch("Document")
    assert (told["title"], told["type"], told["additionalProperties"]) == ("Document Node", "object", False)
    assert told["properties"].keys() == {"type", "action", "doc_uri", "content"}
    assert (told["properties"]["type"], told["properties"]["action"]) == ({"const": "Document"}, ACTION)
    for name, meaning in (("doc_uri", "唯一标识"), ("content", "长文本")):
        asked = {"type": "string", "description": meaning}
        assert told["properties"][name].items() >= asked.items()
    # A deletion names the document and nothing else, so what an upsert needs is asked of it alone.
    assert (told["required"], told["else"]) == (["type", "doc_uri"], {"required": ["content"]})


@pytest.mark.scenario(
    "BUNDLE-SCHEMA-EDGE", "BUNDLE-SCHEMA-ENDS", "BUNDLE-EDGE-IDENTITIES", "BUNDLE-EDGE-PROPERTIES"
)
def test_the_branch_of_an_edge_is_the_one_that_is_shown(library: Library) -> None:
    told = library.branch("EMPLOYED_BY")
    assert (told["title"], told["type"], told["additionalProperties"]) == (
        "EMPLOYED_BY Edge",
        "object",
        False,
    )
    assert told["required"] == ["type", "source", "target"]
    assert told["properties"].keys() == {"type", "action", "source", "target", "position"}
    assert told["properties"]["position"] == {"type": "string"}
    for end, name in (("source", "email"), ("target", "org_code")):
        side = told["properties"][end]
        assert (side["type"], side["required"], side["properties"][name]["type"]) == (
            "object",
            [name],
            "string",
        )


@pytest.mark.scenario("BUNDLE-SCHEMA-DYNAMIC", "BUNDLE-SCHEMA-ONE-OF")
def test_a_new_type_is_one_branch_more(library: Library) -> None:
    def branches() -> list[str]:
        schema = library.agent.call("get_knowledge_schema")["full_bundle_schema"]
        return [one["title"] for one in schema["items"]["oneOf"]]

    before = branches()
    assert set(before) == {
        *("Document Node", "Person Node", "Organization Node"),
        *("EMPLOYED_BY Edge", "REFERENCES Edge"),
        # What people of a story know and are called, whatever its ontology: decision 062.
        *(f"{word} of the story" for word in ("State", "Name", "Knowing", "Telling", "Reveal")),
    }
    place = "nodes:\n  Place: {identity: [name], schema: {properties: {name: {type: string}}}}"
    library.story.ontology.write(text=ONTOLOGY.replace("nodes:", place, 1))
    assert sorted(branches()) == sorted([*before, "Place Node"])


@pytest.mark.scenario("BUNDLE-SCHEMA-EXAMPLE", "BUNDLE-STANDARD-CHECK", "BUNDLE-SCHEMA-DRAFT-7")
def test_the_example_and_the_file_are_right_by_a_common_validator(library: Library) -> None:
    told = library.agent.call("get_knowledge_schema")
    validator = jsonschema_rs.Draft7Validator(told["full_bundle_schema"])
    assert validator.is_valid(yaml.safe_load(told["example_yaml"]))
    assert validator.is_valid(yaml.safe_load(FILE))
    assert not validator.is_valid(yaml.safe_load(FILE.replace("doc_uri", "uri")))
    assert library.take(told["example_yaml"])["status"] == "success"


@pytest.mark.scenario(
    "BUNDLE-IMPORT-YAML", "BUNDLE-TOOL-IMPORT", "BUNDLE-IMPORT-FILE-GONE", "BUNDLE-IMPORT-STATUS"
)
@pytest.mark.scenario("BUNDLE-DELETE", "BUNDLE-ENDS")
def test_the_file_that_is_shown_is_taken_in(library: Library) -> None:
    library.take('- {type: Document, doc_uri: "doc-old", content: ""}\n' + document(2))
    assert library.names() == {"doc-old", "doc-002"}
    done = library.take(FILE)
    assert (done["status"], library.file.exists()) == ("success", False)
    assert library.names() == {"doc-001", "doc-002"}
    (relation,) = library.story.relation.list().items
    ends = {one.id: one.name for one in library.story.entity.list().items}
    assert (ends[relation.source_entity_id], ends[relation.target_entity_id]) == ("doc-001", "doc-002")
    assert relation.properties == {"ref_type": "citation"}
    assert (done["nodes"]["upserted"], done["nodes"]["deleted"]) == ({"Document": 1}, {"Document": 1})
    assert done["edges"]["upserted"] == {"REFERENCES": 1}


@pytest.mark.scenario("BUNDLE-ERROR-ORPHAN", "BUNDLE-IMPORT-ONE-STEP")
def test_an_edge_to_nowhere_is_told_in_the_words_that_are_shown(library: Library) -> None:
    edge = '- {type: REFERENCES, source: {doc_uri: "doc-002"}, target: {doc_uri: "doc-001"}}\n'
    assert library.errors(document(2) + edge) == [
        "Cannot create 'REFERENCES' relation: Target 'Document' with identity "
        '{doc_uri: "doc-001"} not found.'
    ]
    assert library.names() == set()


@pytest.mark.scenario("BUNDLE-ERROR-PLACE", "BUNDLE-ERROR-IDENTITY")
@pytest.mark.parametrize("index", [2, 4])
def test_a_missing_identity_is_told_in_the_words_that_are_shown(library: Library, index: int) -> None:
    before = "".join(document(number) for number in range(index))
    assert library.errors(before + '- {type: Document, content: ""}\n') == [
        f'Validation error at [{index}].doc_uri: "doc_uri" is required'
    ]


@pytest.mark.scenario("BUNDLE-ERROR-TYPE")
def test_an_unknown_type_is_told_in_the_words_that_are_shown(library: Library) -> None:
    assert library.errors("- {type: Human, email: a@example.com}\n") == [
        "Entity type 'Human' is not defined. Did you mean 'Person'?"
    ]


@pytest.mark.scenario("BUNDLE-ERRORS-ALL", "BUNDLE-IMPORT-WHOLE")
def test_all_errors_come_at_once_and_nothing_is_written(library: Library) -> None:
    wrong = document(1) + '- {type: Document, content: ""}\n- {type: Human}\n- {type: Person}\n'
    assert library.errors(wrong) == [
        'Validation error at [1].doc_uri: "doc_uri" is required',
        "Entity type 'Human' is not defined. Did you mean 'Person'?",
        'Validation error at [3].email: "email" is required',
    ]
    assert library.names() == set()


@pytest.mark.scenario("BUNDLE-SCHEMA-ARRAY")
def test_what_is_no_list_is_no_bundle(library: Library) -> None:
    (told,) = library.errors('type: Document\ndoc_uri: "doc-001"\n')
    assert told.startswith("A bundle is a list of items")


@pytest.mark.scenario("BUNDLE-IMPORT-FILE")
def test_a_file_that_is_not_there_is_not_found(library: Library) -> None:
    refused = library.agent.refusal("import_knowledge_bundle", temp_file_path=str(library.file))
    assert refused["code"] == "NOT_FOUND"


@pytest.mark.scenario("BUNDLE-IMPORT-INDEXED")
def test_what_was_imported_is_found_by_its_words_and_gets_its_vectors(library: Library) -> None:
    store, embedder = library.memory.call().store, PlainEmbedder()
    library.take(FILE + document(2))
    assert library.story.search("嵌入式分析数据库").items[0].title == "doc-001"
    bring_up_to_date(store, library.story.id, embedder)
    assert any("嵌入式分析数据库" in text for text in embedder.asked)


@pytest.mark.scenario("BUNDLE-IMPORT-SHADOW")
def test_what_was_imported_is_written_to_the_folder_of_the_story(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Memory(place_at(tmp_path / "fabula.db"), export_dir=out) as memory:
        story = memory.story("Library", language="en")
        story.ontology.write(text=ONTOLOGY)
        story.import_bundle(FILE + document(2))
    texts = [file.read_text("utf-8") for file in out.rglob("*.yaml")]
    assert any("doc-001" in text and "嵌入式分析数据库" in text for text in texts)
    assert any("doc-002" in text for text in texts)


@pytest.mark.scenario("BUNDLE-SCHEMA-METHOD", "BUNDLE-IMPORT-METHOD")
def test_both_can_be_asked_for_without_a_file_or_an_agent(library: Library) -> None:
    assert {"knowledge:bundle:schema", "knowledge:bundle:import"} <= CHANNELS.keys()
    assert library.story.bundle.schema().example_yaml
    assert library.story.import_bundle(FILE + document(2)).status == "success"
