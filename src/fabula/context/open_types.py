"""The types of a story, as far as their words give no secret away."""

from __future__ import annotations

import re

from fabula.canon.ontology import story_ontology
from fabula.context.audience import ModelView
from fabula.context.edition_cache import kept_redaction
from fabula.model.audience import OpenText
from fabula.model.proposal import UNKNOWN_TYPE
from fabula.model.story_ontology import EdgeType, NodeType, Ontology

# Names of types are written as one word: ServantOfSalt.
_NEXT_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def open_types(view: ModelView, ontology: Ontology) -> Ontology:
    """The types of a story without those that name a secret, in their names or in what is said of them."""

    def is_open(kind: NodeType | EdgeType) -> bool:
        said = kind.model_dump()
        return view.json(said) == said and bool(view.label(_NEXT_WORD.sub(" ", kind.name)))

    nodes, edges = filter(is_open, ontology.nodes), filter(is_open, ontology.edges)
    return Ontology(nodes=tuple(nodes), edges=tuple(edges))


def open_type(view: ModelView, kind: str) -> OpenText:
    """The word for what somebody or something is; a word that names a secret is not said."""
    return kept_redaction(view.index, (view.key, "type"), kind, lambda: _open_type(view, kind))


def _open_type(view: ModelView, kind: str) -> OpenText:
    known = story_ontology(view.reader, view.index.project_id).node_of_key.get(kind)
    name = kind if known is None else _NEXT_WORD.sub(" ", known.name)
    return OpenText(kind if view.label(kind) and view.label(name) else UNKNOWN_TYPE)
