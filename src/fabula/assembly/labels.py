"""Short texts that several sections use in their lines."""

from __future__ import annotations

from fabula.assembly.setting import SceneSetting
from fabula.model.chapter_names import own_number
from fabula.model.moment import Moment
from fabula.model.relation import Language


def moment_label(moment: Moment, setting: SceneSetting) -> str:
    """Return the label that precedes what happened in a chapter or scene, numbered as the book is."""
    if setting.language == "zh":
        scene = "" if moment.scene is None else f"·场景{moment.scene + 1}"
        return f"【{chapter_label(moment.chapter, setting)}{scene}】"
    scene = "" if moment.scene is None else f", scene {moment.scene + 1}"
    return f"[{chapter_label(moment.chapter, setting)}{scene}] "


def chapter_label(chapter: int, setting: SceneSetting) -> str:
    """Return the number that the book prints over a chapter, else its place counted from 1."""
    printed = own_number(setting.chapter_titles.get(chapter, ""))
    if printed is None:
        return f"第{chapter + 1}章" if setting.language == "zh" else f"Chapter {chapter + 1}"
    is_bare = printed.isalnum() and printed.isascii() and (printed.isdigit() or printed.isupper())
    return f"Chapter {printed}" if is_bare and setting.language == "en" else printed


def in_one_line(text: str, language: Language) -> str:
    """Return the text without its line breaks."""
    gap = "" if language == "zh" else " "
    return gap.join(line.strip() for line in text.splitlines() if line.strip())
