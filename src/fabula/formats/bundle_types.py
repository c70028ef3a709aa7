"""Normalises the spelling of types in the items of a bundle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabula.model.story_ontology import MAX_NAME, Ontology


def spell_types(items: Iterable[Any], ontology: Ontology) -> None:
    """Replace the types in the items of a bundle by the ontology's spelling, where it knows them."""
    for item in items:
        if isinstance(item, dict):
            _spell_item(item, ontology)
            for side in ("source", "target"):
                if isinstance(item.get(side), dict):
                    _spell_end(item[side], ontology)


def _spell_item(item: dict[str, Any], ontology: Ontology) -> None:
    word = _word(item)
    if word is None or word in ontology.node_named or word in ontology.edge_named:
        return
    node, edge = ontology.node_for(word), ontology.edge_for(word)
    has_ends = "source" in item or "target" in item
    meant = edge or node if has_ends else node or edge
    if meant is not None:
        item["type"] = meant.name


def _spell_end(end: dict[str, Any], ontology: Ontology) -> None:
    word = _word(end)
    meant = None if word is None else ontology.node_for(word)
    if meant is not None:
        end["type"] = meant.name


def _word(item: dict[str, Any]) -> str | None:
    word = item.get("type")
    return word if isinstance(word, str) and len(word) <= MAX_NAME else None
