"""Character cards: the character and its texts, read from a card and written back into it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from fabula.formats.lorebooks.card_book import ONLY_V3, V1
from fabula.formats.lorebooks.layout import Layout
from fabula.formats.lorebooks.overlay import title_of
from fabula.formats.lorebooks.reading import with_value
from fabula.formats.lorebooks.values import CardText, ReadCard
from fabula.formats.novel_text import is_chinese
from fabula.model.bilingual import Bilingual

_TITLES = {
    "scenario": Bilingual("Scenario", "情境"),
    "personality": Bilingual("Personality", "性格"),
    "mes_example": Bilingual("Example dialogue", "对话示例"),
    "first_mes": Bilingual("Greeting", "开场白"),
    "alternate_greetings": Bilingual("Greeting", "开场白"),
    "group_only_greetings": Bilingual("Group greeting", "群聊开场白"),
    "system_prompt": Bilingual("System prompt", "系统提示"),
    "post_history_instructions": Bilingual("Instructions after the chat", "聊天后指令"),
}
_LISTS = ("alternate_greetings", "group_only_greetings")
_DESCRIPTION = "description"
_OWN_NAME = re.compile(r"\{\{char\}\}|<BOT>", re.IGNORECASE)


def read_card(document: Any) -> ReadCard:
    """The character of a card and its texts; names of the card's macros are left as they are."""
    data = _data(document)
    name = title_of(data.get("name"))
    description = _text(data.get(_DESCRIPTION))
    language = "zh" if is_chinese(description + _text(data.get("first_mes"))) else "en"
    texts: list[CardText] = []
    for field, title in _TITLES.items():
        said = title.zh if language == "zh" else title.en
        found = data.get(field)
        if field not in _LISTS:
            found = [found]
        numbered = enumerate(found if isinstance(found, list) else ())
        first = 2 if field == "alternate_greetings" else 1
        texts.extend(
            CardText(
                f"{field}.{place}" if field in _LISTS else field,
                f"{said} {place + first}" if field in _LISTS else said,
                text,
            )
            for place, text in numbered
            if isinstance(text, str) and text.strip()
        )
    return ReadCard(name, title_of(data.get("nickname")), description, tuple(texts))


def said_of(card: ReadCard, text: str) -> str:
    """A text of a card with the character's name in place of its macro."""
    return _OWN_NAME.sub(lambda _: card.name, text) if card.name else text


def with_texts(document: Any, texts: Mapping[str, str]) -> Any:
    """A card with other texts, by the field they stand in; copies of a field outside `data` follow."""
    for field, text in texts.items():
        document = _with_text(document, field, text)
    return document


def as_version(document: Any, came_as: Layout, wanted: Layout) -> tuple[Any, list[str]]:
    """A card in another version, and the fields for which that has no place."""
    data = {name: value for name, value in _data(document).items() if name not in ("spec", "spec_version")}
    lost: list[str] = []
    if wanted is V1:
        lost = [name for name in data if name not in V1.blank and data[name]]
        return {name: data.get(name, "") for name in V1.blank}, lost
    blank = deepcopy(wanted.blank)
    if "group_only_greetings" not in blank["data"]:
        lost = [name for name in ONLY_V3 if data.get(name)]
        data = {name: value for name, value in data.items() if name not in ONLY_V3}
    blank["data"] |= data
    outside = document if isinstance(document, dict) and came_as is not V1 else {}
    return {**outside, **blank}, lost


def _with_text(document: Any, field: str, text: str) -> Any:
    path = () if "data" not in document else ("data",)
    name, _, place = field.partition(".")
    if place:
        found = _data(document).get(name)
        listed = list(found) if isinstance(found, list) else []
        if int(place) < len(listed):
            listed[int(place)] = text
        else:
            listed.append(text)
        return with_value(document, (*path, name), listed)
    after = with_value(document, (*path, name), text)
    is_copied = bool(path) and isinstance(document.get(name), str)
    return {**after, name: text} if is_copied else after


def _data(document: Any) -> dict[str, Any]:
    data = document.get("data", document) if isinstance(document, dict) else {}
    return data if isinstance(data, dict) else {}


def _text(found: Any) -> str:
    return found if isinstance(found, str) else ""
