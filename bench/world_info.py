"""World Info scans beside a plain program and SillyTavern: books of four sizes, English and Chinese.

Every entry has three keys and 200 characters of content; twenty entries are named in two messages of together
10,000 characters, and half of their contents name a further entry, so that recursion has something to find.
One entry in ten has secondary keys, one in twenty a group, a depth, a chance, a pattern or a timed effect.
"""

from __future__ import annotations

import json
import os
import platform
import random
import sys
from typing import Any

from bench.measure import Figures, Results, Series
from bench.processes import found_by
from bench.report import RESULTS, TableOf, markdown, number
from bench.retrieval_report import show
from fabula import tokens
from fabula.world_info import Scan, ScanMessage, ScanSettings, compile_book, scan

NAME = "world_info"
SIZES = (100, 1_000, 10_000, 50_000)
LANGUAGES = ("English", "Chinese")
AIMS = {100: 1.0, 1_000: 2.0, 10_000: 3.0, 50_000: 10.0}
# One pass of SillyTavern 1.19 over the same kind of book and text, in milliseconds of the processor.
SILLYTAVERN = {
    "English": {100: 8, 1_000: 62, 10_000: 1_323, 50_000: 7_460},
    "Chinese": {100: 14, 1_000: 100, 10_000: 1_138, 50_000: 5_436},
}
CHARACTERS = 10_000
NAMED = 20
SEED = 19

NOTES = """\
Milliseconds of the processor, p50 and p95 of 50 scans with the book compiled; recursion, whole words and all
rules are on, tokens are counted. *plain Python* looks for every key of every entry in the lowered text, one
pass, no other rule. *SillyTavern* is one pass of version 1.19 over books and texts of the same kind.
"""


def _word(rng: random.Random, language: str) -> str:
    if language == "Chinese":
        return "".join(chr(0x4E00 + rng.randrange(1_800)) for _ in range(rng.choice((3, 3, 4))))
    return "".join(rng.choice("bcdfghjklmnprstvwz") + rng.choice("aeiou") for _ in range(rng.choice((4, 5))))


def _text(rng: random.Random, language: str, size: int) -> str:
    words: list[str] = []
    length = 0
    while length < size:
        word = chr(0x4E00 + rng.randrange(1_800)) if language == "Chinese" else _word(rng, language)
        words.append(word)
        length += len(word) + (language == "English")
    return ("" if language == "Chinese" else " ").join(words)[:size]


def _entry(rng: random.Random, language: str, uid: int, keys: list[str], more: str) -> dict[str, Any]:
    space = " " if language == "English" else ""
    entry: dict[str, Any] = {
        "uid": uid,
        "key": keys,
        "keysecondary": [],
        "comment": keys[0],
        "content": (more + space + _text(rng, language, 200))[:200],
        "constant": False,
        "selective": True,
        "selectiveLogic": 0,
        "order": rng.choice((50, 100, 100, 200)),
        "position": rng.choice((0, 1, 4)),
        "disable": False,
        "excludeRecursion": False,
        "preventRecursion": False,
        "delayUntilRecursion": 0,
        "probability": 100,
        "useProbability": True,
        "depth": 4,
        "group": "",
        "scanDepth": None,
        "caseSensitive": None,
        "matchWholeWords": None,
        "sticky": None,
        "cooldown": None,
        "delay": None,
    }
    if uid % 10 == 3:
        entry |= {"keysecondary": [_word(rng, language)], "selectiveLogic": 2}
    kind = uid % 100
    entry |= {
        7: {"group": f"g{uid // 200}"},
        27: {"scanDepth": 4},
        47: {"key": [*keys[:2], f"/{keys[2]}(?:s|们)?/i"]},
        67: {"sticky": 3, "cooldown": 2},
        87: {"probability": 50},
    }.get(kind, {})
    return entry


def book_and_text(size: int, language: str) -> tuple[dict[str, Any], list[str]]:
    """A book, and two messages that name twenty of its entries."""
    rng = random.Random(f"{SEED}:{size}:{language}")
    keys: list[list[str]] = []
    known: set[str] = set()
    while len(keys) < size:
        own: list[str] = []
        while len(own) < 3:
            word = _word(rng, language)
            if word not in known:
                known.add(word)
                own.append(word)
        keys.append(own)
    named = rng.sample(range(size), NAMED)
    further = rng.sample([place for place in range(size) if place not in named], NAMED // 2)
    mentions = dict(zip(named, (keys[place][0] for place in further), strict=False))
    entries = {str(uid): _entry(rng, language, uid, keys[uid], mentions.get(uid, "")) for uid in range(size)}
    space = " " if language == "English" else ""
    messages = []
    for half in (named[:10], named[10:]):
        text = _text(rng, language, CHARACTERS // 2)
        for nth, place in enumerate(half):
            at = text.find(space, nth * 450) if space else nth * 450
            text = text[:at] + space + keys[place][0] + space + text[at:]
        messages.append(text[: CHARACTERS // 2])
    return {"entries": entries}, messages


def measure(*, quick: bool) -> dict[str, Results]:
    """Every size and language, each in a process of its own."""
    sizes = SIZES[:2] if quick else SIZES
    return {
        f"{language}:{size}": found_by("bench.world_info", language, str(size))
        for language in LANGUAGES
        for size in sizes
    }


def _run(language: str, size: int) -> Results:
    book, messages = book_and_text(size, language)
    compiling = Series()
    compiled = compiling.time(compile_book, "book", book["entries"])
    question = Scan(
        books={"global": (compiled,)},
        chat=tuple(ScanMessage("Mira", False, text) for text in messages),
        count=tokens.counter("o200k_base").count,
        settings=ScanSettings(max_context=1_000_000),
        user="Tobin",
        char="Mira",
        seed="bench",
    )
    result = scan(question)
    scanning = Series()
    for _ in range(50):
        scanning.time(scan, question)
    plain = Series()
    for _ in range(9 if size <= 1_000 else 3):
        plain.time(_plainly, book["entries"], messages)
    found: Figures = {"activated": len(result.activated), "passes": len(result.passes)}
    return {
        "compile": compiling.figures(),
        "scan": scanning.figures(),
        "plain": plain.figures(),
        "found": found,
    }


def _plainly(entries: dict[str, Any], messages: list[str]) -> list[Any]:
    text = "\n".join(messages).lower()
    return [entry["uid"] for entry in entries.values() if any(key.lower() in text for key in entry["key"])]


def report(found: dict[str, Results], name: str | None, note: str) -> None:
    """Print it, and keep it if it has a name."""
    tables = [_table(language, found) for language in LANGUAGES]
    show(tables)
    if name is None:
        return
    about = {"python": platform.python_version(), "processors": os.cpu_count(), "note": note}
    whole = {"about": about, "now": found}
    (RESULTS / f"{name}.json").write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")
    parts = ["# World Info, measured", *([f"**{note}**"] if note else []), NOTES.strip()]
    for title, columns, rows in tables:
        parts += [f"## {title}", markdown(columns, rows)]
    (RESULTS / f"{name}.md").write_text("\n\n".join(parts) + "\n", "utf-8")


def _table(language: str, found: dict[str, Results]) -> TableOf:
    columns = [
        "entries",
        "aim",
        "cpu p50",
        "cpu p95",
        "compile",
        "active / passes",
        "plain Python p50",
        "SillyTavern",
    ]
    rows = []
    for size in SIZES:
        results = found.get(f"{language}:{size}")
        if results is not None:
            rows.append(
                [
                    f"{size:,}",
                    f"{AIMS[size]:g}",
                    number(results["scan"]["cpu_p50"]),
                    number(results["scan"]["cpu_p95"]),
                    number(results["compile"]["cpu_p50"]),
                    f"{results['found']['activated']} / {results['found']['passes']}",
                    number(results["plain"]["cpu_p50"]),
                    f"{SILLYTAVERN[language][size]:,}",
                ]
            )
    return (f"{language}, text of 10,000 characters", columns, rows)


if __name__ == "__main__":
    print(json.dumps(_run(sys.argv[1], int(sys.argv[2]))))
