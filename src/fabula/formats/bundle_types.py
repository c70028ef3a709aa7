"""Normalises the spelling of types in the items of a bundle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fabula.formats.bundle_facts import fact_item, facts_in_item, references
from fabula.model.story_ontology import MAX_NAME, Ontology


def spell_types(items: Iterable[Any], ontology: Ontology) -> None:
    """Replace the types in the items of a bundle by the ontology's spelling, where it knows them."""
    for item in items:
        if isinstance(item, dict):
            _spell_item(item, ontology)
            if fact_item(item.get("type"), ontology) is not None:
                _spell_fact(item, ontology)
                continue
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


def _spell_fact(item: dict[str, Any], ontology: Ontology) -> None:
    item["type"] = fact_item(item["type"], ontology)
    for _, fact in facts_in_item(item):
        relation = fact.get("relation")
        if not isinstance(relation, dict):
            continue
        word = _word(relation)
        edge = None if word is None else ontology.edge_for(word)
        if edge is not None:
            relation["type"] = edge.name
    for named in references(item, ontology):
        _spell_end(named.value, ontology)


def _spell_end(end: dict[str, Any], ontology: Ontology) -> None:
    word = _word(end)
    meant = None if word is None else ontology.node_for(word)
    if meant is not None:
        end["type"] = meant.name


def _word(item: dict[str, Any]) -> str | None:
    word = item.get("type")
    return word if isinstance(word, str) and len(word) <= MAX_NAME else None
