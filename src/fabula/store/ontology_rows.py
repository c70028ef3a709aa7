"""Ontologies as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabula.model.story_ontology import StoryOntology
from fabula.store.rowkind import Row


def ontology_row(ontology: StoryOntology) -> Row:
    """An ontology as a row."""
    return dict(ontology)


def ontology_from_row(row: Mapping[str, Any]) -> StoryOntology:
    """The ontology that a row holds."""
    return StoryOntology.trusted(**row)
