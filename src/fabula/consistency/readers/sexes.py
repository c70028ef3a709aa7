"""Which sex the people of an English text have, from the pronouns of the sentences that name one of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from fabula.consistency.marked import MarkedText
from fabula.consistency.readers.sentences import Telling, people_in
from fabula.consistency.reading import Assertion, KnownPeople

_HE = re.compile(r"\b(?:he|his|him|himself)\b")
_SHE = re.compile(r"\b(?:she|her|hers|herself)\b")


def sexes(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield for everybody which pronouns the text uses of them most, as `sex`."""
    if cast.language != "en":
        return
    counts: dict[str, Counter[str]] = {}
    for sentence in Telling(text).sentences():
        named = people_in(text, sentence.text)
        if len(named) == 1:
            he, she = _HE.search(sentence.text), _SHE.search(sentence.text)
            if (he is None) != (she is None):
                counts.setdefault(named[0], Counter())["f" if he is None else "m"] += 1
    for who, count in counts.items():
        (first, most), *rest = count.most_common()
        if not rest or rest[0][1] < most:
            yield Assertion("sex", who, first, 0, 0)
