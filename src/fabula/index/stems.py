"""Stems of English words, so that `married`, `marries` and `marry` are one word.

M. F. Porter, An algorithm for suffix stripping, Program 14 (1980). Words in other alphabets stay as they are.
"""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[a-z]{3,}\Z")
_CONSONANT = "(?:[^aeiouy]|(?<![^aeiou])y|^y)"
_VOWEL = "(?:[aeiou]|(?<=[^aeiou])y)"
_HAS_VOWEL = re.compile(_VOWEL)
_MEASURES = re.compile(f"{_VOWEL}+{_CONSONANT}+")
_DOUBLED = re.compile(r"([^aeioulsz])\1\Z")
_SHORT = re.compile(f"{_CONSONANT}{_VOWEL}(?![wxy]){_CONSONANT}\\Z")

_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism"),
    *("ate", "iti", "ous", "ive", "ize"),
)


def stem(word: str) -> str:
    """The stem of a folded word."""
    if not _PLAIN.match(word):
        return word
    word = _without_past(_without_plural(word))
    if word.endswith("y") and _HAS_VOWEL.search(word, 0, len(word) - 1):
        word = word[:-1] + "i"
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _tidied(_without_last(word))


def _measure(word: str) -> int:
    """How many times vowels are followed by consonants."""
    return len(_MEASURES.findall(word))


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and _HAS_VOWEL.search(rest):
            if rest.endswith(("at", "bl", "iz")):
                return rest + "e"
            if _DOUBLED.search(rest):
                return rest[:-1]
            return rest + "e" if _measure(rest) == 1 and _SHORT.search(rest) else rest
    return word


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, other in endings:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + other if _measure(rest) > 0 else word
    return word


def _without_last(word: str) -> str:
    ending = max((ending for ending in _STEP_4 if word.endswith(ending)), key=len, default="")
    rest = word[: len(word) - len(ending)]
    if not ending or _measure(rest) < 2 or (ending == "ion" and rest[-1] not in "st"):
        return word
    return rest


def _tidied(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _SHORT.search(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
