"""The candidates of each section of a context, redacted before a section sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from fabula.assembly.pieces import Weighed
from fabula.assembly.recollections import RecalledCandidate
from fabula.assembly.sections.characters import CHARACTERS, CharacterCandidate
from fabula.assembly.sections.events import EVENTS
from fabula.assembly.sections.lore import LORE, LoreCandidate
from fabula.assembly.sections.passages import PASSAGES
from fabula.assembly.sections.recalled import RECALLED
from fabula.assembly.sections.relations import RELATIONS
from fabula.assembly.sections.snapshots import SNAPSHOTS
from fabula.assembly.sections.threads import THREADS
from fabula.assembly.sections.who_knows import WHO_KNOWS, KnowledgeCandidate
from fabula.assembly.sentences import RelationCandidate
from fabula.assembly.setting import SceneSetting
from fabula.context.book_scan import StoryScan, scan_story_books
from fabula.context.candidates.gathering import (
    SceneView,
    character_candidates,
    lore_candidates,
    snapshot_candidates,
)
from fabula.context.candidates.recalled import Recollected, SceneQuery, recollect
from fabula.context.candidates.relations import relation_limit, weighed_relations
from fabula.context.candidates.scanned import scanned_candidates
from fabula.context.candidates.threads import thread_candidates
from fabula.context.candidates.topic import topic_of
from fabula.context.candidates.who_knows import knowledge_candidates
from fabula.context.detection import Detected
from fabula.model.manuscript import Snapshot
from fabula.projections.meaning import Meaning
from fabula.world_info import ScanMessage, ScanResult


class BooksAsked(NamedTuple):
    """What a call says about the scan of lorebooks: what macros stand for, and a seed for the dice."""

    user: str = "User"
    char: str = ""
    seed: str | None = None
    scans: bool = True


_AS_USUAL = BooksAsked()


@dataclass(frozen=True)
class Question:
    """The scene a context is assembled for: the view, the names in its text, and the preceding snapshots."""

    view: SceneView
    setting: SceneSetting
    found: Detected
    snapshots: tuple[Snapshot, ...]
    meaning: Meaning
    token_budget: int
    recall_entries: bool = True
    asked: BooksAsked = _AS_USUAL
    pinned: frozenset[str] = frozenset()

    @cached_property
    def scan(self) -> ScanResult | None:
        """What the scan of the story's lorebooks says of the text, which counts as one message."""
        asked, moment = self.asked, self.setting.now
        if not asked.scans:
            return None
        return scan_story_books(
            self.view,
            StoryScan(
                chat=(ScanMessage(asked.user, True, self.view.text),),
                token_budget=self.token_budget,
                seed=f"{self.view.index.project_id}/{moment}" if asked.seed is None else asked.seed,
                count=self.setting.counter.count,
                user=asked.user,
                char=asked.char,
                include_names=False,
            ),
        )

    @cached_property
    def lore(self) -> list[LoreCandidate]:
        """The lore that is always included, was detected or scanned for in the text, or was pinned."""
        scanned = (
            {} if self.scan is None else {one.id: one for one in scanned_candidates(self.view, self.scan)}
        )
        lore = lore_candidates(self.view, self.found)
        return [one for one in lore if one.id not in scanned] + list(scanned.values())

    @cached_property
    def characters(self) -> list[CharacterCandidate]:
        """The characters of the last scene, and those that the text names."""
        return character_candidates(self.view, self.snapshots, self.found)

    @property
    def on_stage(self) -> frozenset[str]:
        """The ids of the entities in the scene: named, pinned, or there a moment ago."""
        ids = self.view.index.roster.ids
        named = {ids[slot] for slot in self.found.entities.keys() | self.view.pinned_slots}
        return frozenset(named | {one.entity_id for one in self.characters if one.entity_id is not None})

    @cached_property
    def actors(self) -> set[int]:
        """The entities of the lore in the running that are switched on and open."""
        return self.slots_of(self.lore)

    @cached_property
    def recollected(self) -> Recollected:
        """The lore, events and passages that the text recalls."""
        now, language = self.setting.now, self.setting.language
        topic = topic_of(self.view.text, language, self.snapshots)
        query = SceneQuery(topic, now, language, self.token_budget)
        return recollect(self.view, query, self.meaning)

    @cached_property
    def recalled_lore(self) -> list[LoreCandidate]:
        """The lore that the text recalls and that is not a candidate otherwise, if the author wants it."""
        if not self.recall_entries or not self.view.text.strip():
            return []
        known = {candidate.id for candidate in self.lore}
        return [candidate for candidate in self.recollected.lore if candidate.id not in known]

    def slots_of(self, lore: Iterable[LoreCandidate]) -> set[int]:
        """Return the entities of some lore that are switched on and open."""
        slots = self.view.index.roster.slot_of
        acting = (slots[one.entity_id] for one in lore if one.entity_id and one.enabled)
        return {slot for slot in acting if self.view.may_be_told(slot)}


def _relations(asked: Question) -> Weighed[RelationCandidate]:
    """Return the open relations of the lore in the running; of recalled entities, only those among it."""
    recalled = asked.slots_of(one for one in asked.recalled_lore if one.score >= one.threshold)
    limit = relation_limit(asked.token_budget)
    return weighed_relations(asked.view, asked.actors, recalled, limit, asked.setting)


def _who_knows(asked: Question) -> Iterable[KnowledgeCandidate]:
    """Return who of those on stage and in the text knows the private facts about them."""
    slots = asked.view.index.roster.slot_of
    on_stage = {slots[one.entity_id] for one in asked.characters if one.entity_id is not None}
    return knowledge_candidates(asked.view, asked.actors, on_stage | asked.actors)


def _events(asked: Question) -> Iterable[RecalledCandidate]:
    """Return the recalled events, except those that the text names, which are lore candidates already."""
    ids = asked.view.index.roster.ids
    named = {ids[slot] for slot in asked.found.entities}
    return (one for one in asked.recollected.events if one.id not in named)


CANDIDATES: Mapping[str, Callable[[Question], Iterable[Any] | Weighed[Any]]] = {
    LORE.key: lambda asked: asked.lore,
    RECALLED.key: lambda asked: asked.recalled_lore,
    RELATIONS.key: _relations,
    WHO_KNOWS.key: _who_knows,
    SNAPSHOTS.key: lambda asked: snapshot_candidates(asked.view, asked.snapshots),
    CHARACTERS.key: lambda asked: asked.characters,
    EVENTS.key: _events,
    PASSAGES.key: lambda asked: asked.recollected.passages,
    THREADS.key: lambda asked: thread_candidates(asked.view, asked.setting.now, asked.on_stage, asked.pinned),
}
"""The source of each section's candidates, by section key."""
