"""What is looked for in a text, and what is found."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple


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


class Match(NamedTuple):
    """A place of the original text, in Python characters, and all terms that stand there, names first."""

    start: int
    end: int
    terms: tuple[Term, ...]

    def hits(self) -> list[Hit]:
        """Return the place once for each owner, by its first term there."""
        best: dict[Hashable, Term] = {}
        for term in self.terms:
            best.setdefault(term.owner, term)
        return [Hit(owner, term.text, term.kind, self.start, self.end) for owner, term in best.items()]
