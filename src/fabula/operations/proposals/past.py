"""Earlier proposals and their outcome: the reasons not to propose something again."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.model.entity import Entity
from fabula.model.names import name_key
from fabula.model.proposal import Draft, Proposal, ProposalKind, ReviewAction, Suggestion, proposal_identity

KNOWN, PENDING, REJECTED, KEPT_APART = "known", "pending", "rejected", "kept_apart"


class Past:
    """What was proposed before, and in this reading so far."""

    def __init__(self, proposals: Iterable[Proposal]) -> None:
        self._of_id: dict[str, Proposal] = {}
        self._named: dict[str, list[str]] = {}
        self._about: dict[str, list[str]] = {}
        for proposal in proposals:
            self.note(proposal)

    def note(self, proposal: Proposal) -> None:
        """Record a new or extended proposal."""
        if proposal.id not in self._of_id:
            self._named.setdefault(name_key(proposal.entity_name), []).append(proposal.id)
            if proposal.kind in (ProposalKind.ENTITY, ProposalKind.ALIAS):
                whom = name_key(proposal.same_as or proposal.entity_name)
                self._about.setdefault(whom, []).append(proposal.id)
        self._of_id[proposal.id] = proposal

    def same_as(self, draft: Draft) -> list[Proposal]:
        """Return earlier proposals of the same fact, newest first; an addition differs from a new entity."""
        identity = proposal_identity(draft)
        is_newcomer = identity[0] == "entity"
        return [
            past
            for past in self._of_name(draft.entity_name)
            if proposal_identity(past) == identity
            and not (is_newcomer and past.suggestion is not Suggestion.NEW)
        ]

    def is_rejected(self, name: str) -> bool:
        """Whether new entities of this name were proposed and always rejected."""
        entities = (ProposalKind.ENTITY, ProposalKind.EVENT)
        newcomers = [
            past
            for past in self._of_name(name)
            if past.kind in entities and past.suggestion is Suggestion.NEW
        ]
        return bool(newcomers) and all(past.review_action is ReviewAction.REJECTED for past in newcomers)

    def about(self, known: Entity, action: ReviewAction) -> list[Proposal]:
        """Return the proposals about a known entity with this outcome."""
        found = (self._of_id[key] for key in self._about.get(name_key(known.name), ()))
        return [past for past in found if past.review_action is action]

    def reason_against(self, known: Entity, name: str) -> str | None:
        """Return why a name should not be proposed again for an entity, if there is a reason."""
        for action, reason in ((ReviewAction.REJECTED, REJECTED), (ReviewAction.PENDING, PENDING)):
            if any(name_key(name) in map(name_key, past.names) for past in self.about(known, action)):
                return reason
        return None

    def _of_name(self, name: str) -> list[Proposal]:
        return [self._of_id[key] for key in reversed(self._named.get(name_key(name), []))]
