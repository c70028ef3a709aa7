"""The compiled index of one story, brought up to date from the change log.

Its parts are built when the first question needs them, and follow the log from then on.
"""

from __future__ import annotations

from collections.abc import Iterable

import orjson

from fabula.index.adjacency import Adjacency
from fabula.index.roster import Roster
from fabula.index.shelf import Shelf
from fabula.index.words import WordIndex
from fabula.matching import Matcher, Term
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.moment import first_instant, last_instant
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation
from fabula.store.kinds import moment_of
from fabula.store.reader import Edition, Reader
from fabula.store.scans import scan_entities, scan_prompt_texts, scan_relations

# Beyond this share of the story, building anew is quicker than following.
REBUILD_SHARE = 0.2
STALE_SHARE = 0.25

SHELVED_ENTITIES = 20_000
SHELVED_RELATIONS = 60_000


class StoryIndex:
    """What one process knows of one story at one revision."""

    def __init__(self, reader: Reader, project_id: str) -> None:
        self.project_id = project_id
        self.edition = reader.edition(project_id)
        self.roster = Roster()
        self.roster.load(
            (key, level, weight) for key, _, _, level, weight in scan_entities(reader, project_id)
        )
        self._graph: Adjacency | None = None
        self._names: Matcher | None = None
        self._words: WordIndex | None = None
        self._entities: Shelf[Entity] = Shelf(SHELVED_ENTITIES)
        self._relations: Shelf[Relation] = Shelf(SHELVED_RELATIONS)

    def follow(self, reader: Reader, edition: Edition) -> bool:
        """Apply the steps up to an edition; False if it is better to build anew."""
        revision = self.edition.revision
        changes = reader.log.change_count_since(self.project_id, revision)
        if changes > max(1000, REBUILD_SHARE * len(self.roster)):
            return False
        for kind, row_id, after_json in reader.log.changes_since(self.project_id, revision):
            after = None if after_json is None else orjson.loads(after_json)
            if kind == "entity":
                self._entities.drop(row_id)
                self._entity_changed(row_id, after)
            elif kind == "relation":
                self._relations.drop(row_id)
                if self._graph is not None:
                    self._relation_changed(self._graph, row_id, after)
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

    def graph(self, reader: Reader) -> Adjacency:
        """Who is next to whom."""
        if self._graph is None:
            graph = Adjacency(len(self.roster.ids))
            slots = self.roster.slot_of
            for row in scan_relations(reader, self.project_id):
                relation_id, source, target, kind, since, since_scene, until, until_scene = row
                graph.put(
                    relation_id,
                    slots[source],
                    slots[target],
                    kind,
                    -1 if since is None else first_instant(moment_of(since, since_scene)),
                    last_instant(moment_of(until, until_scene)),
                )
            self._graph = graph
        return self._graph

    def names(self, reader: Reader) -> Matcher:
        """Whose name or alias stands in a text."""
        if self._names is None:
            self._names = Matcher(
                term
                for key, name, aliases, _, _ in scan_entities(reader, self.project_id)
                for term in _terms(key, name, orjson.loads(aliases))
            )
        return self._names

    def words(self, reader: Reader) -> WordIndex:
        """Whose description has the words of a text."""
        if self._words is None:
            slots = self.roster.slot_of
            self._words = WordIndex(
                (slots[key], text) for key, text in scan_prompt_texts(reader, self.project_id)
            )
        return self._words

    def _entity_changed(self, entity_id: str, after: dict[str, object] | None) -> None:
        if after is None:
            slot = self.roster.drop(entity_id)
            if self._names is not None:
                self._names.replace(entity_id, ())
            if self._words is not None and slot is not None:
                self._words.drop(slot)
            return
        slot = self.roster.put(
            entity_id, AiContextLevel(str(after["ai_context_level"])), float(str(after["significance"]))
        )
        if self._names is not None:
            aliases = orjson.loads(str(after["aliases_json"]))
            self._names.replace(entity_id, _terms(entity_id, str(after["name"]), aliases))
        if self._words is not None:
            attributes = orjson.loads(str(after["attributes_json"]))
            self._words.put(slot, prompt_text(str(after["description"]), attributes))

    def _relation_changed(self, graph: Adjacency, relation_id: str, after: dict[str, object] | None) -> None:
        if after is None:
            graph.drop(relation_id)
            return
        slots = self.roster.slot_of
        graph.put(
            relation_id,
            slots[str(after["source_entity_id"])],
            slots[str(after["target_entity_id"])],
            str(after["relation_type"]),
            first_instant(moment_of(after["since_chapter"], after["since_scene"])),  # type: ignore[arg-type]
            last_instant(moment_of(after["until_chapter"], after["until_scene"])),  # type: ignore[arg-type]
        )


def _terms(entity_id: str, name: str, aliases: list[str]) -> list[Term]:
    return [Term(name, entity_id, "name"), *(Term(alias, entity_id, "alias") for alias in aliases)]
