"""What is looked for in a text, and what is found."""

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A name, alias or keyword to look for, and whom it means.

    With `whole_word` left open or true, an end of the term that is a word character must sit on a word
    boundary; with false, the term is found inside words too.
    """

    text: str
    owner: Hashable
    kind: str
    case_sensitive: bool = False
    whole_word: bool | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A place of the original text, in Python characters, where a term of the owner stands."""

    owner: Hashable
    term: str
    kind: str
    start: int
    end: int
