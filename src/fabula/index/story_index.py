"""The compiled index of one story, brought up to date from the change log.

Its parts are built when a query first needs them, and follow the log from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import orjson

from fabula.collector import freeze_built
from fabula.index.adjacency import Adjacency
from fabula.index.appearances import Appearances, NameFinders
from fabula.index.books import StoryBooks
from fabula.index.chronicle import Chronicle
from fabula.index.identities import Identities
from fabula.index.knowledge import Knowledge
from fabula.index.links import (
    built_chronicle,
    built_graph,
    built_roster,
    put_entity,
    put_link,
    put_relation,
    put_role,
)
from fabula.index.lookup import Lookup
from fabula.index.lorebook import EntryOwner, Lorebook
from fabula.index.mentions import MentionIndex, named_in_text
from fabula.index.passages import PassageIndex
from fabula.index.shown import ShownValues
from fabula.index.story_knowledge import StoryKnowledge
from fabula.index.story_names import StoryNames
from fabula.index.story_passages import StoryPassages
from fabula.index.value_cache import ValueCache
from fabula.index.vectors import StoryVectors
from fabula.index.words import WordIndex
from fabula.index.world_clock import WorldClock
from fabula.matching import Matcher
from fabula.model.entity import Entity
from fabula.model.event import EVENT
from fabula.model.lore import LoreEntry
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation
from fabula.model.story_settings import DATED_BY_APPEARANCE, wants
from fabula.store.changes import Changes
from fabula.store.kinds import (
    BOOK,
    ENTITY,
    ENTRY,
    EVENT_ROLE,
    EVIDENCE,
    KNOWING,
    PENDING_RELATION,
    RELATION,
    REVEAL,
    SCENE,
    SNAPSHOT,
    STATE,
    STORY,
    THREAD,
)
from fabula.store.kinds import EVENT as EVENT_ROW
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind
from fabula.store.scans import scan_prompt_texts

# Beyond this share of the story, rebuilding is faster than following the log.
LEAST_FOLLOWED = 1_000
REBUILD_SHARE, STALE_SHARE = 0.2, 0.25

SHELVED_ENTITIES = SHELVED_ENTRIES = 20_000
SHELVED_RELATIONS = 60_000

# Approximate bytes per value, as measured by bench/service_memory.py; the parts know their own.
# The process grows by more than its values, because of fragmentation.
GAPS = 1.3
BYTES_AT_FIRST = 300_000
ENTITY_BYTES, ENTRY_BYTES, RELATION_BYTES = 1_700, 2_000, 1_100


class StoryIndex:
    """The index of one story at one revision; `naming` increases when names may have changed."""

    def __init__(self, reader: Reader, project_id: str) -> None:
        self.project_id = project_id
        self.edition = reader.edition(project_id)
        self.naming = 0
        self.roster = built_roster(reader, project_id)
        self.identities = Identities(reader, project_id)
        self._graph: Adjacency | None = None
        self.books = StoryBooks(project_id)
        self._called = StoryNames(project_id, self.roster, self.books)
        self.appearances = Appearances(project_id, self.roster)
        self._lookup: Lookup | None = None
        self._words: WordIndex | None = None
        self._chronicle: Chronicle | None = None
        self._mentions: MentionIndex | None = None
        self.manuscript = StoryPassages(project_id)
        self.vectors = StoryVectors(project_id)
        self._entities: ValueCache[Entity] = ValueCache(SHELVED_ENTITIES, ENTITY_BYTES)
        self._relations: ValueCache[Relation] = ValueCache(SHELVED_RELATIONS, RELATION_BYTES)
        self._entries: ValueCache[LoreEntry] = ValueCache(SHELVED_ENTRIES, ENTRY_BYTES)
        self.shown = ShownValues()
        self.known = StoryKnowledge(project_id)
        self._set_clock(reader)

    @property
    def clock(self) -> WorldClock:
        """When the scenes of the story play."""
        return self.roster.world.clock

    def _set_clock(self, reader: Reader) -> bool:
        """Read when the scenes play; whether that has changed."""
        clock = WorldClock.of(reader, self.project_id)
        is_new = clock != self.clock
        for part in (self.roster, self._graph) if is_new else ():
            if part is not None:
                part.world.clock = clock
        return is_new

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes, counting what was built and cached so far."""
        kept = (self._entities, self._relations, self._entries)
        always = (self.roster, self.identities, self._called, self.appearances, self.vectors, *kept)
        texts = (self._lookup, self._words, self._mentions, self.manuscript)
        built = (self.shown, self.books, self.known, *texts, self._graph, self._chronicle)
        values = sum(part.weight for part in (*always, *built) if part is not None)
        return BYTES_AT_FIRST + int(GAPS * values)

    @property
    def most_changes(self) -> int:
        """The number of changes beyond which rebuilding is faster than following the log."""
        return max(LEAST_FOLLOWED, int(REBUILD_SHARE * len(self.roster)))

    def apply(self, changes: Changes) -> bool:
        """Apply the changes; False if it is better to rebuild."""
        changed: dict[RowKind, set[str]] = {kind: set() for kind in FOLLOWED}
        for kind, row_id, _, after_json in changes.results(FOLLOWED.keys()):
            after = None if after_json is None else orjson.loads(after_json)
            FOLLOWED[kind](self, row_id, after)
            self.shown.row_changed(row_id, after)
            self.known.row_changed(kind, row_id, after)
            changed[kind].add(after["event_id"] if kind is EVENT_ROLE and after else row_id)
        self._retell(changes.reader, self._to_retell(changes.reader, changed))
        is_retimed = bool(changed[SCENE]) and self._set_clock(changes.reader)
        self.naming += is_retimed or any(changed[kind] for kind in (ENTITY, ENTRY, BOOK, STORY, REVEAL))
        self.edition = changes.until
        return self.roster.stale_share < STALE_SHARE

    def entities(self, reader: Reader, slots: Iterable[int]) -> list[Entity]:
        """The entities in these slots."""
        ids = (self.roster.ids[slot] for slot in slots)
        return self._entities.take(ids, lambda missing: reader.entities(self.project_id, missing))

    def relations(self, reader: Reader, links: Iterable[int]) -> list[Relation]:
        """The relations in these relation slots."""
        ids = map(self.graph(reader).ids.__getitem__, links)
        return self._relations.take(ids, lambda missing: reader.relations(self.project_id, missing))

    def entries(self, reader: Reader, ids: Iterable[str]) -> list[LoreEntry]:
        """The lorebook entries with these ids."""
        return self._entries.take(ids, lambda missing: reader.lore.entries(self.project_id, missing))

    def graph(self, reader: Reader) -> Adjacency:
        """The adjacency lists of the graph."""
        if self._graph is None:
            self._graph = built_graph(reader, self.project_id, self.roster)
            self._graph.world.clock = self.clock
            freeze_built(len(self.roster))
        return self._graph

    def names(self, reader: Reader) -> Matcher:
        """The matcher for names, aliases and keywords; owners are entity ids and `EntryOwner`s."""
        return self._called.names(reader)

    def short_names(self, reader: Reader) -> Matcher:
        """The matcher for short forms of names: given names, surnames, titles."""
        return self._called.short_names(reader)

    def secret_names(self, reader: Reader) -> Matcher:
        """The loose matcher for the names of entities that are hidden, always or at some moments."""
        return self._called.secret_names(reader, self.identities.secret_names(self.appearances))

    def lorebook(self, reader: Reader) -> Lorebook:
        """The lorebook entries."""
        return self._called.lorebook(reader)

    def lookup(self, reader: Reader) -> Lookup:
        """The index of the characters in names and custom entries."""
        if self._lookup is None:
            self._lookup = Lookup(reader, self.project_id, self.roster)
            freeze_built(len(self.roster))
        return self._lookup

    def words(self, reader: Reader) -> WordIndex:
        """The inverted index over the entities' texts."""
        if self._words is None:
            slots = self.roster.slot_of
            self._words = WordIndex(
                (slots[key], text) for key, text in scan_prompt_texts(reader, self.project_id)
            )
        return self._words

    def chronicle(self, reader: Reader) -> Chronicle:
        """The index of events and their participants."""
        if self._chronicle is None:
            self._chronicle = built_chronicle(reader, self.project_id, self.roster)
            freeze_built(len(self.roster))
        return self._chronicle

    def knowledge(self, reader: Reader) -> Knowledge:
        """Who knows what."""
        parts = self.roster, self.graph(reader), self.chronicle(reader)
        matchers = self.names(reader), self.short_names(reader)
        return self.known.knowledge(reader, parts, matchers, self.naming)

    def date_by_appearance(self, reader: Reader) -> None:
        """Bring up to date which scene names each entity and entry first, if the author wants it."""
        if self.appearances.is_current:
            return
        if wants(reader.story(self.project_id).settings, DATED_BY_APPEARANCE):
            finders = NameFinders(self.names(reader), self.short_names(reader))
            has_changed = self.appearances.catch_up(reader, finders, self.lorebook(reader))
        else:
            has_changed = self.appearances.clear()
        if has_changed:
            self._called.forget_secrets()
            self.naming += 1

    def mentions(self, reader: Reader) -> MentionIndex:
        """The index of which entities' texts name which others, by name or alias."""
        if self._mentions is None:
            names, entities = self.names(reader), self.lorebook(reader).entity_of
            find = partial(named_in_text, names, entities, self.roster.slot_of)
            self._mentions = MentionIndex(self.words(reader).text_of, find)
            self._mentions.mark(self.roster.slot_of.values())
        return self._mentions

    def passages(self, reader: Reader) -> PassageIndex:
        """The index of the scenes' passages."""
        if not self.manuscript.is_built:
            self.manuscript.index(reader)
            freeze_built(len(self.roster))
        return self.manuscript.index(reader)

    def build_for_text(self, reader: Reader) -> None:
        """Build the parts that queries about a text need, before their time limit starts."""
        self.names(reader)
        self.lorebook(reader)
        self.words(reader)

    def build_for_questions(self, reader: Reader) -> None:
        """Build the parts that queries over the whole story need, before their time limit starts."""
        is_first = self._mentions is None or not self.manuscript.is_built
        self.build_for_text(reader)
        self.short_names(reader)
        self.graph(reader)
        self.chronicle(reader)
        self.mentions(reader).catch_up()
        self.passages(reader).in_order()
        if is_first:
            freeze_built(len(self.roster))

    def _entity_changed(self, entity_id: str, after: dict[str, Any] | None) -> None:
        self._entities.drop(entity_id)
        if after is None:
            self._entity_gone(entity_id)
            return
        was_hidden = self.roster.may_be_hidden(entity_id)
        slot = put_entity(self.roster, entity_id, after)
        if after["type"] == EVENT and self._graph is not None:
            # Its roles, shown as relations, carry its version.
            for link in self._graph.links[slot] if slot < len(self._graph.links) else ():
                self._relations.drop(self._graph.ids[link])
        if self.identities.entity_changed(entity_id, after):
            self._called.forget_secrets()
        terms = self._called.entity_changed(entity_id, after, was_hidden=was_hidden)
        self.appearances.renamed(entity_id, terms)
        if self._lookup is not None:
            self._lookup.entity_changed(slot, after)
        if self._words is not None:
            self._words.put(slot, prompt_text(after["description"], orjson.loads(after["attributes_json"])))
            if self._mentions is not None:
                self._mentions.renamed.add(slot)
                self._mentions.mark_around(slot)
                for term in terms:
                    self._mentions.mark(self._words.having(term.text))

    def _entity_gone(self, entity_id: str) -> None:
        slot = self.roster.drop(entity_id)
        self.identities.entity_changed(entity_id, None)
        self._called.entity_gone(entity_id)
        self.appearances.renamed(entity_id, ())
        if slot is None:
            return
        if self._lookup is not None:
            self._lookup.entity_gone(slot)
        if self._words is not None:
            self._words.drop(slot)
        if self._mentions is not None:
            self._mentions.renamed.discard(slot)
            self._mentions.mark_around(slot)

    def _relation_changed(self, relation_id: str, after: dict[str, Any] | None) -> None:
        self._relations.drop(relation_id)
        if self._graph is None:
            return
        if after is None:
            self._graph.drop(relation_id)
            return
        put_relation(self._graph, self.roster.slot_of, relation_id, after)

    def _event_changed(self, event_id: str, after: dict[str, Any] | None) -> None:
        if self._chronicle is not None and event_id in self.roster.slot_of:
            self._chronicle.put_level(self.roster.slot_of[event_id], after["level"] if after else 0)

    def _role_changed(self, role_id: str, after: dict[str, Any] | None) -> None:
        self._relations.drop(role_id)
        is_gone = after is None or after["entity_id"] is None
        if self._graph is not None:
            self._graph.drop(role_id)
            if after is not None and not is_gone:
                put_link(self._graph, self.roster.slot_of, after)
        if self._chronicle is not None:
            self._chronicle.drop(role_id)
            if after is not None and not is_gone:
                put_role(self._chronicle, self.roster.slot_of, after)

    def _story_changed(self, story_id: str, after: dict[str, Any] | None) -> None:
        """Drop everything that depends on the story's settings for comparing names."""
        self.shown.clear()
        self._called.forget_names()
        self.appearances.forget()
        self._mentions = None
        self.manuscript.forget()

    def _to_retell(self, reader: Reader, changed: dict[RowKind, set[str]]) -> set[str]:
        """The events whose texts may have changed, through their rows, their participants or the language."""
        if changed[STORY]:
            return set(reader.events.all_ids(self.project_id))
        touched = changed[EVENT_ROW] | changed[EVENT_ROLE] | changed[ENTITY]
        if changed[ENTITY]:
            touched |= reader.events.event_ids_of(self.project_id, changed[ENTITY])
        return touched

    def _retell(self, reader: Reader, event_ids: set[str]) -> None:
        """Update the texts of events, which depend on more than their own rows."""
        if not event_ids:
            return
        for event_id, text in reader.events.texts(self.project_id, event_ids).items():
            self._entities.drop(event_id)
            self.shown.row_changed(event_id, None)
            if self._words is not None:
                self._words.put(self.roster.slot_of[event_id], text)
            if self._mentions is not None:
                self._mentions.mark([self.roster.slot_of[event_id]])

    def _scene_changed(self, scene_id: str, after: dict[str, Any] | None) -> None:
        self.appearances.scene_changed(scene_id, after)
        self.manuscript.scene_changed(scene_id, after)

    def _elsewhere(self, row_id: str, after: dict[str, Any] | None) -> None:
        """Only answers that were kept, and who knows what, depend on such a row."""

    def _reveal_changed(self, reveal_id: str, after: dict[str, Any] | None) -> None:
        self.identities.reveal_changed(reveal_id, after)

    def _book_changed(self, book_id: str, after: dict[str, Any] | None) -> None:
        if self.books.changed(book_id, after):
            self._called.forget_entries()
            self.appearances.forget()
            self._mentions = None

    def _entry_changed(self, entry_id: str, after: dict[str, Any] | None) -> None:
        self._entries.drop(entry_id)
        if self._mentions is not None and after is not None:
            self._mentions.renamed.add(self.roster.slot_of.get(after["entity_id"], -1))
        self.appearances.renamed(EntryOwner(entry_id), self._called.entry_changed(entry_id, after))
        if self._lookup is not None:
            self._lookup.entry_changed(entry_id, after)


# What is done about a row of each kind that is followed.
FOLLOWED: dict[RowKind, Callable[[StoryIndex, str, dict[str, Any] | None], None]] = {
    ENTITY: StoryIndex._entity_changed,
    RELATION: StoryIndex._relation_changed,
    BOOK: StoryIndex._book_changed,
    ENTRY: StoryIndex._entry_changed,
    EVENT_ROW: StoryIndex._event_changed,
    EVENT_ROLE: StoryIndex._role_changed,
    **dict.fromkeys((EVIDENCE, KNOWING, PENDING_RELATION, SNAPSHOT, STATE, THREAD), StoryIndex._elsewhere),
    REVEAL: StoryIndex._reveal_changed,
    SCENE: StoryIndex._scene_changed,
    STORY: StoryIndex._story_changed,
}
