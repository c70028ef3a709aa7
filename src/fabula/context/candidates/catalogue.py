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
from fabula.context.candidates.recalled import recalled_candidates, topic_of
from fabula.context.candidates.relations import relation_limit, weighed_relations
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

    @cached_property
    def lore(self) -> list[LoreCandidate]:
        """The lore that is always included, was detected in the text, or was pinned."""
        return lore_candidates(self.view, self.found)

    @cached_property
    def recalled(self) -> list[RecalledCandidate]:
        """The events and passages that the text recalls."""
        language = self.setting.language
        topic = topic_of(self.view.text, language, self.snapshots)
        return recalled_candidates(self.view, topic, self.setting.now, language, self.found, self.meaning)


def _relations(asked: Question) -> Weighed[RelationCandidate]:
    """Return the open relations of every entity that is detected, pinned or always included."""
    view = asked.view
    slots = view.index.roster.slot_of
    acting = (slots[one.entity_id] for one in asked.lore if one.entity_id and one.enabled)
    actors = {slot for slot in acting if view.may_be_told(slot)}
    return weighed_relations(view, actors, relation_limit(asked.token_budget), asked.setting)


CANDIDATES: Mapping[str, Callable[[Question], Iterable[Any] | Weighed[Any]]] = {
    LORE.key: lambda asked: asked.lore,
    RELATIONS.key: _relations,
    SNAPSHOTS.key: lambda asked: snapshot_candidates(asked.view, asked.snapshots),
    CHARACTERS.key: lambda asked: character_candidates(asked.view, asked.snapshots, asked.found),
    EVENTS.key: lambda asked: [one for one in asked.recalled if one.kind == EVENTS.kind],
    PASSAGES.key: lambda asked: [one for one in asked.recalled if one.kind == PASSAGES.kind],
}
"""The source of each section's candidates, by section key."""
