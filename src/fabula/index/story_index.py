"""The compiled index of one story, brought up to date from the change log.

Its parts are built when the first question needs them, and follow the log from then on.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

import orjson

from fabula.index.adjacency import Adjacency
from fabula.index.lorebook import EntryOwner, Lorebook, entry_terms
from fabula.index.roster import Roster
from fabula.index.shelf import Shelf
from fabula.index.words import WordIndex
from fabula.matching import Matcher, Term
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.lore import ActivationRules, LoreEntry
from fabula.model.moment import first_instant, last_instant
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation
from fabula.store.reader import Edition, Reader
from fabula.store.rowkind import moment_of
from fabula.store.scans import scan_entities, scan_entries, scan_names, scan_prompt_texts, scan_relations

# Beyond this share of the story, building anew is quicker than following.
REBUILD_SHARE = 0.2
STALE_SHARE = 0.25

LARGE = 5_000
FOLD_TRADITIONAL = "foldTraditional"

SHELVED_ENTITIES = 20_000
SHELVED_ENTRIES = 20_000
SHELVED_RELATIONS = 60_000

FOLLOWED = ("entity", "relation", "entry", "story")


class StoryIndex:
    """What one process knows of one story at one revision."""

    def __init__(self, reader: Reader, project_id: str) -> None:
        self.project_id = project_id
        self.edition = reader.edition(project_id)
        self.roster = Roster()
        for key, level, significance, *period in scan_entities(reader, project_id):
            self.roster.put(key, _LEVELS[level], significance, *_instants(*period))
        self._graph: Adjacency | None = None
        self._names: Matcher | None = None
        self._words: WordIndex | None = None
        self._lorebook: Lorebook | None = None
        self._entities: Shelf[Entity] = Shelf(SHELVED_ENTITIES)
        self._relations: Shelf[Relation] = Shelf(SHELVED_RELATIONS)
        self._entries: Shelf[LoreEntry] = Shelf(SHELVED_ENTRIES)

    def follow(self, reader: Reader, edition: Edition) -> bool:
        """Apply the steps up to an edition; False if it is better to build anew."""
        revision = self.edition.revision
        changes = reader.log.change_count_since(self.project_id, revision)
        if changes > max(1000, REBUILD_SHARE * len(self.roster)):
            return False
        for kind, row_id, after_json in reader.log.changes_since(self.project_id, revision, FOLLOWED):
            after = None if after_json is None else orjson.loads(after_json)
            if kind == "entity":
                self._entity_changed(row_id, after)
            elif kind == "relation":
                self._relation_changed(row_id, after)
            elif kind == "entry":
                self._entry_changed(row_id, after)
            else:
                # A story's settings say how names are compared.
                self._names = None
        self.edition = edition
        return self.roster.stale_share < STALE_SHARE

    def entities(self, reader: Reader, slots: Iterable[int]) -> list[Entity]:
        """The entities in these slots."""
        ids = (self.roster.ids[slot] for slot in slots)
        return self._entities.take(ids, lambda missing: reader.entities(self.project_id, missing))

    def relations(self, reader: Reader, links: Iterable[int]) -> list[Relation]:
        """The relations in these slots of the graph."""
        ids = map(self.graph(reader).ids.__getitem__, links)
        return self._relations.take(ids, lambda missing: reader.relations(self.project_id, missing))

    def entries(self, reader: Reader, ids: Iterable[str]) -> list[LoreEntry]:
        """The lorebook entries of these ids."""
        return self._entries.take(ids, lambda missing: reader.lore.entries(self.project_id, missing))

    def graph(self, reader: Reader) -> Adjacency:
        """Who is next to whom."""
        if self._graph is None:
            graph = Adjacency(len(self.roster.ids))
            slots = self.roster.slot_of
            for relation_id, source, target, kind, *period in scan_relations(reader, self.project_id):
                graph.put(relation_id, slots[source], slots[target], kind, *_instants(*period))
            self._graph = graph
            self._settle()
        return self._graph

    def names(self, reader: Reader) -> Matcher:
        """Whose name, alias or keyword stands in a text; owners are entity ids and `EntryOwner`s."""
        if self._names is None:
            terms = [
                term
                for key, name, aliases in scan_names(reader, self.project_id)
                for term in _name_terms(key, name, orjson.loads(aliases))
            ]
            for entry_id, entity_id, key, keywords, rules, _ in scan_entries(reader, self.project_id):
                terms += entry_terms(entry_id, entity_id, key, orjson.loads(keywords), _rules(rules))
            settings = reader.story(self.project_id).settings
            self._names = Matcher(terms, simplify=settings.get(FOLD_TRADITIONAL) is True)
            self._settle()
        return self._names

    def words(self, reader: Reader) -> WordIndex:
        """Whose description has the words of a text."""
        if self._words is None:
            slots = self.roster.slot_of
            self._words = WordIndex(
                (slots[key], text) for key, text in scan_prompt_texts(reader, self.project_id)
            )
        return self._words

    def _settle(self) -> None:
        """Spare the garbage collector what was just built: it stays, and looking through it takes long."""
        if len(self.roster) > LARGE:
            gc.freeze()

    def build_for_text(self, reader: Reader) -> None:
        """Build what questions about a text need, before their clock starts."""
        self.names(reader)
        self.lorebook(reader)
        self.words(reader)

    def lorebook(self, reader: Reader) -> Lorebook:
        """Which entries there are."""
        if self._lorebook is None:
            self._lorebook = Lorebook()
            for entry_id, entity_id, _, _, _, level in scan_entries(reader, self.project_id):
                self._lorebook.put(entry_id, entity_id, _LEVELS[level])
        return self._lorebook

    def _entity_changed(self, entity_id: str, after: dict[str, Any] | None) -> None:
        self._entities.drop(entity_id)
        if after is None:
            slot = self.roster.drop(entity_id)
            if self._names is not None:
                self._names.replace(entity_id, ())
            if self._words is not None and slot is not None:
                self._words.drop(slot)
            return
        level = _LEVELS[after["ai_context_level"]]
        slot = self.roster.put(entity_id, level, after["significance"], *_instants_of(after))
        if self._names is not None:
            terms = _name_terms(entity_id, after["name"], orjson.loads(after["aliases_json"]))
            self._names.replace(entity_id, terms)
        if self._words is not None:
            self._words.put(slot, prompt_text(after["description"], orjson.loads(after["attributes_json"])))

    def _relation_changed(self, relation_id: str, after: dict[str, Any] | None) -> None:
        self._relations.drop(relation_id)
        if self._graph is None:
            return
        if after is None:
            self._graph.drop(relation_id)
            return
        slots = self.roster.slot_of
        source, target = slots[after["source_entity_id"]], slots[after["target_entity_id"]]
        self._graph.put(relation_id, source, target, after["relation_type"], *_instants_of(after))

    def _entry_changed(self, entry_id: str, after: dict[str, Any] | None) -> None:
        self._entries.drop(entry_id)
        if self._names is not None:
            terms: Iterable[Term] = ()
            if after is not None:
                keywords, rules = orjson.loads(after["keywords_json"]), _rules(after["rules_json"])
                terms = entry_terms(entry_id, after["entity_id"], after["entry_key"], keywords, rules)
            self._names.replace(EntryOwner(entry_id), terms)
        if self._lorebook is None:
            return
        if after is None:
            self._lorebook.drop(entry_id)
        else:
            self._lorebook.put(entry_id, after["entity_id"], _LEVELS[after["ai_context_level"]])


_LEVELS = {level.value: level for level in AiContextLevel}
_DEFAULT_RULES = ActivationRules()
_DEFAULT_RULES_TEXT = _DEFAULT_RULES.model_dump_json()


def _rules(text: str) -> ActivationRules:
    if text == _DEFAULT_RULES_TEXT:
        return _DEFAULT_RULES
    return ActivationRules.model_validate_json(text)


def _instants(
    since: int | None, since_scene: int | None, until: int | None, until_scene: int | None
) -> tuple[int, int]:
    return first_instant(moment_of(since, since_scene)), last_instant(moment_of(until, until_scene))


def _instants_of(image: dict[str, Any]) -> tuple[int, int]:
    names = ("since_chapter", "since_scene", "until_chapter", "until_scene")
    return _instants(*(image.get(name) for name in names))


def _name_terms(entity_id: str, name: str, aliases: list[str]) -> list[Term]:
    return [Term(name, entity_id, "name"), *(Term(alias, entity_id, "alias") for alias in aliases)]
