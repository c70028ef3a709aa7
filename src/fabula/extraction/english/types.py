"""Votes on the type of an English name, by its own words and the words around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fabula.extraction.english import tables
from fabula.extraction.english.runs import WordToken

Votes = Counter[str]

_CERTAIN, _LIKELY, _HINT = 40, 10, 4
_ENDINGS = (
    (tables.GROUP_WORDS - tables.PLACE_WORDS, "faction"),
    (tables.PLACE_WORDS, "location"),
    (tables.ITEM_WORDS, "item"),
    (tables.TERM_WORDS, "concept"),
)


def votes_of_words(words: Sequence[str]) -> Votes:
    """The votes of the words of a name."""
    votes: Votes = Counter({"character": _HINT})
    if words[0] in tables.TITLES and len(words) > 1:
        votes["character"] += _CERTAIN
    elif words[0] in tables.GIVEN_NAMES:
        votes["character"] += 2 * _LIKELY
    if len(words) > 1:
        head = words[words.index("of") - 1] if "of" in words[1:] else words[-1]
        for listed, kind in _ENDINGS:
            if head in listed and words[0] not in tables.GIVEN_NAMES:
                votes[kind] += _CERTAIN
                break
        if words[0] in tables.PLACE_WORDS and words[0] not in tables.TITLES:
            votes["location"] += 2 * _LIKELY
    elif words[0].endswith(tables.PLACE_ENDINGS):
        votes["location"] += _LIKELY
    if " ".join(words) in tables.PLACES_OF_THE_WORLD:
        votes["location"] += _CERTAIN
    return votes


def votes_of_place(before: WordToken | None, run: Sequence[WordToken], after: WordToken | None) -> Votes:
    """The votes of the words next to one occurrence; None for a neighbour beyond punctuation or a line."""
    votes: Votes = Counter()
    if before is not None:
        if before.text in tables.TO_PLACES:
            votes["location"] += _LIKELY
        elif before.text in tables.NEAR_PLACES:
            votes["location"] += _HINT + 1
        elif before.text in tables.SPEECH or before.text in tables.KIN_WORDS:
            votes["character"] += _LIKELY
        elif before.text in ("the", "The"):
            votes["character"] -= _HINT
            votes["location"] += _HINT // 2
        elif before.text in ("and", "with", "for", "by"):
            votes["character"] += _HINT // 2
    if after is not None and (after.text in tables.SPEECH or after.text in tables.PEOPLE_AFTER):
        votes["character"] += _LIKELY
    elif after is not None and after.text.islower() and after.text.endswith("ed"):
        votes["character"] += _HINT
    if run[-1].possessive:
        votes["character"] += _HINT
    return votes


def type_of(votes: Votes) -> str:
    """The type with most votes; a character if there is no evidence."""
    return max(sorted(votes, key=lambda kind: kind != "character"), key=lambda kind: votes[kind])
