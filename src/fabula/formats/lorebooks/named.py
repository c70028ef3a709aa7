"""Named fields: the columns of a table, or the front matter of a Markdown file, as fields of an entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from fabula.formats.lorebooks.columns import ABSENT, RawEntry, number
from fabula.formats.lorebooks.overlay import EntryFields, keywords_of, title_of
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition

_YES = frozenset({"true", "yes", "y", "1", "on", "x", "是", "启用", "✓"})
_NO = frozenset({"false", "no", "n", "0", "off", "", "否", "禁用"})
_LOGICS = ("and_any", "and_all", "not_any", "not_all")
_PARTS = re.compile(r"[;|\n；]|(?<!\\),|[，、]")


def plain_name(name: Any) -> str:
    """A field's name without case, blanks and signs."""
    return "".join(sign for sign in str(name).casefold() if sign.isalnum())


def _flag(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    said = str(value).strip().casefold() if isinstance(value, str | int) else None
    return True if said in _YES else False if said in _NO and said != "" else ABSENT


def _whole(value: Any) -> Any:
    said = number(value)
    is_fit = said is not ABSENT and said == said and abs(said) <= 1_000_000
    return int(said) if is_fit else ABSENT


def _words(value: Any) -> Any:
    if isinstance(value, list):
        return list(keywords_of([str(word) for word in value if isinstance(word, str | int | float)]))
    if not isinstance(value, str):
        return ABSENT
    whole = value.strip()
    is_pattern = len(whole) > 2 and whole[0] == "/" and re.fullmatch(r"/[^/]+/[a-z]*", whole)
    return list(keywords_of([whole] if is_pattern else _PARTS.split(value)))


def _text(value: Any) -> Any:
    return value if isinstance(value, str) else ABSENT


def _title(value: Any) -> Any:
    return title_of(str(value)) or ABSENT if isinstance(value, str | int) else ABSENT


def _one_of(choices: tuple[str, ...]) -> Callable[[Any], Any]:
    return lambda value: value.strip() if isinstance(value, str) and value.strip() in choices else ABSENT


class NamedField(NamedTuple):
    """A field of an entry, the names by which files call it, and how its value is read."""

    field: str
    names: tuple[str, ...]
    read: Callable[[Any], Any]


_LEVELS = tuple(level.value for level in AiContextLevel)
_FIELDS = (
    NamedField("name", ("name", "title", "displayName", "entryKey", "comment", "名称", "标题"), _title),
    NamedField(
        "keywords",
        ("aliases", "alias", "keywords", "keys", "key", "triggers", "trigger", "别名", "关键词"),
        _words,
    ),
    NamedField("content", ("content", "description", "text", "value", "body", "内容", "描述", "设定"), _text),
    NamedField("priority", ("priority", "order", "insertion order", "优先级", "顺序"), _whole),
    NamedField("enabled", ("enabled", "active", "启用"), _flag),
    NamedField("level", ("aiContextLevel", "level", "上下文级别"), _one_of(_LEVELS)),
    NamedField(
        "position", ("insertionPosition",), _one_of(tuple(place.value for place in InsertionPosition))
    ),
    NamedField("secondary", ("secondaryKeywords", "secondaryKeys", "keysecondary", "次要关键词"), _words),
    NamedField("logic", ("secondaryLogic",), _one_of(_LOGICS)),
    NamedField("exclude", ("excludeKeywords", "exclude", "exclusions", "排除词"), _words),
    NamedField("caseSensitive", ("caseSensitive",), _flag),
    NamedField("wholeWord", ("wholeWord", "matchWholeWords"), _flag),
)
_ALWAYS = ("alwaysIncludeInContext", "constant", "always", "常驻")
_BY_HAND = ("noAutoInclude", "doNotTrack")
_OFF = ("disabled", "disable", "禁用")
_DEFAULTS: RawEntry = {
    "name": "",
    "keywords": [],
    "content": "",
    "priority": 0,
    "enabled": True,
    "level": AiContextLevel.WHEN_DETECTED.value,
    "position": InsertionPosition.BEFORE_SCENE.value,
    "secondary": [],
    "logic": "and_any",
    "exclude": [],
    "caseSensitive": False,
    "wholeWord": None,
}
_FIELD_OF = {plain_name(name): one for one in _FIELDS for name in one.names}
_TOLD = {*_FIELD_OF, *(plain_name(name) for name in (*_ALWAYS, *_BY_HAND, *_OFF))}


def is_known(name: Any) -> bool:
    """Whether a field of this name says something here."""
    return plain_name(name) in _TOLD


def field_named(name: Any) -> str | None:
    """The field of an entry that a name stands for."""
    found = _FIELD_OF.get(plain_name(name))
    return None if found is None else found.field


def read_named(cells: Mapping[str, Any]) -> RawEntry:
    """What named values say, field by field, with a default for each that is not there."""
    said = {**_DEFAULTS, **dict(_of_flags(cells))}
    for one in _FIELDS:
        for name in one.names:
            cell = _cell(cells, name)
            value = ABSENT if cell is ABSENT else one.read(cell)
            if value is not ABSENT:
                said[one.field] = value
                break
    return said


def named_of(entry: EntryFields) -> RawEntry:
    """What an entry says, in the same fields."""
    rules = entry.rules
    return {
        "name": entry.display_name or entry.entry_key,
        "keywords": list(entry.keywords),
        "content": entry.content,
        "priority": entry.priority,
        "enabled": entry.enabled,
        "level": (entry.ai_context_level or AiContextLevel.WHEN_DETECTED).value,
        "position": entry.insertion_position.value,
        "secondary": list(rules.secondary_keywords),
        "logic": rules.secondary_logic,
        "exclude": list(rules.exclude_keywords),
        "caseSensitive": rules.case_sensitive,
        "wholeWord": rules.whole_word,
    }


def differences(now: RawEntry, before: RawEntry) -> RawEntry:
    """The fields that say something else than before."""
    return {name: value for name, value in now.items() if value != before[name]}


def changed_cells(cells: Mapping[str, Any], changes: RawEntry) -> dict[str, Any]:
    """Named values with changed fields: under the name that is there, else under the first."""
    after = dict(cells)
    for field, value in changes.items():
        one = next(one for one in _FIELDS if one.field == field)
        name = next((found for wish in one.names for found in _spellings(cells, wish)), one.names[0])
        if value is None:
            after.pop(name, None)
        else:
            after[name] = value
    if "level" in changes:
        for wish, level in ((_ALWAYS, "always"), (_BY_HAND, "manual_only")):
            for name in (found for one in wish for found in _spellings(cells, one)):
                after[name] = changes["level"] == level
    if "enabled" in changes:
        for name in (found for one in _OFF for found in _spellings(cells, one)):
            after[name] = not changes["enabled"]
    return after


def entry_fields(said: RawEntry) -> RawEntry:
    """The fields of an entry as they are sent to Fabula, without its names."""
    rules: RawEntry = {
        "caseSensitive": said["caseSensitive"],
        "secondaryKeywords": said["secondary"],
        "secondaryLogic": said["logic"],
        "excludeKeywords": said["exclude"],
    }
    if said["wholeWord"] is not None:
        rules["wholeWord"] = said["wholeWord"]
    return {
        "content": said["content"],
        "keywords": said["keywords"],
        "priority": said["priority"],
        "enabled": said["enabled"],
        "insertionPosition": said["position"],
        "aiContextLevel": said["level"],
        "rules": rules,
    }


def _of_flags(cells: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What flags say that stand for a level or for being switched off; the stricter come last."""
    for names, field, value in (
        (_ALWAYS, "level", "always"),
        (_BY_HAND, "level", "manual_only"),
        (_OFF, "enabled", False),
    ):
        if any(_flag(_cell(cells, name)) is True for name in names):
            yield field, value


def _cell(cells: Mapping[str, Any], wish: str) -> Any:
    return next((cells[name] for name in _spellings(cells, wish)), ABSENT)


def _spellings(cells: Mapping[str, Any], wish: str) -> Iterator[str]:
    plain = plain_name(wish)
    return (name for name in cells if plain_name(name) == plain)
