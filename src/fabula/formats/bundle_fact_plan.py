"""Turns the states, names, knowings, tellings and reveals of a checked bundle into what is to be written."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabula.formats.bundle import NodeRef, NodeRefs, moment_in, world_time_in
from fabula.formats.bundle_facts import (
    KNOWING,
    NAME,
    REVEAL,
    STATE,
    TELLING,
    Item,
    Steps,
    fact_items,
    facts_in_item,
    references,
)
from fabula.formats.bundle_words import MAX_SHOWN, BundleError, BundleErrors, identity_words, path_of
from fabula.model.fact import Secrecy
from fabula.model.knowing import HowKnown
from fabula.model.moment import Moment
from fabula.model.story_ontology import Ontology
from fabula.model.validity import FactStart, beginning


class EdgeRef(NamedTuple):
    """A reference to an edge by its type, its ends and its start."""

    type_name: str
    relation_key: str
    source: NodeRef
    target: NodeRef
    start: FactStart

    @property
    def address(self) -> tuple[object, ...]:
        """The key by which two references mean the same edge."""
        return self.relation_key, self.source.address, self.target.address, self.start


# A fact that an item speaks of: a node, an edge, or the label of a state in the same bundle.
NamedFact = NodeRef | EdgeRef | str


@dataclass(frozen=True, slots=True)
class NamedNode:
    """A node that an item names, and where it does."""

    index: int
    word: str
    steps: Steps
    node: NodeRef


@dataclass(frozen=True, slots=True)
class StateUpsert:
    """A state to create, or to update if the entity has one that says the same from the same start."""

    index: int
    of: NodeRef
    label: str | None
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NameUpsert:
    """A name with a period or with people who know it, to add to an entity."""

    index: int
    of: NodeRef
    name: str
    since: Moment | None
    until: Moment | None
    known_to: tuple[NodeRef, ...] | None


@dataclass(frozen=True, slots=True)
class KnowingUpsert:
    """A knowing to add unless the story has the same."""

    index: int
    knower: NodeRef
    fact: NamedFact
    fields: dict[str, Any]
    has_source: bool
    place: tuple[int, int] | None
    quotation: str
    event: NodeRef | None


@dataclass(frozen=True, slots=True)
class TellingUpsert:
    """The facts that an event tells, to add to those it tells already."""

    index: int
    event: NodeRef
    facts: tuple[NamedFact, ...]


@dataclass(frozen=True, slots=True)
class RevealUpsert:
    """A reveal of two entities."""

    index: int
    entities: tuple[NodeRef, NodeRef]
    at: Moment
    known_to: tuple[NodeRef, ...] | None


@dataclass(frozen=True, slots=True)
class BundleFacts:
    """What a bundle says besides nodes and edges, and every node it names while saying so."""

    states: tuple[StateUpsert, ...] = ()
    names: tuple[NameUpsert, ...] = ()
    knowings: tuple[KnowingUpsert, ...] = ()
    tellings: tuple[TellingUpsert, ...] = ()
    reveals: tuple[RevealUpsert, ...] = ()
    named: tuple[NamedNode, ...] = ()

    def __len__(self) -> int:
        return sum(map(len, (self.states, self.names, self.knowings, self.tellings, self.reveals)))


def fact_plan(items: Iterable[Item], ontology: Ontology) -> BundleFacts:
    """What the items say besides nodes and edges; they passed `bundle_check`."""
    planning = _Planning(ontology)
    words, seen = fact_items(ontology), set[str]()
    for index, item in enumerate(items):
        if item["type"] in words:
            said = json.dumps(item, sort_keys=True)
            if said not in seen:
                seen.add(said)
                planning.take(index, item)
    return BundleFacts(
        tuple(planning.states),
        tuple(planning.names),
        tuple(planning.knowings),
        tuple(planning.tellings),
        tuple(planning.reveals),
        tuple(planning.named),
    )


def missing_nodes(facts: BundleFacts, there: Collection[tuple[str, str]]) -> BundleErrors:
    """The nodes that these items name and that are not among those that will be there."""
    missing = [one for one in facts.named if one.node.address not in there]
    return BundleErrors(
        tuple(
            BundleError(
                one.index,
                path_of(one.index, one.steps),
                f"Cannot create '{one.word}': '{one.node.type_name}' with identity "
                f"{identity_words(one.node.identity)} not found.",
            )
            for one in missing[:MAX_SHOWN]
        ),
        len(missing),
    )


class _Planning:
    """The plan so far."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology, self._refs = ontology, NodeRefs(ontology)
        self.states: list[StateUpsert] = []
        self.names: list[NameUpsert] = []
        self.knowings: list[KnowingUpsert] = []
        self.tellings: list[TellingUpsert] = []
        self.reveals: list[RevealUpsert] = []
        self.named: list[NamedNode] = []

    def take(self, index: int, item: Item) -> None:
        word = item["type"]
        take = {
            STATE: self._state,
            NAME: self._name,
            KNOWING: self._knowing,
            TELLING: self._telling,
            REVEAL: self._reveal,
        }[word]
        nodes = {
            one.steps: self._refs.reference(one.nodes, one.value) for one in references(item, self._ontology)
        }
        self.named += [NamedNode(index, word, steps, node) for steps, node in nodes.items()]
        take(index, item, nodes)

    def _state(self, index: int, item: Item, nodes: Mapping[Steps, NodeRef]) -> None:
        fields: dict[str, Any] = {
            "description": item.get("description", ""),
            "attributes": item.get("attributes", {}),
            **_period(item),
        }
        fields |= {name: world_time_in(item, field) for name, field in _WORLD.items() if field in item}
        if "told" in item:
            fields["told"] = moment_in(item, "told")
        if "secrecy" in item:
            fields["secrecy"] = Secrecy(item["secrecy"])
        self.states.append(StateUpsert(index, nodes["of",], item.get("label"), fields))

    def _name(self, index: int, item: Item, nodes: Mapping[Steps, NodeRef]) -> None:
        since, until = moment_in(item, "since"), moment_in(item, "until")
        name = item["name"].strip()
        self.names.append(NameUpsert(index, nodes["of",], name, since, until, _known_to(item, nodes)))

    def _knowing(self, index: int, item: Item, nodes: Mapping[Steps, NodeRef]) -> None:
        source = item.get("source")
        said = source or {}
        fields = {
            "knows": item.get("knows", True),
            "how": HowKnown(item.get("how", HowKnown.TOLD)),
            "belief": item.get("belief", ""),
            "since": moment_in(item, "since"),
            "until": moment_in(item, "until"),
        }
        place = (int(said["chapter"]), int(said["scene"])) if "chapter" in said else None
        (fact,) = self._facts(item, nodes)
        self.knowings.append(
            KnowingUpsert(
                index,
                nodes["knower",],
                fact,
                fields,
                source is not None,
                place,
                said.get("quotation", ""),
                nodes.get(("source", "event")),
            )
        )

    def _telling(self, index: int, item: Item, nodes: Mapping[Steps, NodeRef]) -> None:
        self.tellings.append(TellingUpsert(index, nodes["event",], tuple(self._facts(item, nodes))))

    def _reveal(self, index: int, item: Item, nodes: Mapping[Steps, NodeRef]) -> None:
        two = nodes["entities", 0], nodes["entities", 1]
        at = moment_in(item, "at")
        assert at is not None
        self.reveals.append(RevealUpsert(index, two, at, _known_to(item, nodes)))

    def _facts(self, item: Item, nodes: Mapping[Steps, NodeRef]) -> Iterator[NamedFact]:
        for steps, fact in facts_in_item(item):
            if "state" in fact:
                yield str(fact["state"])
            elif "entity" in fact:
                yield nodes[(*steps, "entity")]
            else:
                relation = fact["relation"]
                edge = self._ontology.edge_named[relation["type"]]
                source, target = (nodes[(*steps, "relation", side)] for side in ("source", "target"))
                start = beginning(moment_in(relation, "since"), world_time_in(relation, "validFrom"))
                yield EdgeRef(edge.name, edge.key, source, target, start)


_WORLD = {"valid_from": "validFrom", "valid_to": "validTo"}


def _period(item: Item) -> dict[str, Any]:
    return {name: moment_in(item, name) for name in ("since", "until") if name in item}


def _known_to(item: Item, nodes: Mapping[Steps, NodeRef]) -> tuple[NodeRef, ...] | None:
    listed = item.get("knownTo")
    return None if listed is None else tuple(nodes["knownTo", place] for place in range(len(listed)))
