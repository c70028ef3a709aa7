"""What an English sentence asks, supposes or only thinks, and so does not state."""

from __future__ import annotations

import re

from fabula.extraction.ties.sentence import MarkedSentence

_SUPPOSED = re.compile(r"\b(?:[Ii]f|as though|as if|[Ww]hether|[Ss]uppos\w+|dream\w*|pretend\w*|unless)\b")
_THOUGHT = re.compile(
    r"\b(?:that|thought|fear\w*|hop\w+|wish\w*|until|till|when|lest|how|believ\w+|convinced|suspect\w*)\b"
)


def is_supposed(sentence: MarkedSentence, place: int) -> bool:
    """Whether what a sentence says at a place is asked, supposed or denied rather than stated."""
    return (
        sentence.marked.rstrip('”"').endswith("?") or _SUPPOSED.search(sentence.marked, 0, place) is not None
    )


def is_thought(sentence: MarkedSentence, place: int) -> bool:
    """Whether somebody thinks, fears or awaits what a sentence says at a place."""
    return _THOUGHT.search(sentence.marked, 0, place) is not None
