"""What a scene is about: the query that its last sentences make, as a whole and one by one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from fabula.assembly.prose import sentences
from fabula.model.manuscript import Snapshot
from fabula.model.relation import Language

# Who is present spans some paragraphs, and what is being discussed the last few sentences.
LAST_CHARACTERS: dict[Language, int] = {"zh": 240, "en": 600}
# A shorter sentence, such as an exclamation, asks for nothing by itself.
LEAST_CHARACTERS: dict[Language, int] = {"zh": 8, "en": 24}
MOST_PARTS = 6
TAILS_KEPT = 64


def last_words(text: str, length: int) -> str:
    """Return the last complete sentences of a text, which change per sentence and not per key press."""
    tail = text[-2 * length :]
    return _last_words(tail, length, is_all=len(tail) == len(text))


@lru_cache(TAILS_KEPT)
def _last_words(tail: str, length: int, *, is_all: bool) -> str:
    whole = [span for span in sentences(tail) if tail[slice(*span)].strip()]
    if len(whole) > 1 and not _is_ended(tail[slice(*whole[-1])]):
        whole.pop()
    if len(whole) > 1 and not is_all:
        whole.pop(0)
    if not whole:
        return ""
    # Measured from the end of the last complete sentence, so that typing after it does not move the start.
    end = whole[-1][1]
    start = next((first for first, _ in whole if first >= end - length), end - length)
    return tail[start:end].strip()


def _is_ended(sentence: str) -> bool:
    return sentence.rstrip("」』”’）】》〉)]\"' ")[-1:] in "。！？…!?.\n" or sentence.endswith("\n")


def topic_of(text: str, language: Language, snapshots: Iterable[Snapshot]) -> str:
    """Return the query text: the last words of the scene or, if it is empty, the last summary."""
    said = last_words(text, LAST_CHARACTERS[language])
    if said:
        return said
    return next((snapshot.summary for snapshot in snapshots if snapshot.summary.strip()), "")


def questions_of(topic: str, language: Language) -> tuple[str, ...]:
    """Return the topic as a whole, then its last sentences, if it has several, each as a query of its own."""
    if not topic:
        return ()
    said = (topic[start:end].strip() for start, end in sentences(topic))
    parts = [part for part in dict.fromkeys(said) if len(part) >= LEAST_CHARACTERS[language]]
    return (topic, *parts[-MOST_PARTS:]) if len(parts) > 1 else (topic,)
