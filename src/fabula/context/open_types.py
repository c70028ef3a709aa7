"""The types of a story whose names and descriptions reveal no secret."""

from __future__ import annotations

import re

from fabula.canon.ontology import story_ontology
from fabula.context.audience import ModelView
from fabula.context.edition_cache import kept_redaction
from fabula.model.audience import OpenText
from fabula.model.proposal import UNKNOWN_TYPE
from fabula.model.story_ontology import EdgeType, NodeType, Ontology

# Type names are written in CamelCase.
_NEXT_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def open_types(view: ModelView, ontology: Ontology) -> Ontology:
    """Return the ontology without the types whose names or descriptions name a secret."""

    def is_open(kind: NodeType | EdgeType) -> bool:
        said = kind.model_dump()
        return view.json(said) == said and bool(view.label(_NEXT_WORD.sub(" ", kind.name)))

    nodes, edges = filter(is_open, ontology.nodes), filter(is_open, ontology.edges)
    return Ontology(nodes=tuple(nodes), edges=tuple(edges))


def open_type(view: ModelView, kind: str) -> OpenText:
    """Return the type of an entity, or the unknown type if its name would reveal a secret."""
    return kept_redaction(view.index, (view.key, "type"), kind, lambda: _open_type(view, kind))


def _open_type(view: ModelView, kind: str) -> OpenText:
    known = story_ontology(view.reader, view.index.project_id).node_of_key.get(kind)
    name = kind if known is None else _NEXT_WORD.sub(" ", known.name)
    return OpenText(kind if view.label(kind) and view.label(name) else UNKNOWN_TYPE)
