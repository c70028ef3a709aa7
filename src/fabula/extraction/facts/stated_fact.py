"""A fact stated about somebody, before it becomes part of a draft."""

from __future__ import annotations

from typing import NamedTuple

from fabula.extraction.mentions import FoundMention
from fabula.model.relation import Language


class StatedFact(NamedTuple):
    """A fact about somebody in words; a trait has a value, too."""

    about: FoundMention
    kind: str
    text: str
    value: str = ""


# Kinds whose value is kept as an attribute, with its key in each language.
TRAITS: dict[str, dict[Language, str]] = {
    "age": {"zh": "年龄", "en": "age"},
    "eyes": {"zh": "眼睛", "en": "eyes"},
    "hair": {"zh": "头发", "en": "hair"},
    "beard": {"zh": "胡须", "en": "beard"},
    "height": {"zh": "身高", "en": "height"},
    "office": {"zh": "官职", "en": "office"},
    "home": {"zh": "籍贯", "en": "home"},
    "fate": {"zh": "结局", "en": "fate"},
}
AGES = frozenset(TRAITS["age"].values())
