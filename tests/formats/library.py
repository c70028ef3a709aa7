"""The ontology of the sample that is not fiction, and short ways to look at bundles under it."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from fabula.formats.bundle_check import bundle_check
from fabula.formats.ontology_file import read_ontology
from fabula.formats.safe_yaml import read_yaml
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.relation import Relation
from fabula.model.story_ontology import Ontology

LIBRARY = read_ontology(files("fabula.samples").joinpath("library.ontology.yaml").read_bytes())

NOW = "2026-01-01T00:00:00.000000Z"


def document(uri: str, **fields: Any) -> dict[str, Any]:
    return {"type": "Document", "doc_uri": uri, "content": "…", **fields}


def reference(source: str, target: str, **fields: Any) -> dict[str, Any]:
    return {"type": "REFERENCES", "source": {"doc_uri": source}, "target": {"doc_uri": target}, **fields}


def employed(email: str, org_code: str, **fields: Any) -> dict[str, Any]:
    ends = {"source": {"email": email}, "target": {"org_code": org_code}}
    return {"type": "EMPLOYED_BY", **ends, **fields}


def messages(data: Any, ontology: Ontology = LIBRARY) -> list[str]:
    return [error.message for error in bundle_check(data, ontology).errors]


def messages_of_file(text: str, ontology: Ontology = LIBRARY) -> list[str]:
    reading = read_yaml(text.encode())
    return [error.message for error in bundle_check(reading.value, ontology, reading).errors]


def entity(**fields: Any) -> Entity:
    said: dict[str, Any] = {
        "id": "e1",
        "project_id": "s",
        "type": "character",
        "name": "Ann",
        "description": "",
        "attributes": {},
        "aliases": (),
        "names": (),
        "ai_context_level": AiContextLevel.WHEN_DETECTED,
        "significance": 0.5,
        "layout_x": None,
        "layout_y": None,
        "prompt_text": "",
        "since": None,
        "until": None,
        "valid_from": None,
        "valid_to": None,
        "told": None,
        "version": 1,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Entity(**said | fields)


def relation(**fields: Any) -> Relation:
    said: dict[str, Any] = {
        "id": "r1",
        "project_id": "s",
        "source_entity_id": "e1",
        "target_entity_id": "e2",
        "relation_type": "ally",
        "description": "",
        "properties": {},
        "since": None,
        "until": None,
        "valid_from": None,
        "valid_to": None,
        "told": None,
        "version": 1,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Relation(**said | fields)
