"""The terms that reveal hidden entities and entries, including inflected forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabula.index.appearances import NameOfEntity
from fabula.index.images import name_terms
from fabula.index.lorebook import entry_terms
from fabula.matching import Term
from fabula.matching.loose import inflected
from fabula.model.activation import ActivationRules


def name_words(entity_id: str, name: str, aliases: list[str]) -> list[Term]:
    """The name and aliases of a hidden entity, in all forms."""
    return [form for term in name_terms(entity_id, name, aliases) for form in _forms(term)]


def entry_words(
    entry_id: str, entity_id: str | None, key: str, keywords: list[str], rules: ActivationRules
) -> list[Term]:
    """The keywords of a hidden entry, or of the entry of a hidden entity, in all forms."""
    return [form for term in entry_terms(entry_id, entity_id, key, keywords, rules) for form in _forms(term)]


def later_words(name: NameOfEntity) -> Iterator[Term]:
    """A name that an open entity gets later, in all forms."""
    return _forms(Term(name.name, name, "alias"))


def _forms(term: Term) -> Iterator[Term]:
    for text in inflected(term.text):
        yield replace(term, text=text, case_sensitive=False)
