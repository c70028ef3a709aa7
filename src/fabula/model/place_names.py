"""Places of the manuscript as people call them: by their titles, else by numbers counted from 1."""

from __future__ import annotations

from collections.abc import Mapping

from fabula.model.moment import Moment
from fabula.model.relation import Language


def place_name(moment: Moment, titles: Mapping[int, str], language: Language) -> str:
    """Return the name of a chapter, or of a scene of one; `titles` are those of the chapters by number."""
    title = titles.get(moment.chapter, "").strip()
    if language == "zh":
        chapter = title or f"第{moment.chapter + 1}章"
        if moment.scene is None:
            return chapter
        return f"{chapter}{' ' if title else ''}第{moment.scene + 1}场"
    chapter = title or f"chapter {moment.chapter + 1}"
    return chapter if moment.scene is None else f"{chapter}, scene {moment.scene + 1}"
