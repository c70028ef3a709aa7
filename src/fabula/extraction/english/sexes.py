"""Whether an English name is a man's or a woman's: by title, following pronouns, or the given name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from fabula.extraction.english.aliases import MEN, WOMEN, parts_of
from fabula.extraction.english.given_names import given_name_sex
from fabula.extraction.mentions import FoundMention
from fabula.extraction.wordlist import word_set

# In the novels that are read here, these are men.
_RANKS_OF_MEN = word_set("""
    Captain Capt Colonel Col General Gen Major Maj Lieutenant Lt Sergeant Sgt Corporal Commander Admiral
    Commodore Marshal Inspector Constable Judge Bishop Archbishop Cardinal Rev Reverend Deacon Esquire
    Viscount Marquis
""")
_NEAR = 70
_PRONOUN = re.compile(r"[\n“”\"]|\b(?:([Hh]e|him|his|himself)|([Ss]he|her|hers|herself))\b")
_ENOUGH, _MOSTLY = 4, 0.75
_WOMANS = re.compile(r"(?:vna|skaya|tskaya|ina|ova|eva)\Z")
_MANS = re.compile(r"(?:vitch|vich|itch|sky|tsky)\Z")


def sexes_of(text: str, mentions: Sequence[FoundMention]) -> dict[str, str]:
    """The sex of each name, m or f; names without evidence are missing."""
    heard: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mention, following in pairwise((*mentions, None)):
        if mention is not None and mention.named:
            counts = heard[mention.text]
            stop = mention.end + _NEAR if following is None else min(mention.end + _NEAR, following.start)
            found = _PRONOUN.search(text, mention.end, stop)
            if found is not None and (found[1] or found[2]):
                counts["m" if found[1] else "f"] += 1
    return {name: sex for name, counts in heard.items() if (sex := _sex(name, counts))}


def _sex(name: str, counts: Counter[str]) -> str:
    titles, words = parts_of(name)
    for known, sex in ((WOMEN, "f"), (MEN | _RANKS_OF_MEN, "m")):
        if not known.isdisjoint(titles):
            return sex
    if len(words) > 1:
        # A patronymic tells it: Anna Arkadyevna, Sergey Ivanovitch.
        for pattern, sex in ((_WOMANS, "f"), (_MANS, "m")):
            if any(pattern.search(word) for word in words[1:]):
                return sex
    total = counts.total()
    for sex in ("m", "f"):
        if total >= _ENOUGH and counts[sex] >= _MOSTLY * total:
            return sex
    return given_name_sex(words[0])
