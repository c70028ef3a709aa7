"""Stale facts: those whose quotations no longer stand in the manuscript."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from fabula.model.evidence import Attested, Evidence, fingerprint

# Words that stand in another scene were moved there, unless they are too few to be the same words.
LEAST_MOVED = 8

_BESIDE_HAN = re.compile(r"(?<=[\u2e80-\uffdc])\s+|\s+(?=[\u2e80-\uffdc])")
_SPACE = re.compile(r"\s+")


def evenly_spaced(text: str) -> str:
    """The text with one space wherever there is any, and none beside Chinese characters."""
    return _SPACE.sub(" ", _BESIDE_HAN.sub("", text)).strip()


class WrittenText:
    """The text of a scene, searched for quotations however they are spaced."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def even(self) -> str:
        """The text with even spaces."""
        return evenly_spaced(self.text)

    def has(self, quotation: str, occurrence: int = 0) -> bool:
        """Whether a quotation stands in the text more often than `occurrence` times."""
        return _is_in(self.text, quotation, occurrence) or _is_in(
            self.even, evenly_spaced(quotation), occurrence
        )


def _is_in(text: str, words: str, occurrence: int) -> bool:
    start = -1
    for _ in range(occurrence + 1):
        start = text.find(words, start + 1)
        if start < 0:
            return False
    return bool(words)


class FactPart(NamedTuple):
    """A part of a fact that quotations say: an attribute, or words of its text."""

    attribute: str | None
    value: Any

    @property
    def key(self) -> str:
        """What names the part on the wire."""
        if self.attribute is not None:
            return f"attribute:{self.attribute}"
        return f"text:{fingerprint(self.value)}"


def parts_of(attests: Attested | None) -> Iterator[FactPart]:
    """The parts of a fact that `attests` says."""
    if attests is None:
        return
    if attests.text:
        yield FactPart(None, attests.text)
    for key, value in attests.attributes.items():
        yield FactPart(key, value)


def holds_part(text: str, attributes: Mapping[str, Any], part: FactPart) -> bool:
    """Whether a fact still says a part; what the author rewrote no longer rests on a quotation."""
    if part.attribute is None:
        return part.value in text
    return part.attribute in attributes and bool(attributes[part.attribute] == part.value)


def stale_parts(
    evidence: Iterable[Evidence], gone: frozenset[str], text: str, attributes: Mapping[str, Any]
) -> list[FactPart]:
    """The parts of a fact that nothing says any more."""
    lost: dict[str, FactPart] = {}
    said: set[str] = set()
    for one in evidence:
        for part in parts_of(one.attests):
            if one.id not in gone:
                said.add(part.key + str(part.value))
            elif holds_part(text, attributes, part):
                lost[part.key + str(part.value)] = part
    return [part for key, part in lost.items() if key not in said]


def without_part(attests: Attested, part: FactPart) -> Attested | None:
    """The attested parts without one; None if nothing is left."""
    if part.attribute is None:
        rest = attests.model_copy(update={"text": "" if attests.text == part.value else attests.text})
    else:
        kept = {key: value for key, value in attests.attributes.items() if key != part.attribute}
        rest = attests.model_copy(update={"attributes": kept})
    return rest if rest.text or rest.attributes else None


def text_without(
    text: str, attributes: Mapping[str, Any], parts: Iterable[FactPart | None]
) -> tuple[str, dict[str, Any]]:
    """The text and the attributes of a fact without some of its parts."""
    kept = dict(attributes)
    for part in parts:
        if part is None:
            continue
        if part.attribute is None:
            text = text.replace(part.value, "", 1).strip()
        else:
            kept.pop(part.attribute, None)
    return text, kept
