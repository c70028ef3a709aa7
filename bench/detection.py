"""Detection beside the scan that lorebook programs do, key by key, on the same books and texts.

The scan is the matching of SillyTavern 1.19 in Python and nothing else of it: for each key the text is
lower-cased anew, and looked through for the key, or, with whole words and a key without a space, with a
pattern made for this key in this scan. It stops at the first key of an entry that it finds. Fabula looks for
all keys in one pass and says where each stands.

The rules differ in four ways. Where keys overlap, Fabula gives the place to the longest (`find`); to count
the same hits, `find_all` is asked, which gives every key its place. A key with a space is looked for inside
words by the scan even if whole words are wanted. Fabula's boundaries are those of words in any script with
spaces, the scan's those of ASCII. Fabula folds width as well as case. The last two make no difference in the
books and texts here.
"""

from __future__ import annotations

import json
import random
import re
import sys
from dataclasses import dataclass

from bench.measure import Figures, Results, once, timed
from bench.processes import found_by
from bench.vocabulary import Language, Vocabulary
from bench.world import SEED, TEXT_LENGTH
from fabula.matching import Matcher, Term

KEYS = 3
PLANTED = 60
ENTRIES = (100, 1_000, 10_000, 50_000)
QUICK_ENTRIES = (100, 1_000)
LANGUAGES: dict[Language, str] = {"zh": "Chinese", "en": "English"}
MODES = {"whole words": True, "anywhere": False}
REPEATS = 20


@dataclass(frozen=True)
class Book:
    """Entries with three keys each, and a text that has 60 of the keys."""

    entries: list[list[str]]
    text: str


def measure(entries: int) -> Results:
    """Both ways on a book of so many entries, in each language and mode, each in a process of its own."""
    results: Results = {}
    for code, language in LANGUAGES.items():
        for mode in MODES:
            results[f"{language}, {mode}"] = found_by("bench.detection", str(entries), code, mode)
    return results


def book(count: int, language: Language) -> Book:
    """A book and a text, the same each time."""
    rng = random.Random(f"book:{SEED}:{language}:{count}")
    words = Vocabulary(language, SEED)
    seen: set[str] = set()
    while len(seen) < KEYS * count:
        key = words.name(rng, False)
        if len(key) > 2:
            # Every other English key is one word: only those are looked for as whole words by the scan.
            seen.add(
                key.split()[0] + key.split()[1].lower() if language == "en" and rng.random() < 0.5 else key
            )
    keys = sorted(seen)
    rng.shuffle(keys)
    entries = [keys[number::count] for number in range(count)]
    planted = [rng.choice(own) for own in rng.sample(entries, PLANTED)]
    return Book(entries, _text(words, rng, planted))


def _text(words: Vocabulary, rng: random.Random, planted: list[str]) -> str:
    gap = " " if words.language == "en" else ""
    sentences = []
    room = TEXT_LENGTH - sum(len(key) + len(gap) for key in planted)
    while room > 0:
        sentences.append(words.sentence(rng)[:room])
        room -= len(sentences[-1])
    for place, key in zip(rng.sample(range(len(sentences)), len(planted)), planted, strict=True):
        sentences[place] = f"{key}{gap}{sentences[place]}"
    return "".join(sentences)


def scan(entries: list[list[str]], text: str, *, whole_words: bool) -> set[int]:
    """Which entries have a key in the text, one key after the other."""
    re.purge()  # Python remembers some patterns from scan to scan; the program this imitates does not
    return {
        number for number, keys in enumerate(entries) if any(_has(text, key, whole_words) for key in keys)
    }


def _has(text: str, key: str, whole_words: bool) -> bool:
    lowered, wanted = text.lower(), key.lower()
    if whole_words and len(wanted.split()) == 1:
        return re.search(rf"(?:^|\W)({re.escape(wanted)})(?:$|\W)", lowered, re.ASCII) is not None
    return wanted in lowered


def _compared(given: Book, *, whole_words: bool) -> Figures:
    terms = [
        Term(key, number, "keyword", whole_word=whole_words)
        for number, keys in enumerate(given.entries)
        for key in keys
    ]
    matcher, build = once(lambda: Matcher(terms))
    ours = timed([given.text] * REPEATS, matcher.find, seconds=1)
    counted: list[set[int]] = []
    theirs = timed(
        [given.text] * REPEATS,
        lambda text: counted.append(scan(given.entries, text, whole_words=whole_words)),
        seconds=1,
        least=1,
    )
    return {
        "keys": len(terms),
        "n": ours["n"],
        "p50": ours["p50"],
        "cpu_p50": ours["cpu_p50"],
        "build_cpu_seconds": build["cpu_seconds"],
        "scan_n": theirs["n"],
        "scan_p50": theirs["p50"],
        "scan_cpu_p50": theirs["cpu_p50"],
        "found": len({hit.owner for hit in matcher.find(given.text)}),
        "found_all": len({hit.owner for hit in matcher.find_all(given.text)}),
        "scan_found": len(counted[0]),
    }


def main(entries: str, language: Language, mode: str) -> None:
    """One comparison, told on the standard output."""
    print(json.dumps(_compared(book(int(entries), language), whole_words=MODES[mode])))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3])  # type: ignore[arg-type]
