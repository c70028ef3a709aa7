"""The people of a whole book: its names grouped by who they mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log

from fabula.extraction.chinese.aliases import family_and_given
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.suffixes import TITLES
from fabula.extraction.english.aliases import parts_of
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.identity.chinese_titles import stem_of
from fabula.extraction.identity.evidence import identities
from fabula.extraction.identity.joining import Joined
from fabula.extraction.known import KnownNames
from fabula.extraction.people import GroupedNames, LikelyAlias, NewAlias, NewEntity
from fabula.extraction.sameness import JoinReason, Sameness
from fabula.model.relation import Language

# Names too doubtful to be proposed may still be somebody's.
_LEAST, _LEAST_OF_RARE, _SEVERAL = 0.4, 0.15, 3
_FULL_NAME_TIMES = 5
_HAN = re.compile("[\u3400-\u9fff]")
_ALIAS = 0.65
_MOST, _STEEPER, _SHIFT = 0.99, 1.35, 1.15


def people_of_book(
    text: str, found: FoundMentions, known_names: KnownNames, language: Language, threshold: float, often: int
) -> GroupedNames:
    """The names of a book grouped by entity; doubtful and rare names count only as names of somebody else."""
    names = {name.text: name for name in found.names if known_names.owner(name.text) is None}
    owners = _owners(found, known_names)
    # 鹿力 is doubtful by itself, but not beside 鹿力大仙.
    with_titles = {stem_of(name.text) for name in names.values() if name.confidence >= _LEAST}
    people = [
        name
        for name in names.values()
        if name.type == "character"
        and (
            name.confidence >= (_LEAST if name.times >= _SEVERAL else _LEAST_OF_RARE)
            or name.text in with_titles
        )
    ]
    known = [FoundName(name, "character", times, 1.0) for name, times in _times_of(found, owners).items()]
    joined = identities(text, found.mentions, [*people, *known], language, owners)
    if language == "zh":
        names = {text: name._replace(confidence=calibrated(name.confidence)) for text, name in names.items()}
    names = _surer_with_titles(names, joined)
    sure = {name.text for name in names.values() if name.confidence >= threshold and name.times >= often}
    return _Grouping(names, owners, joined, sure).grouped()


def _surer_with_titles(names: Mapping[str, FoundName], joined: Joined) -> dict[str, FoundName]:
    """The names, surer where one stands both alone and with its title: 文殊, 文殊菩萨."""
    surer = dict(names)
    for same in joined.joins:
        if same.reason is not JoinReason.TITLE or stem_of(same.name) != same.other:
            continue
        full, stem = names.get(same.name), names.get(same.other)
        if full is not None and stem is not None:
            both = min(_MOST, 1 - (1 - full.confidence) * (1 - stem.confidence))
            surer[stem.text] = stem._replace(confidence=max(both, surer[stem.text].confidence))
    return surer


def calibrated(confidence: float) -> float:
    """The share of Chinese finds of this confidence that are right, as measured on two novels."""
    confidence = min(max(confidence, 1 - _MOST), _MOST)
    return min(_MOST, 1 / (1 + exp(_SHIFT - _STEEPER * log(confidence / (1 - confidence)))))


def _owners(found: FoundMentions, known_names: KnownNames) -> dict[str, str]:
    """The story's entity for each known name of a person in the text."""
    owners: dict[str, str] = {}
    for mention in found.mentions:
        if mention.known is not None and mention.text not in owners:
            owner = known_names.owner(mention.known)
            if owner is not None and owner.type in ("character", "unknown"):
                owners[mention.text] = owner.name
    owners.update({owner: owner for owner in set(owners.values())})
    return owners


def _times_of(found: FoundMentions, names: Mapping[str, str]) -> Counter[str]:
    return Counter(mention.text for mention in found.mentions if mention.text in names)


class _Grouping:
    """The names of one book while they are grouped."""

    def __init__(
        self, names: Mapping[str, FoundName], owners: Mapping[str, str], joined: Joined, sure: set[str]
    ) -> None:
        self._names, self._owners, self._joined, self._sure = names, owners, joined, sure
        self._group = {name: group for group in joined.groups for name in group}
        self._endings = Counter(
            name.text[size:]
            for name in names.values()
            if name.times >= _SEVERAL
            for size in range(1, len(name.text) - 1)
        )

    def grouped(self) -> GroupedNames:
        entities: list[NewEntity] = []
        aliases: list[NewAlias] = []
        done: set[str] = set()
        for name in self._names.values():
            if name.text not in self._sure or name.text in done:
                continue
            group = self._group.get(name.text, frozenset((name.text,)))
            done |= group
            owner = self._owner(group)
            if owner is not None:
                aliases += self._aliases_of(owner, group)
            else:
                entities.append(self._entity(group))
        return GroupedNames(entities, aliases, tuple(self._likely(entities)))

    def _owner(self, group: Iterable[str]) -> str | None:
        return next((self._owners[name] for name in sorted(group) if name in self._owners), None)

    def _aliases_of(self, owner: str, group: Iterable[str]) -> list[NewAlias]:
        return [
            NewAlias(self._names[name], owner, same.confidence, same)
            for name in sorted(group)
            if name in self._names and (same := self._join(name)) is not None
        ]

    def _join(self, name: str) -> Sameness | None:
        return next((same for same in self._joined.joins if name in (same.name, same.other)), None)

    def _entity(self, group: frozenset[str]) -> NewEntity:
        main = self._main(group)
        # A name that is only stated or addressed need not be among the names found.
        others = [self._named(name) for name in group if name != main]
        others.sort(key=lambda name: (-name.times, name.text))
        joins = [
            same for same in self._joined.joins if same.name in group and same.reason is not JoinReason.KNOWN
        ]
        return NewEntity(self._names[main], tuple(others), tuple(joins))

    def _named(self, name: str) -> FoundName:
        return self._names.get(name) or FoundName(name, "character", 0, _ALIAS)

    def _main(self, group: frozenset[str]) -> str:
        """The full name if it is used, else the name that is used most."""
        found = [self._names[name] for name in group if name in self._sure]
        full = [name for name in found if name.times >= _FULL_NAME_TIMES and self._is_full(name.text)]
        return max(full or found, key=lambda name: (name.times, name.text)).text

    def _likely(self, entities: Sequence[NewEntity]) -> Iterable[LikelyAlias]:
        """The pairs of people who are likely one; the one who is named less is the alias."""
        by_name = {name.text: entity for entity in entities for name in (entity.name, *entity.aliases)}
        for same in self._joined.likely:
            sides = [self._side(name, by_name) for name in (same.name, same.other)]
            (alias, times, _), (owner, _, is_owner) = sorted(
                sides, key=lambda side: (side[2], side[0].text in self._owners, side[1], side[0].text)
            )
            if is_owner and alias.text not in self._owners and alias.text != owner.text:
                yield LikelyAlias(alias, owner.text, same, times)

    def _side(self, name: str, by_name: Mapping[str, NewEntity]) -> tuple[FoundName, int, bool]:
        """The main name of a person, how often they are named, and whether they are an entity."""
        if name in self._owners:
            return self._named(self._owners[name]), 0, True
        entity = by_name.get(name)
        if entity is not None:
            return entity.name, entity.times, True
        own = self._named(name)
        return own, own.times, False

    def _is_full(self, name: str) -> bool:
        """Whether it is a family name and a given name; 行者, which stands after other names too, is none."""
        if not _HAN.search(name):
            return len(parts_of(name)[1]) > 1
        parts = family_and_given(name)
        if parts is None or len(name) < 3 or parts[1] in TITLES or parts[1] in PEOPLE:
            return False
        return self._endings[parts[1]] == 1
