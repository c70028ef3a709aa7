"""Short texts that several sections use in their lines."""

from __future__ import annotations

from fabula.model.moment import Moment
from fabula.model.relation import Language


def moment_label(moment: Moment, language: Language) -> str:
    """Return the chapter and scene label that precedes what happened there."""
    if language == "zh":
        scene = "" if moment.scene is None else f"·场景{moment.scene}"
        return f"【第{moment.chapter}章{scene}】"
    scene = "" if moment.scene is None else f", scene {moment.scene}"
    return f"[Chapter {moment.chapter}{scene}] "


def in_one_line(text: str, language: Language) -> str:
    """Return the text without its line breaks."""
    gap = "" if language == "zh" else " "
    return gap.join(line.strip() for line in text.splitlines() if line.strip())
