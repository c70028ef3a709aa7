"""Parses the roles a query asks for, and scores how well a link answers it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from fabula.index.stems import stem
from fabula.index.words import words
from fabula.matching import closed_up, fold
from fabula.retrieval.reasons import TermPlace
from fabula.retrieval.relation_words import (
    RoleWord,
    cues,
    folded,
    label_roles,
    likeness_of,
    made_of,
    opposite,
    role_words,
)
from fabula.retrieval.world import Link, MentionLink

# A role that belongs to the other hop, and one that the two hops make up together.
OUT_OF_TURN = 0.25
TOGETHER = 0.8
# The label matches, but the relation points the other way: authors write "father" on either end.
REVERSED = 0.5
PLAIN_WORD = 0.35
# A relation is described best in the text of the entity the query names.
NAMED_BACK = 0.8
# The role matches, but the author uses another word for it.
NOT_LITERAL = 0.95
# Only a note of the relation mentions the role; anything longer than a label is a note.
IN_A_NOTE = 0.7
LONGEST_LABEL = 16

# How much of the sentence around a name is read, in characters, and the distance in words that halves a cue.
BEFORE, AFTER = 100, 60
LONGEST_KEPT = 2_000
HALF_AT = 5.0

# A longer text is a passage of a story, full of friends and fathers, and asks for none of them.
LONGEST_QUESTION = 300

_SENTENCE_END = re.compile(r"[。！？!?\n]|(?<=[^\W\d_]{3})\. |(?<=\d)\. ")
_SPACED = re.compile(r"[a-z\u00df-\u024f][\w-]*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ANY_WORD = re.compile(r"\w")
_ONE_WORD = re.compile(r"[\u3400-\u9fff]{1,4}|[^\W\u3400-\u9fff](?:[^\W\u3400-\u9fff]|-)*")
_HAS = re.compile(r"\s*['’]s?\s+(?:[\w-]+\s+){0,3}")
_HAS_IN_CHINESE = re.compile(r"(?:[^\s，。！？,.!?]{0,6}的[^\s，。！？,.!?的]{0,4})?")
_IS_OF = re.compile(r"\s+(?:of|to)\s+(?:[\w-]+\s+){0,3}")
# These words shortly before a name, or 的 right after it, mean that the text's own entity has the role.
_OF, _OF_REACH = frozenset(("of", "to")), 7
_GENERIC_WORDS = """
    what which when where why how whom whose did does do is was were are both same first last film song book
    one out into about after before more most also than name called 什么 哪个 哪里 怎么 为什 谁的 是谁
"""
_GENERIC = frozenset(_GENERIC_WORDS.split())


class LinkFit(NamedTuple):
    """How well a link answers the query (0 to 1), whether the question ends there, and the matching words."""

    value: float
    ends: bool = False
    words: tuple[str, ...] = ()


NO_ANSWER = LinkFit(0.0)


class RoleWeight(NamedTuple):
    """The weight of a role at a hop, and whether the question ends there."""

    weight: float
    ends: bool


class Cue(NamedTuple):
    """The weight of a word of prose as an answer, for the neighbour looked at or for the other end."""

    theirs: float
    turned: float
    ends: bool


@dataclass(frozen=True)
class RoleQuestion:
    """The roles a query asks for at each hop, and its other words.

    `roles` has the weights of the roles for each hop, `cues` those of words in prose. `terms` are the role
    words as written, `plain` the other words, `rest` the query without names. `tied` means that a role is
    asked of a named entity: "Alice's enemy", not "Alice met an enemy".
    """

    roles: tuple[Mapping[str, RoleWeight], ...]
    cues: tuple[Mapping[str, Cue], ...]
    terms: frozenset[str]
    plain: tuple[str, ...]
    rest: str
    tied: bool = False

    @property
    def for_roles(self) -> bool:
        """Whether the query asks for a role at all."""
        return bool(self.roles[0])

    @property
    def asks_nothing(self) -> bool:
        """Whether the query consists of names only."""
        return _ANY_WORD.search(self.rest) is None

    @property
    def is_one_word(self) -> bool:
        """Whether the query is a single word that is no role, as somebody looks one up."""
        return not self.for_roles and _ONE_WORD.fullmatch(self.rest.strip()) is not None

    def link(self, link: Link, hop: int) -> LinkFit:
        """How well an explicit relation answers the query."""
        key = (link.kind, link.words, link.outward, hop)
        answer = self._links.get(key)
        if answer is None:
            answer = self._links[key] = self._link(link, hop)
        return answer

    @cached_property
    def _links(self) -> dict[tuple[str, tuple[str, ...], bool, int], LinkFit]:
        return {}

    def _link(self, link: Link, hop: int) -> LinkFit:
        labels = [label for label in (link.kind, *link.words) if len(label) <= LONGEST_LABEL]
        literal = next((label for label in labels if self._says(label)), None)
        roles: frozenset[str] = frozenset().union(*map(label_roles, labels))
        sure = 1.0 if literal is not None else NOT_LITERAL
        if not roles:
            roles = frozenset().union(*map(label_roles, link.words))
            sure = IN_A_NOTE
        turned = frozenset(map(opposite, roles))
        theirs, reverse = (turned, roles) if link.outward else (roles, turned)
        best, ends = (1.0, True) if literal is not None and not roles else (0.0, False)
        for role, wish in self.roles[hop].items():
            fit = max(likeness_of(role, theirs), REVERSED * likeness_of(role, reverse))
            value = wish.weight * fit * sure
            if value > best:
                best, ends = value, wish.ends
        if best > 0:
            return LinkFit(best, ends, (literal or link.kind,))
        shared = tuple(word for word in self.plain if any(word in folded(label) for label in link.words))
        return LinkFit(min(1.0, PLAIN_WORD * len(shared)), False, shared) if shared else NO_ANSWER

    def _says(self, label: str) -> bool:
        """Whether the query contains the label verbatim."""
        label = folded(label.replace("_", " "))
        if _SPACED.fullmatch(label):
            return label in self._spaced
        return label in self.terms or (len(label) > 1 and label in self.rest)

    def mention(self, mention: MentionLink, text: str, hop: int) -> LinkFit:
        """How well the sentence around a mention answers the query."""
        before, after = _sentence_around(text, mention.start, mention.end)
        found: dict[str, float] = {}
        for side, backwards in ((before, True), (after, False)):
            for word, distance, of_text in (*_words_of(side, backwards), *self._han_of(side, backwards, hop)):
                # In "son of Ann" the text's own entity has the role, in "his mother Ann" the one named.
                weight = self._weight(word, hop, of_text is not mention.outward)
                if weight:
                    found[word] = max(found.get(word, 0.0), weight / (1 + (distance / HALF_AT) ** 2))
        if not found:
            return NO_ANSWER
        missed = 1.0
        for value in found.values():
            missed *= 1 - value
        order = sorted(found, key=lambda word: (-found[word], word))
        ends = any(word in self.cues[hop] and self.cues[hop][word].ends for word in order)
        return LinkFit((1 - missed) * (1.0 if mention.outward else NAMED_BACK), ends, tuple(order[:4]))

    def _weight(self, word: str, hop: int, theirs: bool) -> float:
        cue = self.cues[hop].get(word)
        if cue is not None:
            return cue.theirs if theirs else cue.turned
        return PLAIN_WORD if word in self.plain or _stem(word) in self._stems else 0.0

    @cached_property
    def _spaced(self) -> frozenset[str]:
        return frozenset(_SPACED.findall(self.rest))

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(_stem(word) for word in self.plain if _SPACED.fullmatch(word))

    @cached_property
    def _han(self) -> tuple[list[str], ...]:
        """The Chinese words to look for at each hop, longest first: 对头 is not found inside 死对头."""
        return tuple(
            sorted(filter(_HAN.match, {*self.plain, *table}), key=lambda word: (-len(word), word))
            for table in self.cues
        )

    @cached_property
    def _han_beginnings(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(word[0] for word in table) for table in self._han)

    def _han_of(self, side: str, backwards: bool, hop: int) -> Iterator[_Near]:
        """The Chinese words on one side of a name; two characters count as one word of distance."""
        if self._han_beginnings[hop].isdisjoint(side):
            return
        side = closed_up(side)
        taken: set[int] = set()
        for word in self._han[hop]:
            place = side.rfind(word) if backwards else side.find(word)
            if place >= 0 and place not in taken:
                taken.update(range(place, place + len(word)))
                gap = len(side) - place - len(word) if backwards else place
                yield word, gap / 2, not backwards and side.startswith("的") and gap < _OF_REACH


_Near = tuple[str, float, bool]
"""A word near a name, its distance, and whether it describes the text's own entity."""


def _words_of(side: str, backwards: bool) -> Iterator[_Near]:
    """The words of scripts with spaces on one side of a name."""
    tokens = _SPACED.findall(side)
    of_text = not backwards and side.startswith(("'s", "’s"))
    if backwards:
        tokens.reverse()
    for distance, word in enumerate(tokens, 1):
        of_text = of_text or (backwards and word in _OF and distance < _OF_REACH)
        yield word, distance, of_text


_stem = lru_cache(16_384)(stem)


@lru_cache(8_192)
def _sentence_around(text: str, start: int, end: int) -> tuple[str, str]:
    """The folded text before and after a span within its sentence, limited in length."""
    whole = _folded(text) if len(text) <= LONGEST_KEPT else None
    if whole is not None:
        before, after = whole[max(0, start - BEFORE) : start], whole[end : end + AFTER]
    else:
        before, after = folded(text[max(0, start - BEFORE) : start]), folded(text[end : end + AFTER])
    ends = [match.end() for match in _SENTENCE_END.finditer(before)]
    stop = _SENTENCE_END.search(after)
    return before[ends[-1] :] if ends else before, after[: stop.start()] if stop else after


@lru_cache(16_384)
def _folded(text: str) -> str | None:
    """The folded text; None if folding shifts its offsets."""
    found = fold(text, simplify=True)
    return None if found.cuts else found.text


def parse_question(query: str, places: Iterable[TermPlace]) -> RoleQuestion | None:
    """The question in a query besides its names; None if it is too long to be a question."""
    spans = sorted({(place.start, place.end) for place in places})
    if len(query) > LONGEST_QUESTION:
        return None
    rest = fold(_blanked(query, spans), simplify=True)
    said = role_words(rest.text)
    covered = {place for word in said for place in range(word.start, word.end)}
    plain = tuple(
        dict.fromkeys(
            word.text
            for word in words(rest.text)
            if word.start not in covered and word.text not in _GENERIC and not word.text.isdigit()
        )
    )
    placed = [RoleWord(word.roles, word.term, *rest.span(word.start, word.end)) for word in said]
    roles = _rings(_nearest_first(placed, spans))
    return RoleQuestion(
        roles,
        tuple(map(_cue_table, roles)),
        frozenset(word.term for word in said),
        plain,
        rest.text,
        any(_is_tied(query, word, span) for word in placed for span in spans),
    )


def _is_tied(query: str, word: RoleWord, span: tuple[int, int]) -> bool:
    if word.start >= span[1]:
        is_theirs = _HAS.fullmatch(query, span[1], word.start) is not None
        return is_theirs or _is_tied_in_chinese(query[span[1] : word.start], query[word.start : word.end])
    return _IS_OF.fullmatch(query, word.end, span[0]) is not None


def _is_tied_in_chinese(between: str, word: str) -> bool:
    if between and not _HAN.match(word):
        return False
    told = closed_up(between + word)
    return _HAS_IN_CHINESE.fullmatch(told, 0, len(told) - len(word)) is not None


def _blanked(query: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        query = query[:start] + "|" * (end - start) + query[end:]
    return query


def _nearest_first(said: Sequence[RoleWord], spans: Sequence[tuple[int, int]]) -> list[RoleWord]:
    """The role words, nearest to a name first: the word next to the name is the first hop."""
    if not spans:
        return list(said)
    return sorted(
        said,
        key=lambda word: (
            min(word.start - end if word.start >= end else start - word.end for start, end in spans),
            word.start,
        ),
    )


def _rings(chain: Sequence[RoleWord]) -> tuple[dict[str, RoleWeight], dict[str, RoleWeight]]:
    first: dict[str, RoleWeight] = {}
    second: dict[str, RoleWeight] = {}
    single = len(chain) == 1
    for place, word in enumerate(chain):
        for role in word.roles:
            parts = made_of(role)
            if single:
                _wish(first, role, RoleWeight(1.0, True))
                if parts is not None:
                    _wish(first, parts[0], RoleWeight(TOGETHER, False))
                    _wish(second, parts[1], RoleWeight(TOGETHER, True))
            else:
                _wish(first if place == 0 else second, role, RoleWeight(1.0, place > 0))
            _wish(second if place == 0 else first, role, RoleWeight(OUT_OF_TURN, False))
    return first, second


def _wish(ring: dict[str, RoleWeight], role: str, wish: RoleWeight) -> None:
    ring[role] = max(ring.get(role, wish), wish)


def _cue_table(ring: Mapping[str, RoleWeight]) -> dict[str, Cue]:
    table: dict[str, Cue] = {}
    for role, wish in ring.items():
        for word, roles in cues(role).items():
            turned = frozenset(map(opposite, roles))
            one, other = wish.weight * likeness_of(role, roles), wish.weight * likeness_of(role, turned)
            cue = Cue(max(one, REVERSED * other), max(other, REVERSED * one), wish.ends)
            table[word] = max(table.get(word, cue), cue)
    return table
