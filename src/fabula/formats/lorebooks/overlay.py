"""Entries from other programs: what their kept World Info object says, and what was changed in Fabula since.

Fabula's own fields of an entry win over the kept object field by field, and only those that differ from what
reading the object gives; everything else of it stays as it came.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from fabula.model.activation import ActivationRules
from fabula.model.activation.keywords import MAX_KEYWORDS
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition
from fabula.model.wire import safe_json, visible_text

WORLD_INFO = "sillytavern"
# Under which key an entry stood in its file, and the name it got; beside the kept object in `extensions`.
ORIGIN = "origin"
MAX_TITLE = 200
MAX_KEYWORD = 256

# An object that cannot be stored as it is (a blank key, NUL, too deep) is kept as its JSON text.
_AS_TEXT = "json"
_LOGIC = ("and_any", "not_all", "not_any", "and_all")
# Before and after: character definitions, author's note; at depth; before and after: examples; an outlet.
_POSITIONS = (
    *[InsertionPosition.SYSTEM_PROMPT] * 2,
    *[InsertionPosition.BEFORE_SCENE] * 2,
    InsertionPosition.AFTER_SCENE,
    *[InsertionPosition.BEFORE_SCENE] * 3,
)
_PLACE_OF = {
    InsertionPosition.SYSTEM_PROMPT: 0,
    InsertionPosition.BEFORE_SCENE: 5,
    InsertionPosition.AFTER_SCENE: 4,
}
_ORDERS = (-1_000_000, 1_000_000)

Choice = TypeVar("Choice")

# What a new World Info entry says; a field that is absent is not the same as one at its default.
DEFAULTS: Mapping[str, Any] = {
    "key": [],
    "keysecondary": [],
    "comment": "",
    "content": "",
    "constant": False,
    "vectorized": False,
    "selective": True,
    "selectiveLogic": 0,
    "addMemo": False,
    "order": 100,
    "position": 0,
    "disable": False,
    "ignoreBudget": False,
    "excludeRecursion": False,
    "preventRecursion": False,
    "matchPersonaDescription": False,
    "matchCharacterDescription": False,
    "matchCharacterPersonality": False,
    "matchCharacterDepthPrompt": False,
    "matchScenario": False,
    "matchCreatorNotes": False,
    "delayUntilRecursion": 0,
    "probability": 100,
    "useProbability": True,
    "depth": 4,
    "outletName": "",
    "group": "",
    "groupOverride": False,
    "groupWeight": 100,
    "scanDepth": None,
    "caseSensitive": None,
    "matchWholeWords": None,
    "useGroupScoring": None,
    "automationId": "",
    "role": 0,
    "sticky": None,
    "cooldown": None,
    "delay": None,
    "triggers": [],
    "characterFilter": {"isExclude": False, "names": [], "tags": []},
}


class EntryFields(Protocol):
    """The fields of an entry that its kept object may say otherwise; every shape of an entry has them."""

    @property
    def place(self) -> int | None:
        """Its place in its book."""

    @property
    def entry_key(self) -> str:
        """Its key."""

    @property
    def display_name(self) -> str | None:
        """Its title."""

    @property
    def content(self) -> str:
        """Its text."""

    @property
    def keywords(self) -> tuple[str, ...]:
        """Its keywords."""

    @property
    def priority(self) -> int:
        """Its priority."""

    @property
    def enabled(self) -> bool:
        """Whether it is switched on."""

    @property
    def insertion_position(self) -> InsertionPosition:
        """Where it is inserted."""

    @property
    def ai_context_level(self) -> AiContextLevel | None:
        """Its level."""

    @property
    def rules(self) -> ActivationRules:
        """How its keywords are matched."""

    @property
    def extensions(self) -> dict[str, Any]:
        """What was kept of its file."""


class ReadFields(NamedTuple):
    """What reading a World Info object gives, in Fabula's fields."""

    title: str
    content: str
    keywords: tuple[str, ...]
    priority: int
    enabled: bool
    insertion_position: InsertionPosition
    ai_context_level: AiContextLevel
    case_sensitive: bool
    whole_word: bool | None
    secondary_keywords: tuple[str, ...]
    secondary_logic: str


def read_fields(found: Mapping[str, Any]) -> ReadFields:
    """What a World Info object says, with SillyTavern's loose truth; `enabled: false` switches off too."""
    content, case, whole = found.get("content"), found.get("caseSensitive"), found.get("matchWholeWords")
    return ReadFields(
        title=title_of(found.get("comment")),
        content=content if isinstance(content, str) else "",
        keywords=keywords_of(found.get("key")),
        priority=_priority(found.get("order")),
        enabled=not (_is_loosely_true(found.get("disable")) or found.get("enabled") is False),
        insertion_position=_chosen(_POSITIONS, found.get("position")),
        ai_context_level=(
            AiContextLevel.ALWAYS if is_true(found.get("constant")) else AiContextLevel.WHEN_DETECTED
        ),
        case_sensitive=is_true(case),
        whole_word=None if whole is None else is_true(whole),
        secondary_keywords=(
            keywords_of(found.get("keysecondary")) if is_true(found.get("selective")) else ()
        ),
        secondary_logic=_chosen(_LOGIC, found.get("selectiveLogic")),
    )


def edits(entry: EntryFields, found: Mapping[str, Any]) -> dict[str, Any]:
    """The World Info fields that Fabula's fields of an entry say otherwise than the object it came from.

    The levels `never` and `manual_only` are no field of World Info and not among them.
    """
    was, rules = read_fields(found), entry.rules
    changed: dict[str, Any] = {}
    if entry.content != was.content:
        changed["content"] = entry.content
    if entry.keywords != was.keywords:
        changed["key"] = [*entry.keywords, *_not_shown(found.get("key"))]
    if entry.priority != was.priority:
        changed["order"] = entry.priority
    if entry.enabled != was.enabled:
        changed["disable"] = not entry.enabled
    if rules.case_sensitive != was.case_sensitive:
        changed["caseSensitive"] = rules.case_sensitive
    if rules.whole_word != was.whole_word:
        changed["matchWholeWords"] = rules.whole_word
    if entry.insertion_position != was.insertion_position:
        changed["position"] = _PLACE_OF[entry.insertion_position]
    if rules.secondary_logic != was.secondary_logic:
        changed["selectiveLogic"] = _LOGIC.index(rules.secondary_logic)
    changed |= _of_secondary(rules, was) | _of_level(entry, was) | _of_title(entry, found, was)
    return changed


def kept_world_info(extensions: Mapping[str, Any]) -> dict[str, Any] | None:
    """The World Info object that was kept of an entry; None for an entry of Fabula's own."""
    found = original(extensions.get(WORLD_INFO))
    return found if isinstance(found, dict) else None


def effective_world_info(entry: EntryFields, content: str | None = None) -> dict[str, Any]:
    """The World Info object by which an entry is activated: as it came, with what was changed since.

    Content is given for an entry whose text is its entity's.
    """
    kept = kept_world_info(entry.extensions)
    base = dict(DEFAULTS) if kept is None else kept
    said = {**base, **edits(entry, base)}
    said["content"] = entry.content if content is None else content
    said["disable"] = not entry.enabled
    if kept is None:
        names = getattr(entry, "aliases", ())
        said["key"] = list(dict.fromkeys([entry.entry_key, *names, *entry.keywords]))
    if entry.rules.exclude_keywords and not entry.rules.secondary_keywords:
        # Words that keep an entry out are secondary keys none of which may occur.
        said |= {"keysecondary": list(entry.rules.exclude_keywords), "selective": True, "selectiveLogic": 2}
    return said


# Keeping what came


def storable(found: Any) -> Any:
    """A value of a file as it can be stored: unchanged, or as JSON text if it would be refused."""
    try:
        safe_json({"value": found})
    except (ValueError, RecursionError):
        return {_AS_TEXT: json.dumps(found)}
    return {_AS_TEXT: json.dumps(found)} if _looks_like_text(found) else found


def original(kept: Any) -> Any:
    """The value of a file from what was stored of it."""
    if not _looks_like_text(kept):
        return kept
    try:
        return json.loads(kept[_AS_TEXT])
    except (ValueError, RecursionError):
        return kept


def _looks_like_text(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {_AS_TEXT} and isinstance(value[_AS_TEXT], str)


# Reading


def title_of(found: Any) -> str:
    """A title from whatever stands in its place: one line, visible, of bounded length; else empty."""
    if not isinstance(found, str):
        return ""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in found[: 4 * MAX_TITLE]).split())
    return _visible(line[:MAX_TITLE]) or ""


def keywords_of(found: Any) -> tuple[str, ...]:
    """The distinct keys that can be shown as keywords, patterns included, in order."""
    if not isinstance(found, list):
        return ()
    words = (_keyword(word) for word in found)
    return tuple(dict.fromkeys(word for word in words if word is not None))[:MAX_KEYWORDS]


def is_true(value: Any) -> bool:
    """Whether JavaScript takes a JSON value for true."""
    return isinstance(value, list | dict) or bool(value)


def _not_shown(found: Any) -> list[Any]:
    """The keys that are no keywords and would be lost by an edit of the others; blank ones are not missed."""
    if not isinstance(found, list):
        return []
    shown = set(keywords_of(found))
    return [word for word in found if isinstance(word, str) and word.strip() and _keyword(word) not in shown]


def _keyword(word: Any) -> str | None:
    if not isinstance(word, str) or len(word) > 2 * MAX_KEYWORD:
        return None
    shown = _visible(word)
    return shown if shown is not None and len(shown) <= MAX_KEYWORD else None


def _visible(text: str) -> str | None:
    try:
        return visible_text(text)
    except ValueError:
        return None


def _is_loosely_true(value: Any) -> bool:
    """Whether a JSON value equals true as JavaScript's `==` has it."""
    if isinstance(value, list) and len(value) == 1:
        return _is_loosely_true(value[0]) if not isinstance(value[0], bool) else False
    if isinstance(value, str):
        try:
            return float(value) == 1
        except ValueError:
            return False
    return isinstance(value, bool | int | float) and value == 1


def _priority(order: Any) -> int:
    is_number = isinstance(order, int | float) and not isinstance(order, bool) and order == order
    return int(min(max(order, _ORDERS[0]), _ORDERS[1])) if is_number else int(DEFAULTS["order"])


def _chosen(choices: Sequence[Choice], number: Any) -> Choice:
    is_place = isinstance(number, int) and number in range(len(choices))
    return choices[number] if is_place else choices[0]


# Changes that are not one field for another


def _of_secondary(rules: ActivationRules, was: ReadFields) -> dict[str, Any]:
    """The secondary keys if they were changed; new ones have to be asked for to count."""
    if rules.secondary_keywords == was.secondary_keywords:
        return {}
    keys = {"keysecondary": [*rules.secondary_keywords]}
    return {**keys, "selective": True} if rules.secondary_keywords else keys


def _of_level(entry: EntryFields, was: ReadFields) -> dict[str, Any]:
    level = entry.ai_context_level or AiContextLevel.WHEN_DETECTED
    if level is was.ai_context_level or level not in (AiContextLevel.ALWAYS, AiContextLevel.WHEN_DETECTED):
        return {}
    return {"constant": level is AiContextLevel.ALWAYS}


def _of_title(entry: EntryFields, found: Mapping[str, Any], was: ReadFields) -> dict[str, Any]:
    """The title if it was changed, else the key if that was; a key made to be unique is no change."""
    origin = entry.extensions.get(ORIGIN)
    came_as = origin.get("name") if isinstance(origin, dict) else None
    title = was.title or (was.keywords[0][:MAX_TITLE] if was.keywords else "")
    shown = entry.display_name or entry.entry_key
    if shown not in (title, came_as):
        return {"comment": shown}
    if entry.entry_key not in (title, came_as):
        return {"comment": entry.entry_key}
    return {}
