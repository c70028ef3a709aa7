"""Audiences: which entities and which parts of a text a model may see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.context.edition_cache import (
    confirmed_covers,
    kept_redaction,
    origins_of,
    secrets_spoken_of,
)
from fabula.context.identity_view import IdentityView
from fabula.context.joining import joining_redaction, places_named
from fabula.context.name_origins import NameOrigin
from fabula.context.point_of_view import PointOfView, eyes_of
from fabula.context.redaction import Redaction, Spans
from fabula.index.adjacency import Adjacency
from fabula.index.appearances import NameOfEntity, are_forms_of_one
from fabula.index.deadline import Deadline
from fabula.index.lorebook import EntryOwner
from fabula.matching import Match, Term
from fabula.matching.matcher import TimeCheck
from fabula.model.audience import OpenText
from fabula.model.entity import Entity
from fabula.model.fact import FactRef
from fabula.model.level import AiContextLevel, may_be_told
from fabula.model.lore import LoreEntry
from fabula.model.names import name_key
from fabula.model.story_settings import Cover


@dataclass(frozen=True, slots=True)
class ModelView(IdentityView):
    """What a model may see of a story, at an instant or at all times, with pinned entities and entries.

    `introduced` are the slots, entry ids and names that the text asked about uses before the manuscript does.
    With a point of view, nothing private that this person does not know is seen, whatever its level.
    """

    pinned_slots: frozenset[int] = frozenset()
    pinned_entries: frozenset[str] = frozenset()
    introduced: frozenset[Hashable] = field(default=frozenset(), kw_only=True)
    pov: PointOfView | None = field(default=None, kw_only=True)
    deadline: Deadline | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Make sure that what is hidden until the manuscript names it is known."""
        if self.instant is not None:
            self.index.date_by_appearance(self.reader)

    @property
    def key(self) -> Hashable:
        """A key that distinguishes this view from others of the same edition of a story."""
        pov = None if self.pov is None else self.pov.key
        return type(self).__name__, self.instant, self.pinned_slots, self.pinned_entries, self.introduced, pov

    @property
    def known_graph(self) -> Adjacency:
        """The relations, without private ones that the point of view does not know."""
        return self.index.graph(self.reader) if self.pov is None else self.pov.graph

    @property
    def point_of_view(self) -> str | None:
        """The id of the person from whose point of view the story is told; None if it is told by nobody."""
        return None if self.pov is None else self.pov.knower

    def at(self, instant: int | None) -> ModelView:
        """Return the view of the same audience at another instant, without pins."""
        pov = self.pov and eyes_of(self.reader, self.index, self.pov.knower, instant)
        return ModelView(self.reader, self.index, instant, pov=pov, deadline=self.deadline)

    @property
    def redaction(self) -> Redaction:
        """The redaction of values for this view."""
        return self.redaction_about(()) if self.identity.apart else Redaction(self.hidden)

    def redaction_about(self, entity_ids: Iterable[str]) -> Redaction:
        """Return the redaction of values about some entities, which must not name who they turn out to be."""
        apart = self.identity.apart
        if not apart:
            return Redaction(self.hidden)
        return joining_redaction(self.reader, self.index, apart, self.hidden, entity_ids)

    def redaction_of(self, entry: LoreEntry) -> Redaction:
        """Return the redaction of a custom entry, which is about those whom its title and keywords name."""
        if not self.identity.apart:
            return self.redaction
        title = "\n".join((entry.entry_key, entry.display_name, *entry.keywords))
        return self.redaction_about({one.entity_id for one in places_named(self.reader, self.index, title)})

    def tellable(self) -> NDArray[np.bool_]:
        """Return a mask of the entities the model may see at this instant, by slot."""
        told = self.index.roster.tellable_at(self.pinned_slots, self.instant, self._introduced_slots)
        return self.known_among(told)

    def known_among(self, told: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Unset, in a mask of slots, the entities that the point of view does not know; return the mask."""
        if self.pov is not None and self.pov.hidden_slots:
            told[list(self.pov.hidden_slots)] = False
        return told

    def tellable_predicate(self) -> Callable[[int], bool]:
        """Return `may_be_told` as a fast predicate for many slots."""
        roster = self.index.roster
        told = roster.tellable_predicate(self.pinned_slots, self.instant, self._introduced_slots)
        if self.pov is None or not self.pov.hidden_slots:
            return told
        hidden = self.pov.hidden_slots
        return lambda slot: slot not in hidden and told(slot)

    @property
    def _introduced_slots(self) -> frozenset[int]:
        return frozenset(one for one in self.introduced if isinstance(one, int))

    def may_be_told(self, slot: int) -> bool:
        """Whether the model may see an entity at this instant."""
        return not self.is_not_known(slot) and self.index.roster.may_be_told(
            slot,
            named=slot in self.pinned_slots,
            instant=self.instant,
            introduced=slot in self.introduced,
        )

    def is_not_known(self, slot: int) -> bool:
        """Whether an entity is private and the point of view does not know it."""
        return self.pov is not None and slot in self.pov.hidden_slots

    def is_entry_not_known(self, entry_id: str) -> bool:
        """Whether a custom entry is private and the point of view does not know it."""
        return self.pov is not None and entry_id in self.pov.hidden_entries

    def is_named_later(self, slot: int) -> bool:
        """Whether an entity is hidden because the manuscript names it only after this instant."""
        is_asked = slot in self.pinned_slots or slot in self.introduced
        return not is_asked and self.index.roster.is_named_later(slot, self.instant)

    def is_entry_named_later(self, entry: LoreEntry) -> bool:
        """Whether the manuscript names a custom entry without a `since` only after this instant."""
        return (
            self.instant is not None
            and entry.since is None
            and entry.told is None
            and entry.ai_context_level is not AiContextLevel.ALWAYS
            and entry.id not in self.pinned_entries
            and entry.id not in self.introduced
            and self.index.appearances.entries.get(entry.id, -1) > self.instant
        )

    def may_be_read(self, entry: LoreEntry) -> bool:
        """Whether the model may see a custom entry at this instant."""
        is_on = entry.enabled and self.index.books.is_enabled(self.reader, entry.book_id)
        return is_on and self.may_be_known(entry)

    def may_be_known(self, entry: LoreEntry) -> bool:
        """Whether the levels and the moment allow the model to see a custom entry, if it is switched on."""
        asked = entry.id in self.pinned_entries
        is_open = may_be_told(entry.ai_context_level, named=asked) and self._holds(entry)
        return is_open and not self.is_entry_named_later(entry) and not self.is_entry_not_known(entry.id)

    def _holds(self, entry: LoreEntry) -> bool:
        return self.index.clock.holds(entry, self.instant)

    def prose(self, text: str) -> OpenText:
        """Return the text without the sentences that name a secret."""
        return self.redaction.prose(text)

    def label(self, text: str) -> OpenText:
        """Return the text, or an empty text if it names a secret."""
        return self.redaction.label(text)

    def json(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the value without anything that names a secret, at any depth."""
        return self.redaction.json(value)

    def own_names(self, entity: Entity) -> tuple[OpenText, ...]:
        """Return the names of an open entity, the one in use first, without those that would reveal a secret.

        Empty if its main name would reveal one, or if it has none yet; it must not be mentioned then.
        """
        if self.pov is not None and self.is_not_known(self.index.roster.slot_of.get(entity.id, -1)):
            return ()
        names = kept_redaction(
            self.index, (self.key, entity.id), entity.name, lambda: self._own_names(entity)
        )
        if entity.id not in self.identity.leaders:
            return names
        members = self.members(self.index.roster.slot_of[entity.id])
        others = (self._own_names(one) for one in self.index.entities(self.reader, members))
        return tuple(dict.fromkeys(name for own in others for name in own)) if names else ()

    def name_alone(self, entity: Entity) -> OpenText:
        """Return what an open entity is called by itself, although it is told as one with others."""
        return next(iter(self._own_names(entity)), OpenText(""))

    def _own_names(self, entity: Entity) -> tuple[OpenText, ...]:
        if not self._is_open_name(entity.id, entity.name):
            return ()
        others = (one for one in entity.every_other_name if self._is_open_name(entity.id, one, is_alias=True))
        names = [name for name in (entity.name, *others) if not self.is_name_unknown(entity.id, name)]
        known = [name for name in names if self._is_name_known(entity.id, name)]
        if entity.names:
            newest = self.name_in_use(entity.id)
            known = [*(name for name in names if name == newest), *(name for name in known if name != newest)]
        return tuple(map(OpenText, known or names))

    def as_named(self, entity: Entity) -> Entity:
        """Return an open entity under the name in use for this audience, with its other open names."""
        is_usual = entity.id not in self.index.identities.names and entity.id not in self.identity.leaders
        names = () if is_usual else self.own_names(entity)
        if not names:
            return entity
        return entity.model_copy(update={"name": names[0], "aliases": names[1:], "names": ()})

    def _is_name_known(self, entity_id: str, name: str) -> bool:
        """Whether an open entity may be called by a name: not if the manuscript uses it only later.

        An author's own name for somebody is known with any form of it that the manuscript uses.
        """
        called = NameOfEntity(entity_id, name)
        if self.instant is None or called in self.introduced:
            return True
        if not self.index.appearances.is_used_later(called, self.instant):
            return True
        origin = origins_of(self.reader, self.index, entity_id).get(name_key(name), NameOrigin.OTHERS)
        forms = self.index.appearances.forms_in_use(entity_id, self.instant)
        return origin is NameOrigin.AUTHOR and any(are_forms_of_one(name, form) for form in forms)

    def entry_name(self, entry: LoreEntry) -> OpenText:
        """Return the title of an entry, or an empty text if it would reveal a secret."""
        title = entry.display_name or entry.entry_key
        return OpenText(title if self._is_open_name(entry.id, title) else "")

    def _is_open_name(self, row_id: str, name: str, *, is_alias: bool = False) -> bool:
        """Whether a name of something open contains nothing hidden, or the author allows it.

        An open and a hidden entity may share a name; but an alias equal to a hidden name would reveal who
        an open entity is.
        """
        return not self.hidden(name) or all(
            self._may_cover(row_id, name, match)
            and not (is_alias and (match.start, match.end) == (0, len(name)))
            for match in self.secrets_in(name)
            if not all(
                isinstance(one.owner, NameOfEntity) and one.owner.entity_id == row_id for one in match.terms
            )
        )

    def hidden(self, text: str) -> Spans:
        """Return the spans of a text that name something hidden from the model at this instant."""
        if not text or not self.has_secrets():
            return ()
        if any(map(self.is_hidden, secrets_spoken_of(self.reader, self.index, text, self._watch))):
            return kept_redaction(self.index, self.key, text, lambda: self._hidden_places(text))
        return tuple(self._hidden_quotations(text))

    def _hidden_quotations(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of a text that are quotations of a private fact that is not known."""
        if self.pov is None or not self.pov.hides_something:
            return []
        quotations = self.index.known.quotations(self.reader)
        if not any(map(self._is_fact_hidden, quotations.owners(text, self._watch))):
            return []
        found = quotations.outermost(text, self._is_fact_hidden, self._watch)
        return [(match.start, match.end) for match in found]

    def _is_fact_hidden(self, owner: Hashable) -> bool:
        return self.pov is not None and isinstance(owner, FactRef) and self.pov.hides(owner)

    def has_secrets(self) -> bool:
        """Whether the story has anything that may be hidden by name or quotation."""
        return (
            self.index.roster.has_secrets()
            or bool(self.index.lorebook(self.reader).guarded)
            or bool(self.index.appearances.later_names)
            or (self.pov is not None and self.pov.hides_something)
            or bool(self.index.identities.names)
        )

    def _hidden_places(self, text: str) -> Spans:
        secrets = self.secrets_in(text)
        longer = self.index.names(self.reader).outermost(text, self._is_open, self._watch)
        begins = [match.start for match in longer]
        hidden: list[tuple[int, int]] = []
        for secret in secrets:
            if self._watch is not None:
                self._watch(len(hidden))
            last = bisect_right(begins, secret.start)
            # No span contains another, so those that begin earlier also end earlier.
            while last and longer[last - 1].end >= secret.end:
                if self._is_covered(text, secret, longer[last - 1]):
                    break
                last -= 1
            else:
                if not self._is_only_a_keyword(text, secret):
                    hidden.append((secret.start, secret.end))
        quoted = self._hidden_quotations(text)
        return tuple(sorted({*hidden, *quoted}) if quoted else hidden)

    def _is_only_a_keyword(self, text: str, secret: Match) -> bool:
        """Whether a word is secret only as a keyword of something private, and is an open entity's name."""
        if self.pov is None or not all(self._is_private_keyword(term) for term in secret.terms):
            return False
        word = text[secret.start : secret.end]
        return any(
            (hit.start, hit.end) == (0, len(word))
            and not isinstance(hit.owner, EntryOwner)
            and not self.is_hidden(hit.owner)
            for hit in self.index.names(self.reader).find_all(word)
        )

    def _is_private_keyword(self, term: Term) -> bool:
        if not isinstance(term.owner, EntryOwner):
            return False
        entity_id = self.index.lorebook(self.reader).entity_of.get(term.owner.entry_id)
        if entity_id is None:
            return self.is_entry_not_known(term.owner.entry_id)
        return self.is_not_known(self.index.roster.slot_of[entity_id])

    def check_time(self) -> None:
        """Raise QueryTimeout if the query's deadline has passed."""
        if self.deadline is not None:
            self.deadline.check(0)

    @property
    def _watch(self) -> TimeCheck | None:
        return None if self.deadline is None else self.deadline.check

    def _is_open(self, owner: Hashable) -> bool:
        return not self.is_hidden(owner)

    def secrets_in(self, text: str) -> list[Match]:
        """Return every occurrence of a hidden name in a text, whether or not a longer name covers it."""
        return self.index.secret_names(self.reader).outermost(text, self.is_hidden, self._watch)

    def is_hidden(self, owner: Hashable) -> bool:
        """Whether the owner of a secret name is hidden from the model at this instant."""
        slots = self.index.roster.slot_of
        if isinstance(owner, NameOfEntity):
            is_later = self.instant is not None and self.index.appearances.is_used_later(owner, self.instant)
            return (is_later and owner not in self.introduced) or self.is_name_unknown(*owner)
        if not isinstance(owner, EntryOwner):
            slot = slots.get(str(owner))
            return slot is not None and not self.may_be_told(slot)
        lorebook = self.index.lorebook(self.reader)
        entity_id = lorebook.entity_of.get(owner.entry_id)
        if entity_id is not None:
            return not self.may_be_told(slots[entity_id])
        if self.is_entry_not_known(owner.entry_id):
            return True
        level = lorebook.guarded.get(owner.entry_id)
        return level is not None and not may_be_told(level, named=owner.entry_id in self.pinned_entries)

    def _is_covered(self, text: str, secret: Match, longer: Match) -> bool:
        """Whether a secret name is only part of a longer, open name that the author allows."""
        if (longer.start, longer.end) == (secret.start, secret.end):
            return False
        name = text[longer.start : longer.end]
        start, end = secret.start - longer.start, secret.end - longer.start
        for hit in self.index.names(self.reader).find_all(name):
            is_longer = hit.start <= start and end <= hit.end and (hit.start, hit.end) != (start, end)
            if is_longer and not self.is_hidden(hit.owner):
                row_id = hit.owner.entry_id if isinstance(hit.owner, EntryOwner) else str(hit.owner)
                if self._may_cover(row_id, hit.term, secret):
                    return True
        return False

    def _may_cover(self, row_id: str, name: str, secret: Match) -> bool:
        """Whether the author allows a name although it contains a secret name.

        A name read from the manuscript covers entities that are hidden only because they appear later.
        """
        origin = origins_of(self.reader, self.index, row_id).get(name_key(name), NameOrigin.OTHERS)
        return all(
            origin is NameOrigin.AUTHOR
            or (origin is NameOrigin.MANUSCRIPT and self._only_comes_later(term))
            or Cover(name_key(name), name_key(term.text)) in confirmed_covers(self.reader, self.index)
            for term in secret.terms
        )

    def _only_comes_later(self, term: Term) -> bool:
        """Whether an entity is hidden only because of the moment and not by its context level."""
        owner = term.owner
        if isinstance(owner, NameOfEntity):
            return True
        lorebook = self.index.lorebook(self.reader)
        entity_id = lorebook.entity_of.get(owner.entry_id) if isinstance(owner, EntryOwner) else str(owner)
        slot = None if entity_id is None else self.index.roster.slot_of.get(entity_id)
        if slot is None or self.is_not_known(slot):
            return False
        return may_be_told(self.index.roster.levels[slot], named=slot in self.pinned_slots)
