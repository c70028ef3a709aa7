"""The text names something hidden from models; reported to the author only, about passages only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage
from fabula.model.level import may_be_told

_MESSAGE: FindingMessage = {
    "zh": "“{hidden}”设为 {level}，这段文字却写出了这个名字。",
    "en": "“{hidden}” is set to {level}, and this passage names it.",
}


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    if not text.is_for_author or text.is_saved:
        return
    for slot, entity in text.people.items():
        if not may_be_told(entity.ai_context_level, named=False):
            words = {"hidden": entity.name, "level": entity.ai_context_level.value}
            for place in text.places(slot):
                found = text.discrepancy(_MESSAGE, place.start, place.end, entity, words=words)
                yield replace(found, kind="secret", since=entity.since, until=entity.until)
    view, entries = text.view, text.found.entries
    for entry in view.index.entries(view.reader, list(entries)):
        if not may_be_told(entry.ai_context_level, named=False):
            title = entry.display_name or entry.entry_key
            words = {"hidden": title, "level": entry.ai_context_level.value}
            for place in entries[entry.id]:
                found = text.discrepancy(_MESSAGE, place.start, place.end, None, words=words)
                yield replace(found, kind="secret", name=title)


SECRET = ConsistencyRule(
    "secret", "info", {"zh": "写出了不给模型看的名字", "en": "Names what models are not told"}, _find
)
