"""Scene summaries, and how they are parsed from a model's answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabula.extraction.sloppy_json import NoJson, parse
from fabula.model.wire import Value, visible_text

MAX_SUMMARY = 2_000
_MAX_LISTED = 40
_MAX_NAME, _MAX_EVENT, _MAX_TIME, _MAX_TONE = 128, 300, 200, 100
_MAX_STATE = 200

MARK = "---METADATA---"
_MARK = re.compile(r"[-—*#=\s]*\bMETADATA\b[-—*#=：:\s]*", re.IGNORECASE)
_HEADING = re.compile(r"\A[#*\s]*(?:场景摘要|摘要|总结|[Ss]cene [Ss]ummary|[Ss]ummary)[*\s]*[:：]?[*\s]*")
_FENCE = re.compile(r"```[a-zA-Z]*")
_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_LISTS = re.compile("[,，、;；]")


class CharacterState(Value):
    """The state of a character at the end of a scene; None where the scene does not say."""

    name: str
    current_state: str | None = None
    emotional_state: str | None = None


class SceneSummary(Value):
    """The summary of a scene: prose, people, places, time, mood, key events and character states."""

    summary: str
    active_characters: tuple[str, ...] = ()
    active_locations: tuple[str, ...] = ()
    timeline_position: str = ""
    emotional_tone: str = ""
    key_events: tuple[str, ...] = ()
    character_states: tuple[CharacterState, ...] = ()


def summary_of(answer: str, scene: str) -> SceneSummary:
    """The summary in a model's answer, listing only names the scene contains; ValueError if there is none."""
    text = _THOUGHTS.sub("", answer[: 20 * MAX_SUMMARY])
    prose, told = _parts(text)
    prose = _HEADING.sub("", _FENCE.sub("", prose)).strip().strip("`").strip()
    if not prose and isinstance(told.get("summary"), str):
        prose = told["summary"].strip()
    if not prose:
        raise ValueError("The answer holds no summary.")
    present = [name for name in _names(told.get("activeCharacters")) if name in scene]
    places = [name for name in _names(told.get("activeLocations")) if name in scene]
    return SceneSummary(
        summary=_cut(_clean(prose), MAX_SUMMARY),
        active_characters=tuple(present),
        active_locations=tuple(places),
        timeline_position=_line(told.get("timelinePosition"), _MAX_TIME),
        emotional_tone=_line(told.get("emotionalTone"), _MAX_TONE),
        key_events=tuple(
            line for line in (_line(e, _MAX_EVENT) for e in _listed(told.get("keyEvents"))) if line
        ),
        character_states=tuple(_states(told, present)),
    )


def _states(told: Mapping[str, Any], present: Sequence[str]) -> Iterator[CharacterState]:
    """The states of the characters present, given as a list, by name, or among the active characters."""
    said = told.get("characterStates")
    if isinstance(said, Mapping):
        said = [{"name": name, **how} for name, how in said.items() if isinstance(how, Mapping)]
    if not isinstance(said, list):
        said = told.get("activeCharacters")
    for one in _listed(said):
        if not isinstance(one, Mapping) or one.get("name") not in present:
            continue
        current, mood = (_line(one.get(key), _MAX_STATE) for key in ("currentState", "emotionalState"))
        if current or mood:
            yield CharacterState(
                name=one["name"], current_state=current or None, emotional_state=mood or None
            )


def _parts(text: str) -> tuple[str, Mapping[str, Any]]:
    """The prose and the structured part, with or without the separator between them."""
    mark = _MARK.search(text)
    if mark is not None:
        return text[: mark.start()], _object(text[mark.end() :])
    start = text.find("{")
    told = _object(text[start:]) if start >= 0 else {}
    known = {
        "activeCharacters",
        "activeLocations",
        "timelinePosition",
        "emotionalTone",
        "keyEvents",
        "characterStates",
        "summary",
    }
    return (text[:start], told) if told.keys() & known else (text, {})


def _object(text: str) -> Mapping[str, Any]:
    try:
        value = parse(text).value
    except NoJson:
        return {}
    return value if isinstance(value, Mapping) else {}


def _listed(value: Any) -> list[Any]:
    if isinstance(value, str):
        return _LISTS.split(value)[:_MAX_LISTED]
    return list(value)[:_MAX_LISTED] if isinstance(value, list | tuple) else []


def _names(value: Any) -> Iterable[str]:
    names: dict[str, None] = {}
    for item in _listed(value):
        said = item.get("name") if isinstance(item, Mapping) else item
        if not isinstance(said, str) or len(said) > _MAX_NAME:
            continue
        try:
            names[visible_text(said)] = None
        except ValueError:
            continue
    return names


def _line(value: Any, longest: int) -> str:
    return _cut(" ".join(_clean(value).split()), longest) if isinstance(value, str) else ""


def _clean(text: str) -> str:
    return "".join(character for character in text if character == "\n" or character.isprintable())


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
