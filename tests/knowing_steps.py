"""Steps of any story about what is private and who knows it."""

from __future__ import annotations

from typing import Any

from fabula.story_memory import StoryMemory

PRIVATE_THINGS: list[tuple[str, dict[str, Any]]] = [
    ("entity", {"type": "character", "name": "暗卫", "secrecy": "private"}),
    ("state", {"who": 0, "description": "中毒。", "secrecy": "private"}),
    ("relation", {"who": 0, "other": 1, "relationType": "rivals", "secrecy": "private"}),
    ("entry", {"key": "密约", "category": "custom", "content": "不可说。", "secrecy": "private"}),
    *(
        ("knowing", {"who": who, "fact": fact, "of": of, "event": event, "belief": belief})
        for who in range(4)
        for of, fact, event, belief in (
            ("entity", 0, None, ""),
            ("relation", 1, 2, "陌路。"),
            ("state", 0, None, ""),
            ("entry", 0, 1, ""),
        )
    ),
    ("tells", {"event": 0, "fact": 1, "place": 2}),
]


class KnowingSteps:
    """Takes these steps in a story."""

    story: StoryMemory

    def _who(self, number: int) -> Any:
        raise NotImplementedError

    def _knowing(self, who: int, fact: int, of: str, event: int | None, **said: Any) -> None:
        facts = {
            "entity": lambda: self.story.entity.list(limit=1000).items,
            "relation": lambda: self.story.relation.list(limit=1000).items,
            "state": lambda: self.story.state.list(entity_id=self._who(fact).id).items,
            "entry": lambda: self.story.ask("lorebook.entry.list", size=1000).items,
        }[of]()
        ids = sorted(one.id for one in facts)
        source = None if event is None else {"event_id": self._who(event).id, "quotation": "原文"}
        self.story.knowing.create(
            fact={"kind": of, "id": ids[fact % len(ids)] if ids else "none"},
            knower_id=self._who(who).id,
            source=source,
            **said,
        )

    def _tells(self, event: int, fact: int, place: int) -> None:
        events = sorted(one.id for one in self.story.event.list().items)
        told = {"kind": "entity", "id": self._who(fact).id}
        self.story.event.update(
            id=events[event % len(events)] if events else "none", patch={"tells": [told], "place": place}
        )
