"""Short texts that several sections use in their lines."""

from __future__ import annotations

from fabula.assembly.setting import SceneSetting
from fabula.model.chapter_names import chapter_label
from fabula.model.moment import Moment
from fabula.model.relation import Language


def moment_label(moment: Moment, setting: SceneSetting) -> str:
    """Return the label that precedes what happened in a chapter or scene, numbered as the book is."""
    if setting.language == "zh":
        scene = "" if moment.scene is None else f"·场景{moment.scene + 1}"
        return f"【{own_chapter_label(moment.chapter, setting)}{scene}】"
    scene = "" if moment.scene is None else f", scene {moment.scene + 1}"
    return f"[{own_chapter_label(moment.chapter, setting)}{scene}] "


def own_chapter_label(chapter: int, setting: SceneSetting) -> str:
    """Return how the book itself numbers a chapter."""
    return chapter_label(chapter, setting.chapter_titles.get(chapter, ""), setting.language)


def in_one_line(text: str, language: Language) -> str:
    """Return the text without its line breaks."""
    gap = "" if language == "zh" else " "
    return gap.join(line.strip() for line in text.splitlines() if line.strip())
