"""The terms to look for in a text, and the matches."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Term:
    """A name, alias or keyword to look for, and its owner.

    With `whole_word` None or true, an end of the term that is a word character must be at a word boundary;
    with false, the term is found inside words too.
    """

    text: str
    owner: Hashable
    kind: str
    case_sensitive: bool = False
    whole_word: bool | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A span of the original text, in Python characters, that matches a term of the owner."""

    owner: Hashable
    term: str
    kind: str
    start: int
    end: int


class Match(NamedTuple):
    """A span of the original text, in Python characters, with all terms that match it, names first."""

    start: int
    end: int
    terms: tuple[Term, ...]

    def hits(self) -> list[Hit]:
        """Return one hit per owner, by its first term here."""
        best: dict[Hashable, Term] = {}
        for term in self.terms:
            best.setdefault(term.owner, term)
        return [Hit(owner, term.text, term.kind, self.start, self.end) for owner, term in best.items()]
