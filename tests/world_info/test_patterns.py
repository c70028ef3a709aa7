"""Patterns mean what they mean in JavaScript, whichever engine runs them, and none takes for ever."""

from __future__ import annotations

import time

import pytest

from fabula.world_info.patterns.pattern import Pattern, PatternTimeoutError, pattern_of
from fabula.world_info.patterns.process import Backtracker
from scanning import entry, reasons, scanned, uids

LONG = 5.0


def matches(key: str, text: str) -> bool:
    pattern = pattern_of(key)
    assert isinstance(pattern, Pattern), f"{key} is no pattern"
    return pattern.search(text, LONG) is not None


@pytest.mark.parametrize(
    ("key", "text", "is_found"),
    [
        # Digits, words and blanks are those of ASCII, except for blanks.
        (r"/\d/", "٣", False),
        (r"/^\d+$/", "42", True),
        (r"/\w/", "é", False),
        (r"/\W/", "é", True),
        (r"/a\sb/", "a\u3000b", True),
        (r"/a\sb/", "a\ufeffb", True),
        (r"/a\sb/", "a\x1cb", False),
        (r"/a\Sb/", "a\u00a0b", False),
        (r"/caf\b/", "café", True),
        (r"/café\b/", "café ", False),
        (r"/\b龙/", "a龙", True),
        (r"/\Ba/", "ba", True),
        # A dot, and where lines end.
        (r"/a.b/", "a\nb", False),
        (r"/a.b/", "a\rb", False),
        (r"/a.b/", "a\u2028b", False),
        (r"/a.b/s", "a\nb", True),
        (r"/^b/", "a\nb", False),
        (r"/^b/m", "a\nb", True),
        (r"/^b/m", "a\rb", True),
        (r"/a$/m", "a\u2029b", True),
        (r"/a$/", "a\n", False),
        (r"/^b/y", "ab", False),
        (r"/b/y", "ab", False),
        (r"/a/y", "ab", True),
        # Case.
        (r"/straße/i", "STRASSE", False),
        (r"/ä/i", "Ä", True),
        (r"/k/i", "\u212a", False),
        (r"/k/iu", "\u212a", True),
        (r"/ſ/i", "s", False),
        (r"/[^x]/i", "X", False),
        (r"/[à-ý]/i", "É", True),
        (r"/ς/i", "Σ", True),
        # Characters beyond U+FFFF are two units without `u`.
        (r"/^.$/", "😀", False),
        (r"/^..$/", "😀", True),
        (r"/^.$/u", "😀", True),
        (r"/😀/", "a😀b", True),
        (r"/[😀]/", "😁", True),
        (r"/[😀]/u", "😁", False),
        (r"/\ud83d/", "😀", True),
        (r"/\ud83d/u", "😀", False),
        (r"/\u{1F600}/u", "😀", True),
        (r"/\u{3}/", "uuu", True),
        (r"/^[^a]$/", "😀", False),
        # Old liberties.
        (r"/a{,2}/", "a{,2}", True),
        (r"/x{/", "x{", True),
        (r"/]/", "]", True),
        (r"/\q/", "q", True),
        (r"/\8/", "8", True),
        (r"/\101/", "A", True),
        (r"/\cA/", "\x01", True),
        (r"/[\b]/", "\b", True),
        (r"/\p{L}/", "p{L}", True),
        (r"/\k/", "k", True),
        (r"/[^]/", "\n", True),
        (r"/[]/", "a", False),
        (r"/(?=a)*b/", "b", True),
        (r"/[\d-x]/", "-", True),
        # What RE2 lacks.
        (r"/(?<=a+)b/", "aaab", True),
        (r"/(?<!a)b/", "ab", False),
        (r"/(a)|b\1/", "b", True),
        (r"/(a|b)\1/", "ab", False),
        (r"/(a|b)\1/i", "aA", True),
        (r"/(?<x>a)\k<x>/", "aa", True),
        (r"/\1(a)/", "a", True),
        (r"/^(?!.*secret).*door/", "the door", True),
        (r"/^(?!.*secret).*door/", "the secret door", False),
        (r"/a{1001}/", "a" * 1001, True),
        # A reference is the empty text until its group has ended; what is behind is read backwards.
        (r"/(a\1)b/", "ab", True),
        (r"/(?<n>a\k<n>)b/", "ab", True),
        (r"/(?:\2b|(a)(c))+/", "acb", True),
        (r"/(?<=\1(a))b/", "aab", True),
        (r"/(?<=\1(a))b/", "ab", False),
        (r"/[\-]/u", "-", True),
        # Properties.
        (r"/\p{Script=Han}/u", "青", True),
        (r"/\p{sc=Greek}/u", "青", False),
        (r"/\P{L}/u", "a", False),
        (r"/\p{Emoji_Presentation}/u", "😀", True),
        (r"/[\p{Lu}\d]/u", "É", True),
        (r"/\p{Lu}/iu", "é", True),
    ],
)
def test_a_pattern_finds_what_it_finds_in_a_browser(key: str, text: str, is_found: bool) -> None:
    assert matches(key, text) is is_found


@pytest.mark.parametrize(
    "key",
    [
        "/(/",
        "/)/",
        "/*/",
        "/a**/",
        "/[/",
        "/[b-a]/",
        "/a{2,1}/",
        "/(?i)a/",
        "/(?<1>a)/",
        "/(?<x>a)(?<x>b)/",
        r"/\k<y>(?<x>a)/",
        "/(?<=a)*/",
        r"/\u{110000}/u",
        "/x{/u",
        "/]/u",
        r"/\q/u",
        r"/\-/u",
        r"/\1/u",
        r"/\p{Nonsense}/u",
        r"/\p{sc=Nonsense}/u",
        "/a/gg",
        "/a/v",
        "/a/b/",
        "//",
        "/a",
        "/" + "(" * 5_000 + ")" * 5_000 + "/",
    ],
)
def test_what_a_browser_refuses_is_plain_text(key: str) -> None:
    assert pattern_of(key) is None


CATASTROPHES = [
    r"/^(a+)+$/",
    r"/(a|a)*b/",
    r"/(a|aa)+$/",
    r"/(.*a){20}$/",
    r"/(\w+\s?)+!/",
    r"/^(a+)+(?=b)/",
    r"/(?=(a+)+$)x/",
    r"/^(?:(a+)+)\1b/",
    r"/(a*)*\1c/",
    r"/(?<!(a+)+b)c$/",
    r"/(?!(a|aa)+$)^(a|aa)+$/",
    r"/(x+x+)+(?=y)/",
]


@pytest.mark.parametrize("key", CATASTROPHES)
def test_no_pattern_takes_longer_than_it_may(key: str) -> None:
    pattern = pattern_of(key)
    assert pattern is not None
    text = "a" * 3_000 + "x" * 3_000
    began = time.process_time()
    try:
        pattern.search(text, 0.1)
    except PatternTimeoutError:
        assert not pattern.is_linear
    # The time of this process: what runs elsewhere is ended there.
    assert time.process_time() - began < 1.0


def test_a_scan_goes_on_without_the_entry_whose_pattern_takes_too_long() -> None:
    entries = [entry(0, r"/^\x01Mira: (a|aa)+(?=b)c/"), entry(1, "dragon")]
    result = scanned(entries, "a" * 5_000 + " dragon", pattern_seconds=0.05)
    assert uids(result) == [1]
    assert reasons(result)[0] == "pattern_timeout"
    (left,) = [one for one in result.left_out if one.entry.uid == 0]
    assert left.detail == entries[0]["key"][0]


def test_many_slow_patterns_share_one_limit() -> None:
    entries = [entry(number, rf"/^\x01Mira: (a|aa)+(?={number})c/") for number in range(50)]
    began = time.monotonic()
    result = scanned(entries, "a" * 5_000, pattern_seconds=0.05, patterns_seconds=0.2)
    assert set(reasons(result).values()) == {"pattern_timeout"}
    assert time.monotonic() - began < 20


def test_a_process_that_is_gone_is_begun_again() -> None:
    own = Backtracker()
    try:
        assert own.search("a(?=b)", "xab", LONG) == 1
        (process,) = [own._process]
        assert process is not None
        process.kill()
        process.wait()
        assert own.search("a(?=b)", "ab", LONG) == 0
    finally:
        own.end()


def test_a_fork_has_a_process_of_its_own() -> None:
    own = Backtracker()
    try:
        assert own.search("a(?=b)", "xab", LONG) == 1
        own._owner -= 1
        theirs = own._process
        assert own.search("a(?=b)", "ab", LONG) == 0
        assert own._process is not theirs
    finally:
        own.end()


@pytest.mark.parametrize(
    ("key", "literals"),
    [
        (r"/drag(?:on|oon)s?/i", ("drag",)),
        (r"/\bmark\b/", ("mark",)),
        (r"/(coins|marks)/", ("coins", "marks")),
        (r"/a+bc/", ("bc",)),
        (r"/(?:ab)+c*/", ("ab",)),
        (r"/x*/", ()),
        (r"/.|dragon/", ()),
        (r"/ΟΔΟΣ/", ("οδοσ",)),
    ],
)
def test_a_pattern_says_what_it_cannot_do_without(key: str, literals: tuple[str, ...]) -> None:
    pattern = pattern_of(key)
    assert pattern is not None
    assert pattern.literals == literals
