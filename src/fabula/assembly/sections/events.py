"""Events that involve the entities named in the text."""

from __future__ import annotations

from fabula.assembly.recollections import recollection_section
from fabula.model.bilingual import Bilingual

# An event is a reminder, not a chapter: 240 tokens at most.
EVENTS = recollection_section(
    "events",
    "event",
    Bilingual("event", "往事"),
    Bilingual("## What happened", "## 往事"),
    order=30,
    turns=(40, 50),
    longest=240,
)
