"""The types of a story, as far as their words give no secret away."""

from __future__ import annotations

import re

from fabula.model.audience import OpenText
from fabula.model.proposal import UNKNOWN_TYPE
from fabula.model.story_ontology import EdgeType, NodeType, Ontology
from fabula.operations.bundling.ontologies import story_ontology
from fabula.operations.contexts.ear import Ear
from fabula.operations.contexts.remembered import kept_redaction

# Names of types are written as one word: ServantOfSalt.
_NEXT_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


def open_types(on: Ear, ontology: Ontology) -> Ontology:
    """The types of a story without those that name a secret, in their names or in what is said of them."""

    def is_open(kind: NodeType | EdgeType) -> bool:
        said = kind.model_dump()
        return on.json(said) == said and bool(on.label(_NEXT_WORD.sub(" ", kind.name)))

    nodes, edges = filter(is_open, ontology.nodes), filter(is_open, ontology.edges)
    return Ontology(nodes=tuple(nodes), edges=tuple(edges))


def open_type(on: Ear, kind: str) -> OpenText:
    """The word for what somebody or something is; a word that names a secret is not said."""
    return kept_redaction(on.index, (on.key, "type"), kind, lambda: _open_type(on, kind))


def _open_type(on: Ear, kind: str) -> OpenText:
    known = story_ontology(on.reader, on.index.project_id).node_of_key.get(kind)
    name = kind if known is None else _NEXT_WORD.sub(" ", known.name)
    return OpenText(kind if on.label(kind) and on.label(name) else UNKNOWN_TYPE)
