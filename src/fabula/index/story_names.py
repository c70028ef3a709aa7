"""The names, aliases and keywords of a story, ready to be found in texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from fabula.collector import freeze_built
from fabula.index.appearances import NameOfEntity
from fabula.index.books import StoryBooks
from fabula.index.images import LEVELS, PRIVATE, name_terms, rules_of, short_terms
from fabula.index.lorebook import EntryOwner, Lorebook, entry_terms
from fabula.index.roster import Roster
from fabula.index.secret_names import entry_words, later_words, name_words
from fabula.matching import Matcher, Term
from fabula.model.book import OWN_BOOK
from fabula.model.level import may_be_told
from fabula.model.story_settings import folds_traditional
from fabula.store.graph_rows import other_names
from fabula.store.reader import Reader
from fabula.store.scans import scan_entries, scan_names


class StoryNames:
    """The matchers for a story's names, aliases and keywords, built on demand and kept up to date."""

    def __init__(self, project_id: str, roster: Roster, books: StoryBooks) -> None:
        self.project_id = project_id
        self.roster = roster
        self._books = books
        self._aside: frozenset[str] = frozenset()
        self._names: Matcher | None = None
        self._short_names: Matcher | None = None
        self._secret_names: Matcher | None = None
        self._lorebook: Lorebook | None = None

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        built = (self._names, self._short_names, self._secret_names, self._lorebook)
        return sum(part.weight for part in built if part is not None)

    def names(self, reader: Reader) -> Matcher:
        """The matcher for names, aliases and keywords; owners are entity ids and `EntryOwner`s."""
        if self._names is None:
            terms = [
                term
                for key, _, name, aliases in scan_names(reader, self.project_id)
                for term in name_terms(key, name, aliases)
            ]
            self._aside = self._books.aside(reader)
            for entry_id, entity_id, key, keywords, rules, _, book_id, _ in scan_entries(
                reader, self.project_id
            ):
                if book_id in self._aside:
                    continue
                terms += entry_terms(entry_id, entity_id, key, orjson.loads(keywords), rules_of(rules))
            settings = reader.story(self.project_id).settings
            self._names = Matcher(terms, simplify=folds_traditional(settings))
            freeze_built(len(self.roster))
        return self._names

    def short_names(self, reader: Reader) -> Matcher:
        """The matcher for short forms of names: given names, surnames, titles."""
        if self._short_names is None:
            terms = [
                term
                for key, kind, name, aliases in scan_names(reader, self.project_id)
                for term in short_terms(key, kind, name, aliases)
            ]
            settings = reader.story(self.project_id).settings
            self._short_names = Matcher(terms, simplify=folds_traditional(settings))
            freeze_built(len(self.roster))
        return self._short_names

    def secret_names(self, reader: Reader, later_names: Iterable[NameOfEntity] = ()) -> Matcher:
        """The loose matcher for the names of what is hidden, always or at some moments.

        `later_names` are hidden until the manuscript uses them.

        Owners are as in `names`; near misses count, because what it finds is withheld.
        """
        if self._secret_names is None:
            terms = [
                term
                for key, _, name, aliases in scan_names(reader, self.project_id)
                if self.roster.may_be_hidden(key)
                for term in name_words(key, name, aliases)
            ]
            for entry_id, entity_id, key, keywords, rules, level, _, secrecy in scan_entries(
                reader, self.project_id
            ):
                if self._may_be_hidden(entity_id, level, secrecy):
                    terms += entry_words(entry_id, entity_id, key, orjson.loads(keywords), rules_of(rules))
            terms += [form for name in later_names for form in later_words(name)]
            self._secret_names = Matcher(terms, loose=True)
            freeze_built(len(self.roster))
        return self._secret_names

    def _may_be_hidden(self, entity_id: str | None, level: str, secrecy: str | None) -> bool:
        """Whether an entry, or the entity it belongs to, may be hidden."""
        if entity_id is None:
            return secrecy == PRIVATE or not may_be_told(LEVELS[level], named=False)
        return self.roster.may_be_hidden(entity_id)

    def lorebook(self, reader: Reader) -> Lorebook:
        """The lorebook entries."""
        if self._lorebook is None:
            self._lorebook = Lorebook(self._books.aside(reader))
            for entry_id, entity_id, _, _, _, level, book_id, _ in scan_entries(reader, self.project_id):
                self._lorebook.put(entry_id, entity_id, LEVELS[level], book_id)
        return self._lorebook

    def entity_changed(self, entity_id: str, after: dict[str, Any], *, was_hidden: bool) -> list[Term]:
        """Update the names of a changed entity and return its terms."""
        name = after["name"]
        aliases = other_names(name, after["aliases_json"], after.get("names_json"))
        terms = name_terms(entity_id, name, aliases)
        if self._names is not None:
            self._names.replace(entity_id, terms)
        if self._short_names is not None:
            self._short_names.replace(entity_id, short_terms(entity_id, after["type"], name, aliases))
        if self._secret_names is not None:
            is_hidden = self.roster.may_be_hidden(entity_id)
            self._secret_names.replace(entity_id, name_words(entity_id, name, aliases) if is_hidden else ())
            has_entry = self._lorebook is None or entity_id in self._lorebook.entry_of
            if is_hidden != was_hidden and has_entry:
                # The keywords of an entry are secret with its entity, and only the table of entries has them.
                self._secret_names = None
        return terms

    def entity_gone(self, entity_id: str) -> None:
        """Remove the names of an entity."""
        for names in (self._names, self._short_names, self._secret_names):
            if names is not None:
                names.replace(entity_id, ())

    def forget_names(self) -> None:
        """Drop everything that depends on how names are compared."""
        self._names = self._short_names = None

    def forget_secrets(self) -> None:
        """Drop the names of what is hidden, because other things are hidden now."""
        self._secret_names = None

    def forget_entries(self) -> None:
        """Drop everything that depends on which books are set aside."""
        self._names = self._lorebook = None

    def entry_changed(self, entry_id: str, after: dict[str, Any] | None) -> tuple[Term, ...]:
        """Update the keywords of a changed entry and return its terms."""
        was_in = None if self._lorebook is None else self._lorebook.book_of.get(entry_id, OWN_BOOK)
        self._books.entry_changed(entry_id, was_in, OWN_BOOK if after is None else _book_of(after))
        if self._lorebook is not None and after is None:
            self._lorebook.drop(entry_id)
        elif self._lorebook is not None and after is not None:
            level = LEVELS[after["ai_context_level"]]
            self._lorebook.put(entry_id, after["entity_id"], level, _book_of(after))
        return self._entry_renamed(entry_id, after)

    def _entry_renamed(self, entry_id: str, after: dict[str, Any] | None) -> tuple[Term, ...]:
        terms: tuple[Term, ...] = ()
        secret: Iterable[Term] = ()
        if after is not None:
            keywords, rules = orjson.loads(after["keywords_json"]), rules_of(after["rules_json"])
            words = (entry_id, after["entity_id"], after["entry_key"], keywords, rules)
            terms = () if _book_of(after) in self._aside else tuple(entry_terms(*words))
            if self._may_be_hidden(after["entity_id"], after["ai_context_level"], after.get("secrecy")):
                secret = entry_words(*words)
        if self._names is not None:
            self._names.replace(EntryOwner(entry_id), terms)
        if self._secret_names is not None:
            self._secret_names.replace(EntryOwner(entry_id), secret)
        return terms


def _book_of(image: dict[str, Any]) -> str:
    """The book of an entry; log entries older than books have none."""
    return str(image.get("book_id", OWN_BOOK))
