"""The candidate names of a sentence, by characters alone, each with a cost.

Costs are in nats, like those of common words: a name is chosen where it is cheaper than the words it covers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.extraction.chinese import suffixes, surnames, verbs
from fabula.extraction.chinese.gazetteer import PLACES_OF_THE_WORLD
from fabula.extraction.chinese.transliteration import MOSTLY_FOREIGN, SOUNDS

# Start, end and type of a candidate.
EdgePlace = tuple[int, int, str]
Edges = dict[EdgePlace, float]

# About one word of a novel in thirty is a name.
A_NAME = 3.5

_FREQUENT_SURNAME, _SURNAME, _COMPOUND_SURNAME = 4.3, 6.0, 5.0
_GIVEN, _OTHER_GIVEN, _SELDOM_GIVEN = 4.8, 6.5, 10.0
_ONE_GIVEN, _TWO_GIVEN = 1.2, 0.3
_FITS, _FITS_NOT, _SPEAKS = 0.8, 0.8, 2.0
_LIKE_A_PERSON = 4.0
_HOUSE = 9.0

_compound = re.compile("|".join(sorted(surnames.COMPOUND_SURNAMES, key=len, reverse=True)))
_foreign = re.compile(f"[{''.join(sorted(SOUNDS))}·•]{{2,}}")
_speech = re.compile(f"(?:{'|'.join(sorted(verbs.SPEECH, key=len, reverse=True))})[：:，“「]")
_titles = re.compile("|".join(sorted(suffixes.TITLES, key=len, reverse=True)))
_world = re.compile("|".join(sorted(PLACES_OF_THE_WORLD, key=len, reverse=True)))
_NOT_IN_NAMES = (surnames.NEVER_GIVEN | surnames.SELDOM_GIVEN) - frozenset("上下前后外内里开来望惊无")


def edges_of(sentence: str) -> Edges:
    """Every candidate name of the sentence with its cost."""
    edges: Edges = {}
    for source in (_people, _foreigners, _with_title, _familiar, _with_suffix, _of_the_world):
        for place, cost in source(sentence):
            if cost < edges.get(place, 99.0) and sentence[place[0] : place[1]] not in surnames.NEVER_NAMES:
                edges[place] = cost
    return edges


def is_han(character: str) -> bool:
    """Whether the character is Chinese."""
    return "\u4e00" <= character <= "\u9fff"


def _people(sentence: str) -> Iterator[tuple[EdgePlace, float]]:
    """A family name and one or two characters."""
    for start, character in enumerate(sentence):
        tier = surnames.SURNAMES.get(character)
        if tier is not None:
            yield from _called(sentence, start, start + 1, _FREQUENT_SURNAME if tier == 3 else _SURNAME)
            if sentence[start + 1 : start + 2] == "家":
                yield (start, start + 2, "faction"), A_NAME + _HOUSE
    for found in _compound.finditer(sentence):
        yield from _called(sentence, found.start(), found.end(), _COMPOUND_SURNAME)


def _called(sentence: str, start: int, given: int, cost: float) -> Iterator[tuple[EdgePlace, float]]:
    cost += A_NAME
    for end, extra in ((given + 1, _ONE_GIVEN), (given + 2, _TWO_GIVEN)):
        character = sentence[end - 1 : end]
        if not character or character in surnames.NEVER_GIVEN or not is_han(character):
            return
        cost += _given_cost(character)
        yield (start, end, "character"), cost + extra - _surroundings(sentence, start, end)


def _given_cost(character: str) -> float:
    if character in surnames.GIVEN:
        return _GIVEN
    return _SELDOM_GIVEN if character in surnames.SELDOM_GIVEN else _OTHER_GIVEN


def _surroundings(sentence: str, start: int, end: int) -> float:
    """How well a person's name fits between the neighbouring characters."""
    after = sentence[end] if end < len(sentence) else "。"
    before = sentence[start - 1] if start else "。"
    fits = _FITS if after in verbs.AFTER_PERSON else -_FITS_NOT
    fits += _FITS if before in verbs.BEFORE_PERSON else -_FITS_NOT
    return fits + (_SPEAKS if _speech.match(sentence, end) else 0.0)


def _foreigners(sentence: str) -> Iterator[tuple[EdgePlace, float]]:
    """Transliterated names; a dot inside makes one nearly certain."""
    for found in _foreign.finditer(sentence):
        run, offset = found[0], found.start()
        for start in range(len(run)):
            if run[start] in "·•":
                continue
            cost = A_NAME + 2
            foreign = 0
            for end in range(start + 1, min(len(run), start + 12) + 1):
                character = run[end - 1]
                if character in "·•":
                    cost -= 3
                    foreign += 2
                    continue
                is_foreign = character in MOSTLY_FOREIGN
                cost += 4.5 if is_foreign else 6.0
                foreign += is_foreign
                if end - start >= 2 and 2 * foreign >= end - start:
                    first, last = offset + start, offset + end
                    yield (first, last, "character"), cost - _surroundings(sentence, first, last)


def _with_title(sentence: str) -> Iterator[tuple[EdgePlace, float]]:
    """A family name or by-name before a title: 李长老, 玄清真人."""
    for found in _titles.finditer(sentence):
        title = found.start()
        for start in range(title - 1, max(-1, title - 4), -1):
            character = sentence[start]
            if not is_han(character) or character in _NOT_IN_NAMES:
                break
            cost = A_NAME + 3 + (title - start) * 5.5
            if title - start == 1:
                cost += -2 if character in surnames.SURNAMES else 2
            elif sentence[start:title] in surnames.COMPOUND_SURNAMES:
                cost -= 3
            elif character in surnames.SURNAMES:
                cost -= 1
            yield (start, found.end(), "character"), cost


def _familiar(sentence: str) -> Iterator[tuple[EdgePlace, float]]:
    """小 or 老 or 阿 and one character, and one character with 儿."""
    for start, character in enumerate(sentence[:-1]):
        following = sentence[start + 1]
        if not is_han(following) or following in _NOT_IN_NAMES:
            continue
        if character in "小老阿":
            cost = A_NAME + 11.5 - (1.5 if following in surnames.SURNAMES else 0)
            yield (start, start + 2, "character"), cost - _surroundings(sentence, start, start + 2)
        elif following == "儿" and character in surnames.GIVEN:
            yield (start, start + 2, "character"), A_NAME + 10 - _surroundings(sentence, start, start + 2)


def _with_suffix(sentence: str) -> Iterator[tuple[EdgePlace, float]]:
    """Up to four characters before an ending that tells the type: 青云宗, 寒霜剑."""
    for found in suffixes.ENDING.finditer(sentence):
        kind, known_by = suffixes.KINDS[found[0]]
        cost = A_NAME + 3 - known_by
        for start in range(found.start() - 1, max(-1, found.start() - 5), -1):
            character = sentence[start]
            if not is_han(character) or character in _NOT_IN_NAMES:
                break
            cost += 6.3
            gone_to = kind == "location" and start > 0 and sentence[start - 1] in verbs.BEFORE_PLACE
            like_a_person = found.end() - start <= 3 and character in surnames.SURNAMES
            yield (start, found.end(), kind), cost - gone_to + like_a_person * _LIKE_A_PERSON


def _of_the_world(sentence: str) -> Iterator[tuple[EdgePlace, float]]:
    """Countries and cities that exist."""
    for found in _world.finditer(sentence):
        yield (found.start(), found.end(), "location"), A_NAME + 3
