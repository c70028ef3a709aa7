"""Which English names of a book are forms of another: a part of it, with a title, or a nickname."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Sequence

from fabula.extraction.english.aliases import WOMEN, parts_of
from fabula.extraction.english.book_evidence import learnt_titles
from fabula.extraction.english.nicknames import FULL_NAMES
from fabula.extraction.found import FoundName
from fabula.extraction.identity.company import Company
from fabula.extraction.sameness import AreApart, JoinReason, NamesOf, Sameness
from fabula.extraction.wordlist import word_set

_PATRONYMIC = re.compile(r"(?:vitch|vich|vna|itch|ich)\Z")
_FEMININE = ((re.compile(r"skaya\Z"), "sky"), (re.compile(r"(?<=[nv])a\Z"), ""))
_MARRIED = word_set("Mrs Madame Mme Widow Mother Lady Princess Countess Duchess Baroness")
# Old Duroy and Father Duroy may be the father of Georges Duroy.
_OF_A_FAMILY = word_set("Old Father Mother Uncle Aunt Grandfather Grandmother Young Brother Sister Cousin")
_SAME_TITLES = (
    word_set("Mr M Monsieur Sir"),
    word_set("Mrs Mme Madame Madam"),
    word_set("Miss Mlle Mademoiselle"),
)
_MORE, _BY_FAR, _MOSTLY_WITH, _FAR_MORE_TIMES, _RARELY = 1.5, 4.0, 0.3, 3, 100
_ALONE, _NEAREST, _OF_FAMILY, _SAME_WORDS = 0.88, 0.72, 0.68, 0.92


def related_english_forms(
    names: Sequence[FoundName], company: Company, apart: AreApart, group: NamesOf
) -> Iterator[Sameness]:
    """Pairs of names of which one is a form of the other, where only one person fits."""
    forms = _EnglishForms(names, company, apart, group)
    for name in names:
        yield from forms.of(name.text)


def are_other_people(one: str, other: str, learnt: Container[str] = ()) -> bool:
    """Whether two full names share a word and still mean two people: Nikolay Levin and Konstantin Levin."""
    (titles, ones), (other_titles, others) = parts_of(one, learnt), parts_of(other, learnt)
    if ones[-1] == others[-1] and _are_mother_and_daughter(titles, other_titles):
        return True
    if len(ones) < 2 or len(others) < 2 or set(ones) <= set(others) or set(others) <= set(ones):
        return False
    if _has_patronymic(ones) != _has_patronymic(others):
        return not _alike(ones[0], others[0])
    return not (_alike(ones[0], others[0]) and _alike(ones[-1], others[-1]))


def _are_mother_and_daughter(titles: Collection[str], others: Collection[str]) -> bool:
    _, wives, girls = _SAME_TITLES
    return any(
        not wives.isdisjoint(some) and not girls.isdisjoint(rest)
        for some, rest in ((titles, others), (others, titles))
    )


class _EnglishForms:
    """The names of one book by their words."""

    def __init__(self, names: Sequence[FoundName], company: Company, apart: AreApart, group: NamesOf) -> None:
        self._company, self._apart, self._group = company, apart, group
        self._learnt = learnt_titles(company.times)
        self._having: defaultdict[str, list[str]] = defaultdict(list)
        self._same: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for name in names:
            _, words = self._parts(name.text)
            self._same[words].append(name.text)
            # Mervo is not the Prince of Mervo.
            if len(words) > 1 and "of" not in words:
                for word in {*words, *(_masculine(word) for word in words)}:
                    self._having[word].append(name.text)

    def _parts(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return parts_of(name, self._learnt)

    def of(self, name: str) -> Iterator[Sameness]:
        """The forms that a name is of others."""
        titles, words = self._parts(name)
        for one in self._same[words]:
            if one != name and not self._apart(name, one):
                theirs = self._parts(one)[0]
                agree = _same_title(titles, theirs) if titles and theirs else self._is_hers(name, one, words)
                yield Sameness(name, one, _SAME_WORDS if agree else _NEAREST, JoinReason.TITLE)
        if len(words) == 1:
            # Madame Thénardier may be the mother of Éponine Thénardier.
            most = _OF_FAMILY if not (_MARRIED | _OF_A_FAMILY).isdisjoint(titles) else _ALONE
            reason = JoinReason.TITLE if titles else JoinReason.PART
            fits = self._fitting(name, words[0])
            own = [one for one in fits if titles and self._has_title_and_family(one, titles, words[0])]
            main = self._far_ahead(own)
            if main is not None:
                # Princess Tverskaya may be Princess Betsy Tverskaya, or her mother.
                yield Sameness(name, main, _NEAREST, reason)
            yield from self._nearest(name, fits, reason, most)
            nick = [one for full in FULL_NAMES.get(words[0], ()) for one in self._given(full)]
            yield from self._nearest(name, self._others(name, nick), JoinReason.PET_NAME, _NEAREST)
            return
        nick = [
            one
            for full in FULL_NAMES.get(words[0], ())
            for one in self._given(full)
            if self._parts(one)[1][-1] == words[-1]
        ]
        yield from self._nearest(name, self._others(name, nick), JoinReason.PET_NAME, _ALONE)
        longer = [one for one in self._having[words[0]] if set(words) < set(self._parts(one)[1])]
        yield from self._nearest(name, self._others(name, longer), JoinReason.PART, _SAME_WORDS)
        if _has_patronymic(words) and len(words) == 2:
            # Princess Varvara need not be Varvara Andreevna.
            given = [
                one
                for one in self._given(words[0])
                if self._parts(one)[1] != words and (_MARRIED | _OF_A_FAMILY).isdisjoint(self._parts(one)[0])
            ]
            yield from self._nearest(name, self._others(name, given), JoinReason.PART, _NEAREST)

    def _has_title_and_family(self, full: str, titles: Collection[str], family: str) -> bool:
        theirs, words = self._parts(full)
        if len(words) < 2 or words[-1] != family or not _OF_A_FAMILY.isdisjoint(titles):
            return False
        return set(titles) == set(theirs) or _same_title(titles, theirs)

    def _far_ahead(self, names: Collection[str]) -> str | None:
        """The name of the one person, or of the one who is named far more than the others."""
        people = {frozenset(self._group(one)): one for one in names}
        by_use = sorted(((sum(map(self._times_of, own)), one) for own, one in people.items()), reverse=True)
        if not by_use or (len(by_use) > 1 and by_use[0][0] < _FAR_MORE_TIMES * by_use[1][0]):
            return None
        return by_use[0][1]

    def _times_of(self, name: str) -> int:
        return self._company.times[name]

    def _is_hers(self, one: str, other: str, words: Sequence[str]) -> bool:
        """Whether a family name alone may be a woman's: Corbett is Tom Corbett rather than Mrs. Corbett."""
        if len(words) > 1 or WOMEN.isdisjoint((*self._parts(one)[0], *self._parts(other)[0])):
            return True
        full = [name for name in self._having[words[0]] if self._parts(name)[1][-1] == words[0]]
        return all(self._apart(one, name) == self._apart(other, name) for name in full)

    def _is_given(self, name: str, full: str) -> bool:
        """Whether a name without a title is the given name of a full one."""
        titles, words = self._parts(name)
        return not titles and len(words) == 1 and self._parts(full)[1][0] == words[0]

    def _given(self, word: str) -> list[str]:
        """The names of people with this given name."""
        return [one for one in (*self._same[(word,)], *self._having[word]) if self._parts(one)[1][0] == word]

    def _others(self, name: str, fits: Collection[str]) -> list[str]:
        return [one for one in fits if not self._is_somebody_else(name, one)]

    def _fitting(self, name: str, word: str) -> list[str]:
        return self._others(name, dict.fromkeys((*self._having[word], *self._having[_masculine(word)])))

    def _is_somebody_else(self, name: str, other: str) -> bool:
        return name == other or any(self._apart(name, own) for own in self._group(other) if own != name)

    def _nearest(
        self, name: str, fits: Collection[str], reason: JoinReason, most: float
    ) -> Iterator[Sameness]:
        people: dict[frozenset[str], str] = {}
        for one in sorted(fits, key=lambda one: (-self._company.times[one], one)):
            people.setdefault(frozenset(self._group(one)) - {name}, one)
        near = sorted(
            ((self._company.affinity(name, names), one) for names, one in people.items()), reverse=True
        )
        if not near:
            return
        best, one = near[0]
        second = near[1][0] if len(near) > 1 else 0.0
        if len(near) == 1:
            # Vronsky, a thousand times, need not be the one Vronsky who has a given name three times.
            # A given name is used more the closer one is: of Antony Gillingham, everybody says Antony.
            rare = _RARELY * sum(self._company.times[own] for own in self._group(one))
            is_rare = rare < self._company.times[name] and not self._is_given(name, one)
            yield Sameness(name, one, min(most, _NEAREST) if is_rare else most, reason)
            return
        theirs = set(self._group(one)) - {name}
        together = self._company.together_with(name, theirs)
        fewest = min(self._company.passages(name), max(map(self._company.passages, theirs)))
        if together < 2 or best < _MORE * second:
            return
        times = [sum(self._company.times[own] for own in self._group(each)) for _, each in near[:2]]
        is_ahead = best >= _BY_FAR * second or times[0] >= _FAR_MORE_TIMES * times[1]
        is_sure = is_ahead and together >= _MOSTLY_WITH * fewest
        yield Sameness(name, one, most if is_sure else min(most, _NEAREST), reason)


def _same_title(titles: Collection[str], others: Collection[str]) -> bool:
    return any(not same.isdisjoint(titles) and not same.isdisjoint(others) for same in _SAME_TITLES)


def _has_patronymic(words: Sequence[str]) -> bool:
    return any(_PATRONYMIC.search(word) for word in words[1:])


def _masculine(word: str) -> str:
    """The form of a Russian family name that a man has: Karenin for Karenina."""
    for pattern, ending in _FEMININE:
        if pattern.search(word):
            return pattern.sub(ending, word)
    return word


def _alike(one: str, other: str) -> bool:
    """Whether two given names or two family names are forms of each other."""
    return (
        one == other
        or _masculine(one) == _masculine(other)
        or other in FULL_NAMES.get(one, ())
        or one in FULL_NAMES.get(other, ())
        or (len(one) == 1 and other.startswith(one))
        or (len(other) == 1 and one.startswith(other))
    )
