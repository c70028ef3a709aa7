"""Given names used without the family name, where the full name is known: 惊羽 for 林惊羽."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ahocorasick_rs import AhoCorasick

from fabula.extraction.chinese.aliases import family_and_given
from fabula.extraction.chinese.edges import A_NAME
from fabula.extraction.chinese.lexicon import lexicon

_COST = 6.0


def short_forms(sentences: Sequence[str], full_names: Iterable[str]) -> Iterator[tuple[int, int, int, float]]:
    """The sentence, start, end and cost of each occurrence of a two-character given name."""
    common = lexicon().is_common
    given = {
        parts[1]
        for name in full_names
        if (parts := family_and_given(name)) and len(parts[1]) == 2 and not common(parts[1])
    }
    if not given:
        return
    search = AhoCorasick(sorted(given), store_patterns=False)
    for number, sentence in enumerate(sentences):
        for _, start, end in search.find_matches_as_indexes(sentence, overlapping=True):
            yield number, start, end, A_NAME + _COST
