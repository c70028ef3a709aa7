"""The text names something hidden from models; reported to the author only."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.rule import CheckedText, ConsistencyRule, Finding, FindingMessage
from fabula.model.level import may_be_told

_MESSAGE: FindingMessage = {
    "zh": "“{name}”设为 {level}，这段文字却写出了这个名字。",
    "en": "“{name}” is set to {level}, and this passage names it.",
}


def _find(text: CheckedText) -> Iterator[Finding]:
    if not text.is_for_author:
        return
    for slot, entity in text.people.items():
        if not may_be_told(entity.ai_context_level, named=False):
            yield from text.findings_of("secret", _MESSAGE, entity, text.found.entities[slot])
    view, entries = text.view, text.found.entries
    for entry in view.index.entries(view.reader, list(entries)):
        if not may_be_told(entry.ai_context_level, named=False):
            title = entry.display_name or entry.entry_key
            for place in entries[entry.id]:
                yield text.finding("secret", _MESSAGE, None, title, place, entry.ai_context_level)


SECRET = ConsistencyRule("secret", _find)
