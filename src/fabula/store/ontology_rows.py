"""Convert ontologies to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabula.model.story_ontology import StoryOntology
from fabula.store.rowkind import Row


def ontology_row(ontology: StoryOntology) -> Row:
    """Convert an ontology to a row."""
    return dict(ontology)


def ontology_from_row(row: Mapping[str, Any]) -> StoryOntology:
    """Convert a row to an ontology."""
    return StoryOntology.trusted(**row)
