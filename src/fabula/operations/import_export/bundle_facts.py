"""The states, names, knowings, tellings and reveals of a story as items of a bundle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fabula.formats.bundle_facts import KNOWING, NAME, REVEAL, STATE, TELLING, fact_items
from fabula.formats.bundle_items import moment_item, node_identity, secrecy_item, told, typed, when_item
from fabula.model.entity import Entity, EntityName, EntityState
from fabula.model.fact import FactKind, FactRef
from fabula.model.knowing import HowKnown, Knowing
from fabula.model.manuscript import Scene
from fabula.model.relation import Relation
from fabula.model.story_ontology import Ontology
from fabula.projections.story_files import BATCH
from fabula.store.event_rows import facts_in
from fabula.store.reader import Reader

_Item = dict[str, Any]


class _Spoken(NamedTuple):
    """What the items of one batch speak of, by id."""

    entities: dict[str, Entity]
    relations: dict[str, Relation]
    scenes: dict[str, Scene]


class FactExport:
    """The items of one story, in batches; what cannot be said in its ontology is counted."""

    def __init__(self, reader: Reader, project_id: str, ontology: Ontology, ids: Sequence[str]) -> None:
        self._reader, self._project_id, self._ontology, self._ids = reader, project_id, ontology, ids
        self._words = fact_items(ontology)
        self._knowings = reader.knowings.all_of(project_id)
        self._tells = {event: facts_in(tells) for event, tells in reader.knowings.telling(project_id).items()}
        self._labels: dict[str, str] = {}
        self.left_out: Counter[str] = Counter()

    def items(self) -> Iterator[list[_Item]]:
        """Yield the items in the order in which each speaks only of what stands before it."""
        facts = [one.fact for one in self._knowings]
        facts += [fact for told_facts in self._tells.values() for fact in told_facts]
        known = {fact.id for fact in facts if fact.kind is FactKind.STATE}
        for ids in _parts(self._ids):
            entities = self._reader.entities(self._project_id, ids)
            states = self._reader.states_of(self._project_id, ids)
            order = {key: place for place, key in enumerate(ids)}
            states = tuple(sorted(states, key=lambda one: order[one.entity_id]))
            yield self._said(STATE, (self._state(one, entities[one.entity_id], known) for one in states))
            yield from self._names([entities[key] for key in ids])
        for part in _parts(sorted(self._tells)):
            spoken = self._spoken([fact for key in part for fact in self._tells[key]], part)
            yield self._said(TELLING, (self._telling(key, spoken) for key in part))
        for knowings in _parts(self._knowings):
            yield self._said(KNOWING, self._known(knowings))
        yield self._said(REVEAL, self._reveals())

    def _said(self, word: str, items: Iterable[_Item | None]) -> list[_Item]:
        made = list(items)
        kept = [item for item in made if item is not None] if word in self._words else []
        if len(made) > len(kept):
            self.left_out[f"{word.lower()}s"] += len(made) - len(kept)
        return [{"type": word, **item} for item in kept]

    def _ref(self, entity: Entity | None) -> _Item | None:
        """Return an entity as other items name it; None if the bundle does not have it."""
        found = None if entity is None else typed(entity, self._ontology)
        if found is None:
            return None
        kind = {} if len(self._ontology.nodes) == 1 else {"type": found[1].name}
        return kind | node_identity(*found)

    def _state(self, state: EntityState, entity: Entity, known: Collection[str]) -> _Item | None:
        of = self._ref(entity)
        if of is None:
            return None
        if state.id in known:
            self._labels[state.id] = f"state-{len(self._labels) + 1}"
        return {"of": of} | told(
            label=self._labels.get(state.id),
            description=state.description,
            attributes=state.attributes or None,
            secrecy=secrecy_item(state.secrecy),
            **when_item(state),
        )

    def _names(self, entities: Sequence[Entity]) -> Iterator[list[_Item]]:
        named = [(entity, name) for entity in entities for name in entity.names]
        if named:
            knowing = [key for _, name in named for key in name.known_to or ()]
            known = self._reader.entities(self._project_id, knowing) if knowing else {}
            yield self._said(NAME, (self._name(entity, name, known) for entity, name in named))

    def _name(self, entity: Entity, name: EntityName, known: dict[str, Entity]) -> _Item | None:
        of = self._ref(entity)
        period = told(since=moment_item(name.since), until=moment_item(name.until))
        named = {"of": of, "name": name.name, **period, **self._known_to(name.known_to, known)}
        return None if of is None else named

    def _known_to(self, ids: Sequence[str] | None, known: dict[str, Entity]) -> _Item:
        refs = None if ids is None else [self._ref(known.get(key)) for key in ids]
        return {} if refs is None else {"knownTo": [ref for ref in refs if ref is not None]}

    def _spoken(self, facts: Iterable[FactRef], ids: Iterable[str], scenes: Iterable[str] = ()) -> _Spoken:
        by_kind: dict[FactKind, set[str]] = {}
        for fact in facts:
            by_kind.setdefault(fact.kind, set()).add(fact.id)
        reader, project_id = self._reader, self._project_id
        ties = by_kind.get(FactKind.RELATION, set())
        relations = reader.relations(project_id, ties) if ties else {}
        ends = {end for one in relations.values() for end in (one.source_entity_id, one.target_entity_id)}
        wanted = by_kind.get(FactKind.ENTITY, set()) | ends | set(ids)
        places = set(scenes)
        return _Spoken(
            reader.entities(project_id, wanted),
            relations,
            reader.manuscript.scenes_of_ids(project_id, places) if places else {},
        )

    def _fact(self, fact: FactRef, spoken: _Spoken) -> _Item | None:
        """Return a fact as items name it; entries and threads are no part of a bundle."""
        if fact.kind is FactKind.STATE:
            label = self._labels.get(fact.id)
            return {"state": label} if label and STATE in self._words else None
        if fact.kind is FactKind.ENTITY:
            ref = self._ref(spoken.entities.get(fact.id))
            return None if ref is None else {"entity": ref}
        relation = spoken.relations.get(fact.id)
        edge = None if relation is None else self._ontology.edge_of_key.get(relation.relation_type)
        if relation is None or edge is None:
            return None
        ends: _Item = {}
        for side, key, allowed in (
            ("source", relation.source_entity_id, edge.from_types),
            ("target", relation.target_entity_id, edge.to_types),
        ):
            found = typed(spoken.entities[key], self._ontology)
            if found is None:
                return None
            kind = {} if len(allowed or self._ontology.nodes) == 1 else {"type": found[1].name}
            ends[side] = kind | node_identity(*found)
        dates = when_item(relation)
        start = told(since=dates["since"], validFrom=dates["validFrom"])
        return {"relation": {"type": edge.name, **ends, **start}}

    def _telling(self, event_id: str, spoken: _Spoken) -> _Item | None:
        event = self._ref(spoken.entities.get(event_id))
        facts = [self._fact(fact, spoken) for fact in self._tells[event_id]]
        said = [fact for fact in facts if fact is not None]
        return {"event": event, "facts": said} if event is not None and said else None

    def _known(self, knowings: Sequence[Knowing]) -> Iterator[_Item | None]:
        sources = [one.source for one in knowings if one.source is not None]
        ids = {one.knower_id for one in knowings} | {one.event_id for one in sources if one.event_id}
        spoken = self._spoken(
            [one.fact for one in knowings], ids, [one.scene_id for one in sources if one.scene_id]
        )
        for one in knowings:
            knower, fact = self._ref(spoken.entities.get(one.knower_id)), self._fact(one.fact, spoken)
            if knower is None or fact is None:
                yield None
                continue
            yield (
                {"knower": knower, "fact": fact}
                | ({} if one.knows else {"knows": False})
                | told(
                    how="" if one.how is HowKnown.TOLD else one.how.value,
                    belief=one.belief,
                    since=moment_item(one.since),
                    until=moment_item(one.until),
                    source=self._source(one, spoken),
                )
            )

    def _source(self, one: Knowing, spoken: _Spoken) -> _Item | None:
        if one.source is None:
            return None
        scene = spoken.scenes.get(one.source.scene_id or "")
        place = {} if scene is None else {"chapter": scene.chapter_index, "scene": scene.scene_index}
        event = self._ref(spoken.entities.get(one.source.event_id or ""))
        return place | told(quotation=one.source.quotation, event=event)

    def _reveals(self) -> Iterator[_Item | None]:
        reveals = self._reader.reveals.all_of(self._project_id)
        ids = {key for one in reveals for key in (*one.entity_ids, *(one.known_to or ()))}
        found = self._reader.entities(self._project_id, ids) if ids else {}
        for one in reveals:
            two = [self._ref(found.get(key)) for key in one.entity_ids]
            if None in two:
                yield None
            else:
                yield {"entities": two, "at": moment_item(one.at), **self._known_to(one.known_to, found)}


def _parts(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))
