"""Writing a proposal into the story: entity, entry, names, relations, within the current step.

What an author wrote stays: attributes are added only under new keys, and names as further aliases.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fabula.canon import entity as entities
from fabula.canon import entry as entries
from fabula.canon import event as events
from fabula.canon import relation as relations
from fabula.canon import state as states
from fabula.canon.entity import EntityDraft, EntityFields
from fabula.canon.entry import OWN_FIELDS
from fabula.canon.entry_values import LorebookEntryPatch
from fabula.canon.event_values import shown_event
from fabula.canon.merge import merge
from fabula.canon.ontology import story_ontology
from fabula.canon.profile_relations import profile_of
from fabula.canon.relation_fields import RelationFields
from fabula.canon.reveal import kept_apart
from fabula.canon.state import StateFields
from fabula.canon.step import Step
from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.model.entity import Entity
from fabula.model.fact import FactKind, FactRef
from fabula.model.lore import LoreEntry
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.ontology import relation_type
from fabula.model.proposal import EVENT_TYPE, LOCAL_READER, PROSE, Proposal, ProposalKind
from fabula.operations.proposals.cast import Cast, names_besides
from fabula.operations.proposals.event import event_additions, new_event_fields, told_event
from fabula.operations.proposals.facts import FactWriting
from fabula.operations.proposals.scene_times import write_scene_time


class Wish(NamedTuple):
    """What the reviewer requests: an entry, its overrides, and the entity to merge with."""

    create_entry: bool = True
    overrides: LorebookEntryPatch | None = None
    target: Entity | None = None


class Linked(NamedTuple):
    """The entity and entry that a proposal was written to."""

    entity_id: str | None = None
    entry_id: str | None = None


class Approval:
    """Writes proposals into a story, one after another."""

    def __init__(self, step: Step, cast: Cast) -> None:
        self._step, self._cast = step, cast
        self._facts = FactWriting(step)

    def write(self, proposal: Proposal, wish: Wish) -> Linked:
        """Write a proposal into the story, with the quotation as evidence."""
        if proposal.kind is ProposalKind.RELATION:
            return self._relation(proposal, wish)
        if proposal.kind is ProposalKind.TIME:
            write_scene_time(self._step, proposal)
            return Linked()
        ways = {ProposalKind.ALIAS: self._alias, ProposalKind.EVENT: self._event}
        linked = ways.get(proposal.kind, self._entity)(proposal, wish)
        if linked.entity_id is not None:
            self._prove(FactKind.ENTITY, linked.entity_id, proposal)
        return linked

    def _prove(self, kind: FactKind, fact_id: str, proposal: Proposal) -> None:
        if proposal.manuscript_id is not None and proposal.source_start is not None:
            fact = FactRef(kind=kind, id=fact_id)
            self._facts.prove(fact, proposal.manuscript_id, proposal.source_text, proposal.source_start)

    # Entities

    def _entity(self, proposal: Proposal, wish: Wish) -> Linked:
        known = wish.target or self._known(proposal)
        if known is None:
            entity = self._created(proposal)
        else:
            self._refuse_name_of_another(proposal.entity_name, known)
            entity = self._added_to(known, proposal, proposal.story_attributes, proposal.moment)
        return self._with_entry(entity, wish, is_new=known is None)

    def _known(self, proposal: Proposal) -> Entity | None:
        """Return the entity that a proposal refers to by now, if any."""
        for name in (proposal.same_as, proposal.entity_name):
            found = self._called(name, proposal.entity_type)
            if found is not None:
                return found
        return None

    def _created(self, proposal: Proposal) -> Entity:
        attributes = dict(proposal.story_attributes)
        said = attributes.get(PROSE)
        description = attributes.pop(PROSE) if isinstance(said, str) and said.strip() else ""
        fields = EntityFields(
            type=proposal.entity_type,
            name=proposal.entity_name,
            description=description or self._text_at_first(proposal),
            attributes={**self._facts.traits_at_first(proposal), **attributes},
            aliases=proposal.aliases,
            since=proposal.moment,
        )
        ontology = story_ontology(self._step, self._step.project_id)
        entity = entities.save(self._step, None, entities.drafted(self._step, fields, ontology))
        self._facts.write(entity, proposal)
        return entity

    def _text_at_first(self, proposal: Proposal) -> str:
        """Return what the first scene says; a quotation only for those of whom nothing is said anywhere."""
        if not proposal.facts:
            return _first_text(proposal)
        # An entry cannot be blank, and what is said later holds from there on.
        return self._facts.at_first(proposal) or proposal.entity_name

    def _added_to(
        self, known: Entity, proposal: Proposal, attributes: dict[str, Any], moment: Moment | None
    ) -> Entity:
        """Add what is new about an entity; what was found at a moment holds from then on."""
        reveal = self._cast.reveal_of(known.id, names_besides(known, proposal.names))
        if reveal is not None:
            raise kept_apart(reveal)
        held_later = self._step.states_of(self._step.project_id, [known.id])
        taken = known.attributes.keys() | {key for state in held_later for key in state.attributes}
        fresh = {key: value for key, value in profile_of(attributes).attributes.items() if key not in taken}
        changes: dict[str, Any] = {"aliases": (*known.aliases, *names_besides(known, proposal.names))}
        if not known.description.strip() and isinstance(fresh.get(PROSE), str):
            changes["description"] = fresh.pop(PROSE)
        elif known.description.strip():
            fresh.pop(PROSE, None)
        if moment is None:
            changes["attributes"] = {**known.attributes, **fresh}
        elif fresh:
            held = StateFields.model_construct(attributes=fresh, since=moment)
            state = states.save(self._step, None, states.new_state(self._step, known, held))
            self._prove(FactKind.STATE, state.id, proposal)
        after = entities.retold(known, known.model_copy(update=changes))
        return entities.save(self._step, known, EntityDraft(after))

    # Events

    def _event(self, proposal: Proposal, wish: Wish) -> Linked:
        known = wish.target or self._known_event(proposal)
        if known is None:
            entity = events.save(self._step, None, new_event_fields(proposal))
        elif known.type != EVENT_TYPE:
            raise InvalidInput(
                f"'{known.name}' is no event.",
                details={"entityId": known.id, "type": known.type},
                suggestion="Merge events with events.",
            )
        else:
            self._refuse_name_of_another(proposal.entity_name, known)
            entity = self._added_to_event(known, proposal)
        return self._with_entry(entity, wish, is_new=known is None)

    def _known_event(self, proposal: Proposal) -> Entity | None:
        found = self._called(proposal.entity_name, EVENT_TYPE)
        return found if found is not None and found.type == EVENT_TYPE else None

    def _added_to_event(self, known: Entity, proposal: Proposal) -> Entity:
        """Add new participants, places and facts to an event."""
        told = told_event(proposal)
        after = self._added_to(known, proposal, told.attributes, None)
        patch = event_additions(shown_event(self._step, after), told)
        return after if patch is None else events.save(self._step, after, patch)

    # Entries

    def _with_entry(self, entity: Entity, wish: Wish, *, is_new: bool) -> Linked:
        entry, overrides = None if is_new else self._entry_of(entity), wish.overrides
        if entry is None and wish.create_entry and (is_new or overrides or self._key_is_free(entity)):
            given = {} if overrides is None else overrides.given()
            own = {name: given.pop(name) for name in OWN_FIELDS if name in given}
            entry = entries.add_beside(self._step, entity, **own)
            overrides = LorebookEntryPatch.model_construct(_fields_set=set(given), **given) if given else None
        if overrides is not None:
            if entry is None:
                raise InvalidInput(
                    "lorebookOverrides need an entry, and there is none and none is to be made.",
                    details={"field": "lorebookOverrides"},
                    suggestion="Leave the overrides out, or send createLorebookEntry true.",
                )
            entries.save(self._step, entry, overrides)
        return Linked(entity.id, None if entry is None else entry.id)

    def _entry_of(self, entity: Entity) -> LoreEntry | None:
        return self._step.lore.entries_of(entity.project_id, [entity.id]).get(entity.id)

    def _key_is_free(self, entity: Entity) -> bool:
        return self._step.lore.entry_of_key(entity.project_id, entity.name) is None

    # Names and relations

    def _alias(self, proposal: Proposal, wish: Wish) -> Linked:
        owner = str(proposal.attributes["aliasOf"])
        known = wish.target or self._called(owner, proposal.entity_type)
        if known is None:
            raise _nobody_yet(owner)
        other = self._cast.owner(proposal.entity_name)
        if other is not None and other != known.id and proposal.extractor == LOCAL_READER:
            # The reading of a book found both, and that they are one: this is what is approved.
            same = self._step.entity(self._step.project_id, other)
            known = known if same is None else merge(self._step, known, [same]).entity
            self._cast.forget()
        self._refuse_name_of_another(proposal.entity_name, known)
        entity = self._added_to(known, proposal, {}, None)
        return self._with_entry(entity, wish._replace(create_entry=False), is_new=False)

    def _relation(self, proposal: Proposal, wish: Wish) -> Linked:
        source = wish.target or self._called(proposal.entity_name, proposal.entity_type)
        if source is None:
            raise _nobody_yet(proposal.entity_name)
        target = str(proposal.attributes["target"])
        meant = self._cast.candidates(target, "character", source.id)
        fields = RelationFields(
            relation_type=str(proposal.attributes["type"]),
            description=str(proposal.attributes.get("description") or ""),
            since=proposal.moment,
        )
        if len(meant) > 1:
            raise _mistakable(target, meant)
        if meant:
            self._prove(FactKind.RELATION, self._relate(source, meant[0], fields), proposal)
        elif self._cast.owner(target) == source.id:
            word = relation_type(fields.relation_type)
            relations.refuse_bad_ends(self._step, source.id, source.id, word)
        else:
            self._prove(FactKind.RELATION, self._await(source, target, fields), proposal)
        return self._with_entry(source, wish._replace(create_entry=False), is_new=False)

    def _relate(self, source: Entity, target_id: str, fields: RelationFields) -> str:
        """Relate two entities, unless they have such a relation already, whenever it began; return its id."""
        relation = relations.new_relation(self._step, source.id, target_id, fields)
        for known in self._step.relations_between(source.project_id, source.id, target_id):
            if known.relation_type == relation.relation_type:
                return known.id
        return relations.save(self._step, None, relation, fields.relation_type).id

    def _await(self, source: Entity, target: str, fields: RelationFields) -> str:
        """Add a pending relation, unless the same is pending already; return its id."""
        word = relation_type(fields.relation_type)
        waiting = self._step.events.pending_of(source.project_id, [source.id])
        for one in waiting:
            if (name_key(one.target_name), one.relation_type) == (name_key(target), word):
                return one.id
        wish = relations.new_pending(
            self._step, source.id, target, word, fields.description, fields.since, None
        )
        relations.register_types(self._step, [(word, fields.relation_type)])
        self._step.add([wish])
        return wish.id

    def _called(self, name: str | None, kind: str | None) -> Entity | None:
        found = self._cast.whom(name, kind)
        return None if found is None else self._step.entity(self._step.project_id, found)

    def _refuse_name_of_another(self, name: str, known: Entity) -> None:
        """Refuse a name that belongs to another entity: either the two are one, or the name is wrong."""
        owner = self._cast.owner(name)
        reveal = self._cast.reveal_of(known.id, [name])
        if reveal is not None:
            raise kept_apart(reveal)
        if owner is not None and owner != known.id:
            raise Conflict(
                f"'{name}' is the name of another entity than '{known.name}'.",
                details={"existingId": owner, "entityId": known.id},
                suggestion="Merge the two with knowledge:entity:merge, or reject the proposal.",
            )


def _first_text(proposal: Proposal) -> str:
    """Return the sentence about an entity if it was found in the text, since an entry cannot be blank."""
    is_found = proposal.source_start is not None
    return proposal.source_text.strip() if is_found else proposal.entity_name


def _nobody_yet(name: str) -> Conflict:
    return Conflict(
        f"Nobody and nothing in the story is called '{name}' yet.",
        details={"entity": name},
        suggestion=f"Approve or create '{name}' first.",
    )


def _mistakable(name: str, ids: list[str]) -> Conflict:
    return Conflict(
        f"{len(ids)} entities are called '{name}'.",
        details={"entity": name, "candidates": ids},
        suggestion="Relate the one that is meant by hand, and reject the proposal.",
    )


def no_proposal(proposal_id: str) -> NotFound:
    """Return the error for a proposal that does not exist."""
    return NotFound(f"There is no extraction '{proposal_id}' in this story.", details={"id": proposal_id})
