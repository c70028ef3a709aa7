"""Sorting finds into what is worth proposing, given the story and earlier proposals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.extraction.local import LocalExtractor
from fabula.model.entity import MAX_ALIASES, Entity, aliases_beside
from fabula.model.moment import first_instant
from fabula.model.names import name_key
from fabula.model.ontology import relation_type
from fabula.model.proposal import (
    EVENT_TYPE,
    OF_SCENE,
    PROSE,
    Draft,
    Proposal,
    ProposalKind,
    ReadFact,
    ReviewAction,
    Suggestion,
    attributes_for_story,
)
from fabula.operations.proposals.cast import Cast, names_besides
from fabula.operations.proposals.past import KEPT_APART, KNOWN, PENDING, REJECTED, Past
from fabula.operations.proposals.screening import MAX_FACTS
from fabula.operations.proposals.values import Skipped, TextPlace


class ProposalOrigin(NamedTuple):
    """The origin of finds: the position of the text, the extractor, and the text itself."""

    place: TextPlace
    extractor: str
    text: str

    def located(self, draft: Draft | ReadFact) -> tuple[TextPlace, int | None, int | None]:
        """Return the position of a find: that of its text, and the span within it."""
        return self.place, draft.source_start, draft.source_end


class Located(Protocol):
    """The origin of finds, each of which may have its own position."""

    @property
    def extractor(self) -> str:
        """The extractor that read the text."""

    @property
    def text(self) -> str:
        """The whole text that was read."""

    def located(self, draft: Draft | ReadFact) -> tuple[TextPlace, int | None, int | None]:
        """Return the position of a find: that of its text, and the span within it."""


def in_order_of_kind(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return the proposals in dependency order: entities before whatever refers to them."""
    return sorted(proposals, key=lambda proposal: (_BEFORE[proposal.kind], proposal.created_at))


_BEFORE = {
    ProposalKind.ENTITY: 0,
    ProposalKind.ALIAS: 1,
    ProposalKind.RELATION: 2,
    ProposalKind.EVENT: 3,
    ProposalKind.TIME: 4,
}


class Sorting:
    """The finds of one reading, sorted into new proposals, extended ones, and skipped ones."""

    def __init__(self, step: Step, drafts: Sequence[Draft], origin: Located) -> None:
        self._step, self._origin = step, origin
        self._skipped: Counter[str] = Counter()
        self._fresh: dict[str, Proposal] = {}
        self._grown: dict[str, tuple[Proposal, Proposal]] = {}
        self.cast = Cast(step)
        self._known = self._read_known(drafts)
        self._stated = self._read_stated()
        self._custom = self._read_custom(drafts)
        self._relations = self._read_relations()
        self._awaited = self._read_awaited()
        self._past = Past(step.proposals.proposals_about(step.project_id, *self._spoken(drafts)))
        for draft in sorted(drafts, key=lambda draft: _BEFORE[draft.kind]):
            self._sort(draft)

    @property
    def fresh(self) -> list[Proposal]:
        """The new proposals, in the order they were found."""
        return list(self._fresh.values())

    @property
    def grown(self) -> list[tuple[Proposal, Proposal]]:
        """The pending proposals that were extended, before and after."""
        return list(self._grown.values())

    def skipped(self, unusable: int) -> Skipped:
        """Return how many finds were not proposed, by reason."""
        return Skipped(**self._skipped, unusable=unusable)

    # Reading

    def _read_known(self, drafts: Sequence[Draft]) -> dict[str, Entity]:
        self.cast.expect(names_in(drafts))
        ids: set[str | None] = set()
        for draft in drafts:
            ids |= {self.cast.whom(draft.entity_name, draft.entity_type), self.cast.whom(draft.same_as)}
            for key in ("target", "aliasOf"):
                ids.add(self.cast.whom(draft.attributes.get(key)))
        return self._step.entities(self._step.project_id, filter(None, ids))

    def _read_stated(self) -> dict[str, set[str]]:
        """Return the attribute keys in the states of each known entity."""
        stated: dict[str, set[str]] = {}
        for state in self._step.states_of(self._step.project_id, self._known):
            stated.setdefault(state.entity_id, set()).update(state.attributes)
        return stated

    def _read_custom(self, drafts: Sequence[Draft]) -> set[str]:
        """Return the keys of custom entries that have the name of a find."""
        entries = self._step.lore.entries_of_keys(
            self._step.project_id, (draft.entity_name for draft in drafts)
        )
        return {key for key, entry in entries.items() if entry.entity_id is None}

    def _read_relations(self) -> set[tuple[str, str, str]]:
        found = self._step.relations_from(self._step.project_id, self._known)
        return {(one.source_entity_id, one.target_entity_id, one.relation_type) for one in found}

    def _read_awaited(self) -> set[tuple[str, str, str]]:
        """Return (source, target's key, type) of the pending relations."""
        pending = self._step.events.pending_of(self._step.project_id, self._known)
        return {(one.source_entity_id, name_key(one.target_name), one.relation_type) for one in pending}

    def _spoken(self, drafts: Sequence[Draft]) -> tuple[set[str], set[str]]:
        """Return the keys of all names in the finds, and the names of the known entities among them."""
        known = {entity.name for entity in self._known.values()}
        return {name_key(name) for name in names_in(drafts) | known}, known

    # Sorting

    def _sort(self, draft: Draft) -> None:
        if draft.kind is ProposalKind.RELATION:
            reason = self._sort_relation(draft)
        elif draft.kind is ProposalKind.ALIAS:
            reason = self._sort_alias(draft)
        elif draft.kind is ProposalKind.EVENT:
            reason = self._sort_event(draft)
        elif draft.kind is ProposalKind.TIME:
            reason = self._sort_time(draft)
        else:
            reason = self._sort_entity(draft)
        if reason is not None:
            self._skipped[reason] += 1

    def _sort_entity(self, draft: Draft) -> str | None:
        known = self._meant(draft)
        if known is not None:
            return self._sort_addition(draft, known)
        if name_key(draft.entity_name) in self._custom:
            return KNOWN
        # The local extractor guesses a type per text, so a rejected name stays rejected whatever the type.
        if self._origin.extractor == LocalExtractor.name and self._past.is_rejected(draft.entity_name):
            return REJECTED
        return self._sort_new(draft, Suggestion.NEW)

    def _sort_event(self, draft: Draft) -> str | None:
        known = self._known.get(self.cast.whom(draft.entity_name, EVENT_TYPE) or "")
        if known is not None and known.type == EVENT_TYPE:
            return KNOWN
        return self._sort_new(draft, Suggestion.NEW)

    def _sort_time(self, draft: Draft) -> str | None:
        scene = self._step.manuscript.scene_of_id(self._step.project_id, draft.attributes[OF_SCENE])
        is_said = scene is None or scene.world_time is not None
        return KNOWN if is_said else self._sort_new(draft, Suggestion.NEW)

    def _sort_relation(self, draft: Draft) -> str | None:
        source = self._known.get(self.cast.whom(draft.entity_name, draft.entity_type) or "")
        target = self._known.get(self.cast.whom(draft.attributes["target"]) or "")
        word = relation_type(draft.attributes["type"])
        if source is not None and target is not None and self._is_said(source, target, word):
            return KNOWN
        if source is not None and (source.id, name_key(draft.attributes["target"]), word) in self._awaited:
            return KNOWN
        ends = ((draft.entity_name, source), (draft.attributes["target"], target))
        if any(known is None and self._past.is_rejected(name) for name, known in ends):
            return REJECTED
        named: dict[str, Any] = {}
        if target is not None:
            named["attributes"] = {**draft.attributes, "target": target.name}
        if source is not None:
            named |= {"entity_name": source.name, "entity_type": source.type, "same_as": source.name}
        suggestion = Suggestion.NEW if source is None else Suggestion.UPDATE
        return self._sort_new(draft.model_copy(update=named), suggestion)

    def _is_said(self, source: Entity, target: Entity, word: str) -> bool:
        return source.id == target.id or (source.id, target.id, word) in self._relations

    def _sort_alias(self, draft: Draft) -> str | None:
        owner = draft.attributes["aliasOf"]
        known = self._known.get(self.cast.whom(owner) or "")
        if known is None:
            if self._past.is_rejected(owner):
                return REJECTED
            return self._sort_new(draft, Suggestion.ALIAS)
        if not names_besides(known, [draft.entity_name]):
            return KNOWN
        if self.cast.reveal_of(known.id, draft.names) is not None:
            return KEPT_APART
        if reason := self._past.reason_against(known, draft.entity_name):
            return reason
        named = {
            "attributes": {**draft.attributes, "aliasOf": known.name},
            "same_as": known.name,
            "entity_type": known.type,
        }
        return self._sort_new(draft.model_copy(update=named), Suggestion.ALIAS)

    def _sort_new(self, draft: Draft, suggestion: Suggestion) -> str | None:
        """Propose something new, or extend a pending proposal of the same fact."""
        for past in self._past.same_as(draft):
            if past.review_action is ReviewAction.REJECTED:
                return REJECTED
            if past.review_action is ReviewAction.PENDING:
                self._grow(past, draft)
                return PENDING
        self._propose(draft, suggestion)
        return None

    def _sort_addition(self, draft: Draft, known: Entity) -> str | None:
        """Propose what a find adds to a known entity, without what is already stored."""
        taken = known.attributes.keys() | self._stated.get(known.id, set())
        if known.description.strip():
            taken.add(PROSE)
        told = attributes_for_story(draft.attributes, self._origin.extractor)
        fresh = {key: value for key, value in told.items() if key not in taken}
        names = names_besides(known, draft.names)
        if not fresh and not names:
            return KNOWN
        if self.cast.reveal_of(known.id, names) is not None:
            return KEPT_APART
        for action, reason in ((ReviewAction.REJECTED, REJECTED), (ReviewAction.PENDING, PENDING)):
            for past in self._past.about(known, action):
                fresh = {key: value for key, value in fresh.items() if past.attributes.get(key) != value}
                said = {name_key(name) for name in past.names}
                names = tuple(name for name in names if name_key(name) not in said)
            if not fresh and not names:
                return reason
        aliases = tuple(name for name in names if name_key(name) != name_key(draft.entity_name))
        is_named = len(aliases) < len(names)
        addition = draft.model_copy(
            update={
                "entity_name": draft.entity_name if is_named else known.name,
                "entity_type": known.type,
                "attributes": fresh,
                "aliases": aliases,
                "same_as": known.name,
            }
        )
        for past in self._past.about(known, ReviewAction.PENDING):
            if past.kind is ProposalKind.ENTITY and past.suggestion is not Suggestion.ALIAS and not is_named:
                self._grow(past, addition)
                return PENDING
        self._propose(addition, Suggestion.ALIAS if is_named else Suggestion.UPDATE)
        return None

    def _meant(self, draft: Draft) -> Entity | None:
        """Return the entity that a find refers to: by name and type, by its own claim, or by name alone."""
        found = self._known.get(self.cast.whom(draft.entity_name, draft.entity_type) or "")
        if found is not None and found.type == draft.entity_type:
            return found
        return self._known.get(self.cast.whom(draft.same_as) or "") or found

    # Proposing

    def _propose(self, draft: Draft, suggestion: Suggestion) -> None:
        place, start, end = self._origin.located(draft)
        fields: dict[str, Any] = {name: getattr(draft, name) for name in Draft.model_fields}
        fields |= {"source_start": start, "source_end": end, "facts": self._located(draft.facts)}
        proposal = Proposal.trusted(
            **fields,
            id=self._step.new_id(),
            project_id=self._step.project_id,
            manuscript_id=place.manuscript_id,
            chapter=place.chapter,
            scene=place.scene,
            reviewed=False,
            review_action=ReviewAction.PENDING,
            linked_lorebook_id=None,
            linked_entity_id=None,
            extractor=self._origin.extractor,
            suggestion=suggestion,
            version=1,
            created_at=self._step.now,
            updated_at=self._step.now,
        )
        self._fresh[proposal.id] = proposal
        self._past.note(proposal)

    def _located(self, facts: Iterable[ReadFact]) -> tuple[ReadFact, ...]:
        """Return the facts with the scene that each was read in, and the span within it."""
        placed = ((fact, *self._origin.located(fact)) for fact in facts)
        return tuple(
            fact.model_copy(
                update={"source_start": start, "source_end": end, "scene_id": place.manuscript_id}
            )
            for fact, place, start, end in placed
        )

    def _grow(self, waiting: Proposal, draft: Draft) -> None:
        """Extend a pending proposal by a further find, without changing its existing values."""
        if waiting.kind not in (ProposalKind.ENTITY, ProposalKind.EVENT):
            return
        attributes = {**waiting.attributes}
        for key, value in draft.attributes.items():
            if len(attributes) < self._step.limits.max_attribute_keys:
                attributes.setdefault(key, value)
        aliases = aliases_beside(waiting.entity_name, (*waiting.aliases, *draft.aliases))[:MAX_ALIASES]
        told = {fact.text for fact in waiting.facts}
        fresh = [fact for fact in self._located(draft.facts) if fact.text not in told]
        changes = {
            "attributes": attributes,
            "aliases": aliases,
            "facts": (*waiting.facts, *fresh)[:MAX_FACTS],
            "confidence": max(waiting.confidence, draft.confidence),
            **self._earlier_place(waiting, draft),
        }
        after = waiting.model_copy(update=changes)
        if after == waiting:
            return
        if waiting.id in self._fresh:
            self._fresh[waiting.id] = after
        else:
            before = self._grown[waiting.id][0] if waiting.id in self._grown else waiting
            self._grown[waiting.id] = (before, touched(self._step, after))
        self._past.note(after)

    def _earlier_place(self, waiting: Proposal, draft: Draft) -> dict[str, Any]:
        """Return the position of the text if it is earlier than where the proposal was first found."""
        place = self._origin.located(draft)[0]
        if place.moment is None or waiting.moment is None:
            return {}
        if first_instant(place.moment) >= first_instant(waiting.moment):
            return {}
        return {"manuscript_id": place.manuscript_id, "chapter": place.chapter, "scene": place.scene}


def names_in(drafts: Iterable[Draft]) -> set[str]:
    """Return all names in the drafts."""
    said: set[str] = set()
    for draft in drafts:
        also = (draft.same_as, draft.attributes.get("target"), draft.attributes.get("aliasOf"))
        said.update(draft.names, (name for name in also if isinstance(name, str)))
    return said
