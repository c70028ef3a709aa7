"""Who is in the story: a number for every entity, and what questions need to know of each."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.model.level import AiContextLevel


class Roster:
    """Entities by slot, a small number that the other parts of the index count with."""

    def __init__(self) -> None:
        self.slot_of: dict[str, int] = {}
        self.ids: list[str] = []
        self.levels: list[AiContextLevel] = []
        self.significance: list[float] = []

    def __len__(self) -> int:
        return len(self.slot_of)

    @property
    def stale_share(self) -> float:
        """How much of the slots belongs to entities that are gone."""
        return 1 - len(self.slot_of) / len(self.ids) if self.ids else 0.0

    def load(self, entities: Iterable[tuple[str, str, float]]) -> None:
        """Enter many (id, level, significance) into an empty roster."""
        levels = {level.value: level for level in AiContextLevel}
        for entity_id, level, significance in entities:
            self.slot_of[entity_id] = len(self.ids)
            self.ids.append(entity_id)
            self.levels.append(levels[level])
            self.significance.append(significance)

    def put(self, entity_id: str, level: AiContextLevel, significance: float) -> int:
        """Enter an entity, or what has changed of it; its slot."""
        slot = self.slot_of.get(entity_id)
        if slot is None:
            slot = self.slot_of[entity_id] = len(self.ids)
            self.ids.append(entity_id)
            self.levels.append(level)
            self.significance.append(significance)
        else:
            self.levels[slot] = level
            self.significance[slot] = significance
        return slot

    def drop(self, entity_id: str) -> int | None:
        """Forget an entity; its slot is not given to anybody else."""
        return self.slot_of.pop(entity_id, None)
