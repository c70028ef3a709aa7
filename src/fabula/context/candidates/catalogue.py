"""The candidates of each section of a context, redacted before a section sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fabula.assembly.pieces import Weighed
from fabula.assembly.recollections import RecalledCandidate
from fabula.assembly.sections.characters import CHARACTERS
from fabula.assembly.sections.events import EVENTS
from fabula.assembly.sections.lore import LORE, LoreCandidate
from fabula.assembly.sections.passages import PASSAGES
from fabula.assembly.sections.recalled import RECALLED
from fabula.assembly.sections.relations import RELATIONS
from fabula.assembly.sections.snapshots import SNAPSHOTS
from fabula.assembly.sentences import RelationCandidate
from fabula.assembly.setting import SceneSetting
from fabula.context.candidates.gathering import (
    SceneView,
    character_candidates,
    lore_candidates,
    snapshot_candidates,
)
from fabula.context.candidates.recalled import Recollected, SceneQuery, recollect
from fabula.context.candidates.relations import relation_limit, weighed_relations
from fabula.context.candidates.topic import topic_of
from fabula.context.detection import Detected
from fabula.model.manuscript import Snapshot
from fabula.projections.meaning import Meaning


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

    @cached_property
    def lore(self) -> list[LoreCandidate]:
        """The lore that is always included, was detected in the text, or was pinned."""
        return lore_candidates(self.view, self.found)

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
    actors = asked.slots_of(asked.lore)
    recalled = asked.slots_of(one for one in asked.recalled_lore if one.score >= one.threshold)
    limit = relation_limit(asked.token_budget)
    return weighed_relations(asked.view, actors, recalled, limit, asked.setting)


def _events(asked: Question) -> Iterable[RecalledCandidate]:
    """Return the recalled events, except those that the text names, which are lore candidates already."""
    ids = asked.view.index.roster.ids
    named = {ids[slot] for slot in asked.found.entities}
    return (one for one in asked.recollected.events if one.id not in named)


CANDIDATES: Mapping[str, Callable[[Question], Iterable[Any] | Weighed[Any]]] = {
    LORE.key: lambda asked: asked.lore,
    RECALLED.key: lambda asked: asked.recalled_lore,
    RELATIONS.key: _relations,
    SNAPSHOTS.key: lambda asked: snapshot_candidates(asked.view, asked.snapshots),
    CHARACTERS.key: lambda asked: character_candidates(asked.view, asked.snapshots, asked.found),
    EVENTS.key: _events,
    PASSAGES.key: lambda asked: asked.recollected.passages,
}
"""The source of each section's candidates, by section key."""
