"""What the English names of a whole book are names of, by how the book uses them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from fabula.extraction.english.aliases import parts_of
from fabula.extraction.english.given_names import given_name_sex
from fabula.extraction.english.tables import (
    GIVEN_NAMES,
    NEVER,
    PEOPLE_AFTER,
    PLACE_WORDS,
    PLACES_OF_THE_WORLD,
    SPEECH,
    TITLES,
    TO_PLACES,
)
from fabula.extraction.found import FoundName
from fabula.extraction.mentions import FoundMention
from fabula.extraction.wordlist import word_set
from fabula.staging.dialogue import SPEECH_VERBS

# From this many mentions on, the share of them that speak is meaningful.
_ENOUGH = 5
_ONLY_SPEECH, _SPEAKER = 0.75, 0.05
_RARE, _DOUBTFUL, _NOBODY = 0.8, 0.7, 0.3
_OFTEN = 8
_SEVERAL, _SELDOM = 3, 5
_REACH = 30

_SAID_BEFORE = re.compile(rf"\b(?:{SPEECH_VERBS})\s+\Z")
_SPEAKS_AFTER = re.compile(rf",?[”\"']?\s+(?:\w+ly\s+)?(?:{SPEECH_VERBS}|nodded|smiled)\b")
# "Yes, Crump," and "Crump!": somebody is spoken to.
_CALLED_AFTER = re.compile(r"[,!?.]?[”\"]|[,!?]")
_CALLED_BEFORE = re.compile(r"(?:[“\"]|[a-z][,!?]|\b(?:dear|old|poor))\s*\Z")
_WORD_BEFORE = re.compile(r"([\w’']+)\s+\Z")
_WORD_AFTER = re.compile(r"(?:['’]s)?\s+([\w’']+)")
_OWNS = re.compile(r"['’]s\s")
_DOES = re.compile(r"[a-z]{2,}ed\Z")
_NO_DEED = word_set("named called united need indeed red bed")
_AUXILIARIES = word_set("had has was is would could did must should might does never")
_WHO = re.compile(r", who(?:m|se)?\b")
# The Princess of Helium, who …
_OF_PLACES = TO_PLACES | word_set("of in at near from and or by for")
_AT_PLACES = word_set("at near towards toward from to")
_THE = word_set("the The a A an An this that these those This That")
# What comes from a place or a faith: Parisian, Gaelic, Jacobite.
_OF_SOMEWHERE = re.compile(r"(?:ian|ish|ese|ic|ite|ean|ists?|ians|ites)\Z")
# Rue de la Chanvrerie, Rue de l'Homme Armé: the rest of a longer name.
_STREETS = word_set("Rue Boulevard Avenue Faubourg Quai Barrière Pont Passage Impasse Via Calle Ulitsa")
_IN_A_STREET = re.compile(
    rf"\b(?:{'|'.join(sorted(_STREETS))})\s+(?:d(?:e|u|es|el|ella)\s+|d['’])?(?:l[ae]s?\s+|l['’](?:\w+\s+)?)?\Z"
)
_FIRST_OF_PLACES = _STREETS | word_set("Loch Ben Lake Lac Mont Cape Fort Château")
# Monsieur le Maire: a title in the place of a name.
_TITLE_ONLY = re.compile(r"(?:M|MM|Monsieur|Madame|Messieurs|Monseigneur)\.? (?:le|la|les|l['’])\b")


class _Uses(NamedTuple):
    """How often a name stands in a book, speaks, acts as people do, and is where one is or goes."""

    times: int
    speaks: int
    acts: int
    is_place: int
    after_the: int
    is_who: int
    in_street: int


def judged_in_english(
    names: Sequence[FoundName], mentions: Iterable[FoundMention], text: str
) -> list[FoundName]:
    """The names with types and confidence corrected by how the whole book uses them."""
    uses = _uses(mentions, text)
    none = _Uses(0, 0, 0, 0, 0, 0, 0)
    firm = [name for name in names if _is_firm(name, uses.get(name.text, none))]
    people = _People(firm)
    return [_judged(name, uses.get(name.text, none), people) for name in names]


def _uses(mentions: Iterable[FoundMention], text: str) -> dict[str, _Uses]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mention in mentions:
        if mention.named and mention.known is None:
            found[mention.text].update(_use(text, mention.start, mention.end))
    return {
        name: _Uses(
            counts["times"],
            counts["speaks"],
            counts["acts"],
            counts["is_place"],
            counts["after_the"],
            counts["is_who"],
            counts["in_street"],
        )
        for name, counts in found.items()
    }


def _use(text: str, start: int, end: int) -> list[str]:
    """What one mention shows."""
    before = text[max(0, start - _REACH) : start]
    if _IN_A_STREET.search(before):
        return ["times", "in_street"]
    use = ["times"]
    word = _WORD_BEFORE.search(before)
    following = _WORD_AFTER.match(text, end)
    owns = _OWNS.match(text, end) is not None
    after = "" if following is None or owns else following[1]
    last = "" if word is None else word[1]
    if _SAID_BEFORE.search(before):
        return [*use, "speaks", "acts", "acts"]
    if _SPEAKS_AFTER.match(text, end):
        use += ["speaks", "acts", "acts"]
    elif after in SPEECH or after in PEOPLE_AFTER or (_DOES.match(after) and after not in _NO_DEED):
        use += ["acts", "acts"]
    elif owns or after in _AUXILIARIES:
        use.append("acts")
    elif _CALLED_AFTER.match(text, end) and _CALLED_BEFORE.search(before):
        use += ["acts", "acts"]
    if last in TO_PLACES:
        use += ["is_place", "is_place"]
    elif last in _AT_PLACES and not after:
        use.append("is_place")
    elif last in _THE:
        use.append("after_the")
    is_who = last not in _OF_PLACES and _WHO.match(text, end) is not None
    return [*use, "is_who"] if is_who else use


def _is_firm(name: FoundName, uses: _Uses) -> bool:
    """Whether a name is a person's beyond doubt: it has a title, or acts as only people do."""
    titles, words = parts_of(name.text)
    if _is_place_by_words(words):
        return False
    return (bool(titles) and "of" not in words) or (uses.speaks >= _SEVERAL and uses.acts > uses.is_place)


class _People:
    """The words of names that are people's beyond doubt."""

    def __init__(self, firm: Iterable[FoundName]) -> None:
        self._given: set[str] = set()
        self._family: set[str] = set()
        for name in firm:
            titles, words = parts_of(name.text)
            if "of" in words:
                continue
            if len(words) == 1 and not titles:
                self._given.add(words[0])
            elif words[-1] not in PLACES_OF_THE_WORLD:
                self._family.add(words[-1])
                if len(words) > 1:
                    self._given.add(words[0])

    def own(self, name: str) -> bool:
        """Whether a name without a title is one of theirs: Bingley Crocker beside Mr. Crocker."""
        words = name.split()
        if len(words) == 1:
            return words[0] in self._given or words[0] in self._family
        return words[-1] in self._family or (words[0] in self._given and words[-1] not in PLACE_WORDS)

    def is_family(self, name: str) -> bool:
        """Whether a name is the plural of a family name: the Oblonskys."""
        return name.endswith("s") and (name[:-1] in self._family or name.removesuffix("es") in self._family)


def _judged(name: FoundName, uses: _Uses, people: _People) -> FoundName:
    words = name.text.split()
    titled = words[0].rstrip(".") in TITLES
    if _TITLE_ONLY.match(name.text) or (words[-1] in NEVER - GIVEN_NAMES and not titled):
        return _believed(name, _NOBODY)
    if people.is_family(name.text) and 2 * uses.after_the >= uses.times:
        return _believed(name._replace(type="faction"), 1.0 if uses.times >= _ENOUGH else _RARE)
    if 2 * uses.in_street > uses.times:
        return _believed(name._replace(type="location"), _NOBODY)
    name = name._replace(type=_type(name, uses, people))
    if uses.times < _ENOUGH:
        return _believed(name, _RARE)
    share = uses.speaks / uses.times
    if share > _ONLY_SPEECH:
        return _believed(name, _NOBODY)
    acts = name.type == "character" and (3 * uses.acts >= uses.times or given_name_sex(words[0]) != "")
    if len(words) == 1 and _OF_SOMEWHERE.search(name.text) and not acts and not people.own(name.text):
        if name.text in PLACES_OF_THE_WORLD:
            return name
        return _believed(name, _NOBODY if 4 * uses.is_place < uses.times else _DOUBTFUL)
    if name.type == "character":
        return name
    return name if uses.times >= _OFTEN else _believed(name, _RARE)


def _type(name: FoundName, uses: _Uses, people: _People) -> str:
    titles, words = parts_of(name.text)
    if name.text in PLACES_OF_THE_WORLD and uses.speaks < _SEVERAL:
        return "location"
    if _is_place_by_words(words) and uses.speaks < _SEVERAL:
        return name.type if name.type != "character" else "location"
    if titles or people.own(name.text):
        return "character"
    if uses.times >= _ENOUGH and uses.speaks >= _SPEAKER * uses.times and uses.acts > uses.is_place:
        return "character"
    if name.type == "location" and uses.acts > max(uses.is_place, uses.times // 3):
        return "character"
    if name.type == "location" and _is_somebody(uses):
        # To his father, Mitya was a living being, but: she looked at Mitya, who glanced at her.
        return "character"
    if name.type == "character" and uses.is_place > max(2 * uses.acts, uses.times // 5):
        return "location"
    return name.type


def _is_somebody(uses: _Uses) -> bool:
    """Whether it is one *who* does something, while hardly anything happens in it, and not *the* anything."""
    return uses.is_who > 0 and _SELDOM * max(uses.is_place, uses.after_the) < uses.times


def _is_place_by_words(words: Sequence[str]) -> bool:
    return len(words) > 1 and (words[-1] in PLACE_WORDS or words[0] in _FIRST_OF_PLACES)


def _believed(name: FoundName, share: float) -> FoundName:
    return name._replace(confidence=name.confidence * share)


def learnt_titles(times: Mapping[str, int]) -> frozenset[str]:
    """Words that stand before several names that also stand alone: Comrade Brown, Comrade Parker."""
    known = {name for name, count in times.items() if " " not in name and count >= _SEVERAL}
    before: defaultdict[str, set[str]] = defaultdict(set)
    for name in times:
        first, _, rest = name.partition(" ")
        last = rest.rpartition(" ")[2]
        if last in known and first not in TITLES and not given_name_sex(first):
            before[first].add(last)
    return frozenset(word for word, after in before.items() if len(after) >= _SEVERAL and word not in times)
