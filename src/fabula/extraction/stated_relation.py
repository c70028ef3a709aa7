"""A relation stated in a text, before it becomes a draft."""

from __future__ import annotations

from typing import NamedTuple

from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.model.relation import Language

_KINSHIP = 0.85


class StatedRelation(NamedTuple):
    """A stated relation from source to target; `word` is the text's own word for it."""

    source: FoundMention
    target: FoundMention
    type: str
    word: str
    weight: float


def kinship(
    owner: FoundMention, other: FoundMention, word: str, language: Language, weight: float = _KINSHIP
) -> StatedRelation:
    """The relation stated by "owner's <word> other", such as 林逸的师父玄清."""
    kin = KIN[language][word]
    source, target = (owner, other) if kin.from_owner else (other, owner)
    return StatedRelation(source, target, kin.type, word if word != kin.type else "", weight)
