"""Writing the states, names, knowings, tellings and reveals of a bundle.

They add to the story: nothing is deleted here, nothing that was private before is told to anybody, and no
identity comes out earlier or to more people.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from fabula.canon import entity as entities
from fabula.canon import event as events
from fabula.canon import knowing as knowings
from fabula.canon import reveal as reveals
from fabula.canon import state as states
from fabula.canon.knowing import KnowingFields, said_by
from fabula.canon.relation import relation_identity
from fabula.formats.bundle import NodeRef
from fabula.formats.bundle_fact_plan import EdgeRef, KnowingUpsert, NamedFact, StateUpsert
from fabula.formats.bundle_facts import KNOWING, NAME, REVEAL, STATE, TELLING
from fabula.formats.bundle_words import identity_words
from fabula.model.entity import MAX_NAMES, EntityName, EntityState
from fabula.model.event import MAX_TOLD
from fabula.model.fact import FactKind, FactRef, Secrecy
from fabula.model.knowing import KnowingSource
from fabula.model.moment import first_instant
from fabula.model.names import name_key
from fabula.model.reveal import Reveal, RevealFields, RevealPatch
from fabula.model.validity import NOT_DATED, beginning
from fabula.model.wire import is_same
from fabula.operations.bundles.secrets import refuse_publishing, refuse_telling
from fabula.operations.bundles.site import Site, Tally, chunks


class BundleFactWriting:
    """What a bundle says besides nodes and edges, and the result of writing it."""

    def __init__(self, site: Site, new_relations: Collection[str]) -> None:
        self.tally = Tally()
        self._site, self._step = site, site.step
        self._states: dict[str, EntityState] = {}
        self._new: dict[FactKind, Collection[str]] = {
            FactKind.ENTITY: set(site.places.fresh.values()),
            FactKind.RELATION: new_relations,
        }
        self._edges: dict[tuple[object, ...], str] = {}
        self._private: set[FactRef] = set()

    def upsert(self) -> None:
        """Write everything, in an order in which each finds what it speaks of."""
        facts = self._site.facts
        if not len(facts):
            return
        self._step.settle()
        self._write_states(facts.states)
        self._write_names()
        self._look_up([one.fact for one in facts.knowings] + [f for one in facts.tellings for f in one.facts])
        self._write_tellings()
        for chunk in chunks(facts.knowings):
            self._write_knowings(chunk)
            self._site.course.went_on(len(chunk))
        self._write_reveals()
        self._site.course.went_on(len(facts) - len(facts.knowings))

    def _id(self, ref: NodeRef) -> str:
        entity_id = self._site.places.id_of(ref)
        assert entity_id is not None
        return entity_id

    def _ids(self, refs: Iterable[NodeRef] | None) -> tuple[str, ...] | None:
        return None if refs is None else tuple(dict.fromkeys(map(self._id, refs)))

    # States

    def _write_states(self, wanted: Sequence[StateUpsert]) -> None:
        step, fresh = self._step, set[str]()
        ids = {self._id(one.of) for one in wanted}
        held = {_said_of_state(one): one for one in step.states_of(step.project_id, ids)} if ids else {}
        for one in wanted:
            self.tally.upserted[STATE] += 1
            blank = self._blank_state(one)
            known = held.get(_said_of_state(blank))
            after = (known or blank).model_copy(update=one.fields)
            if known is None:
                self.tally.created[STATE] += 1
                fresh.add(after.id)
            else:
                refuse_publishing(one.index, known, after)
            held[_said_of_state(after)] = kept = states.save(step, known, after)
            if one.label is not None:
                self._states[one.label] = kept
        self._new[FactKind.STATE] = fresh

    def _blank_state(self, wanted: StateUpsert) -> EntityState:
        step = self._step
        empty: dict[str, Any] = {"secrecy": Secrecy.PUBLIC, "since": None, "until": None, **NOT_DATED}
        return EntityState.trusted(
            id=step.new_id(),
            project_id=step.project_id,
            entity_id=self._id(wanted.of),
            **{**empty, **wanted.fields},
            version=1,
            created_at=step.now,
            updated_at=step.now,
        )

    # Names

    def _write_names(self) -> None:
        wanted, step = self._site.facts.names, self._step
        before = step.entities(step.project_id, {self._id(one.of) for one in wanted}) if wanted else {}
        after = {key: list(entity.names) for key, entity in before.items()}
        for one in wanted:
            self.tally.upserted[NAME] += 1
            key, known_to = self._id(one.of), self._ids(one.known_to)
            name = EntityName(name=one.name, since=one.since, until=one.until, known_to=known_to)
            if name in after[key]:
                continue
            if any(name_key(name.name) == name_key(held.name) for held in before[key].names):
                words = "the entity bears this name already, for another period or other people"
                self._site.complaints.add(one.index, ("name",), words)
            elif len(after[key]) == MAX_NAMES:
                words = f"an entity may have {MAX_NAMES} names with moments"
                self._site.complaints.add(one.index, ("name",), words)
            else:
                self.tally.created[NAME] += 1
                after[key].append(name)
        changed = [(entity, tuple(after[key])) for key, entity in before.items()]
        entities.save_all(
            step,
            [],
            [
                (entity, entity.model_copy(update={"names": names}))
                for entity, names in changed
                if names != entity.names
            ],
        )

    # Facts that others know

    def _look_up(self, named: Sequence[NamedFact]) -> None:
        """Find the edges that are spoken of, and which facts are private."""
        step, project_id = self._step, self._step.project_id
        edges = {one.address: one for one in named if isinstance(one, EdgeRef)}
        sources = {self._id(edge.source) for edge in edges.values()}
        held = step.relations_from(project_id, sources) if sources else ()
        by_identity = {relation_identity(relation): relation for relation in held}
        private: set[tuple[FactKind, str]] = set()
        for address, edge in edges.items():
            identity = (self._id(edge.source), self._id(edge.target), edge.relation_key, edge.start)
            relation = by_identity.get(identity)
            if relation is not None:
                self._edges[address] = relation.id
                if relation.secrecy is Secrecy.PRIVATE:
                    private.add((FactKind.RELATION, relation.id))
        ids = {self._id(one) for one in named if isinstance(one, NodeRef)}
        private |= {
            (FactKind.ENTITY, entity.id)
            for entity in (step.entities(project_id, ids) if ids else {}).values()
            if entity.secrecy is Secrecy.PRIVATE
        }
        private |= {
            (FactKind.STATE, state.id) for state in self._states.values() if state.secrecy is Secrecy.PRIVATE
        }
        self._private = {FactRef.trusted(kind=kind, id=key) for kind, key in private}

    def _fact(self, index: int, steps: tuple[str | int, ...], named: NamedFact) -> FactRef | None:
        """Return the fact; None, with a complaint, if the story has no such edge."""
        if isinstance(named, str):
            return FactRef.trusted(kind=FactKind.STATE, id=self._states[named].id)
        if isinstance(named, NodeRef):
            return FactRef.trusted(kind=FactKind.ENTITY, id=self._id(named))
        relation_id = self._edges.get(named.address)
        if relation_id is not None:
            return FactRef.trusted(kind=FactKind.RELATION, id=relation_id)
        ends = " and ".join(identity_words(end.identity) for end in (named.source, named.target))
        words = f"there is no '{named.type_name}' between {ends} with this beginning"
        self._site.complaints.add(index, steps, words)
        return None

    def _is_kept_secret(self, fact: FactRef) -> bool:
        """Whether a fact was private before the import."""
        return fact in self._private and fact.id not in self._new.get(fact.kind, ())

    def _write_tellings(self) -> None:
        step = self._step
        for one in self._site.facts.tellings:
            self.tally.upserted[TELLING] += 1
            event_id = self._id(one.event)
            known = step.events.event(step.project_id, event_id)
            told = () if known is None else known.tells
            found = [
                fact
                for place, named in enumerate(one.facts)
                if (fact := self._fact(one.index, ("facts", place), named)) is not None
            ]
            fresh = [fact for fact in dict.fromkeys(found) if fact not in told]
            if any(map(self._is_kept_secret, fresh)):
                refuse_telling(one.index, "facts")
            if len(told) + len(fresh) > MAX_TOLD:
                self._site.complaints.add(one.index, ("facts",), f"an event tells at most {MAX_TOLD} facts")
            elif fresh:
                self.tally.created[TELLING] += 1
                events.tell(step, event_id, fresh)

    def _write_knowings(self, chunk: Sequence[KnowingUpsert]) -> None:
        step = self._step
        knowers = {self._id(one.knower) for one in chunk}
        held = {said_by(one) for one in step.knowings.of_knowers(step.project_id, knowers)}
        fresh: list[KnowingFields] = []
        for one in chunk:
            self.tally.upserted[KNOWING] += 1
            fact = self._fact(one.index, ("fact",), one.fact)
            if fact is None:
                continue
            told = KnowingFields.model_construct(
                fact=fact, knower_id=self._id(one.knower), source=self._source(one), **one.fields
            )
            if said_by(told) in held:
                continue
            if told.knows and not told.belief.strip() and self._is_kept_secret(fact):
                refuse_telling(one.index, "fact")
            self.tally.created[KNOWING] += 1
            held.add(said_by(told))
            fresh.append(told)
        knowings.add_all(step, fresh)

    def _source(self, one: KnowingUpsert) -> KnowingSource | None:
        if not one.has_source:
            return None
        scene = (
            None
            if one.place is None
            else self._step.manuscript.scene(self._step.project_id, one.place[0], one.place[1])
        )
        return KnowingSource.trusted(
            scene_id=None if scene is None else scene.id,
            quotation=one.quotation,
            event_id=None if one.event is None else self._id(one.event),
        )

    # Reveals

    def _write_reveals(self) -> None:
        step = self._step
        for one in self._site.facts.reveals:
            self.tally.upserted[REVEAL] += 1
            first, second = map(self._id, one.entities)
            known_to = self._ids(one.known_to)
            held = step.reveals.of_entities(step.project_id, [first])
            known = next((other for other in held if {first, second} == set(other.entity_ids)), None)
            if known is None:
                self.tally.created[REVEAL] += 1
                reveals.create(step, RevealFields(entity_ids=(first, second), at=one.at, known_to=known_to))
                continue
            after: Reveal = known.model_copy(update={"at": one.at, "known_to": known_to})
            if is_same(known, after):
                continue
            opened = next(_opened(known, after), None)
            if opened is not None:
                refuse_telling(one.index, opened)
            reveals.change(step, known, RevealPatch(at=after.at, known_to=after.known_to))


def _opened(known: Reveal, after: Reveal) -> Iterator[str]:
    """Yield the fields by which an identity would come out earlier or to more people."""
    if first_instant(after.at) < first_instant(known.at):
        yield "at"
    if known.known_to is not None and (
        after.known_to is None or not set(after.known_to) <= set(known.known_to)
    ):
        yield "knownTo"


def _said_of_state(state: EntityState) -> tuple[str, str, str, object]:
    """Return what identifies a state in a bundle: whose it is, what it says, and since when."""
    start = beginning(state.since, state.valid_from)
    return state.entity_id, state.description, repr(sorted(state.attributes.items())), start
