"""Hi-ToM: where somebody thinks that somebody else thinks … a thing is, answered from the knowledge engine.

Sentences become sights and claims. As the set says: who is in a room sees everything before they leave it,
who enters it sees with the others there what is in it, everybody tends to lie, and people believe who left
the room later than they did. The rules were made on the items with even numbers. The set asks every question
twice, once after a line that begins with "Read"; there it often has another answer to the same question.
`disputed` counts the items whose twin has another answer: nobody can have all of them right, and `at most` is
what one answer for each question can reach. Who enters a room again sees with the others what is there: if
each saw it alone, two plain items more would be right (135 and 147), and five after "Read" would not, of
which two ask the same as those. `unexplained` counts wrong answers for which the set gives no reason to doubt
its own; the others are listed with it. For that list the misses of both halves were looked at.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.eval.beliefs import Believers, Claim, Sight
from bench.eval.product_story import WORDS, opened, story_file
from bench.eval.table import DATA, Miss, Row, no_data, record, show
from fabula.memory import Memory

_FILE = DATA / "knowledge" / "hi_tom.dev.json"
_LINE = re.compile(r"^\d+ (.*)$", re.MULTILINE)
_ENTERED = re.compile(r"(.+) entered the (\w+)\.")
_EXITED = re.compile(r"(\w+) exited the (\w+)\.")
_IS = re.compile(r"The (\w+) is in the (\w+)\.")
_MOVED = re.compile(r"(\w+) moved the (\w+) to the (\w+)\.")
_CLAIMED = re.compile(r"(\w+) publicly claimed that (?:the )?(\w+) is in the (\w+)")
_TOLD = re.compile(r"(\w+) privately told (\w+) that (?:the )?(\w+) is in the (\w+)")
_NAME = re.compile(r"\b[A-Z][a-z]+")
_ASKED = re.compile(r"the (\w+) (?:is|really)\?")
_HALVES = {"looked at": 0, "not looked at": 1}


class Item(NamedTuple):
    """A question about a story, and how the set answers it here and in its other wording."""

    number: int
    wording: str
    story: str
    question: str
    answer: str
    twins: frozenset[str]


def report(quick: bool) -> list[Row]:
    """Measure and print; in a hurry, every tenth story."""
    if not _FILE.exists():
        return no_data("hi_tom", _FILE)
    items = list(_items(json.loads(_FILE.read_text("utf-8"))))
    kept = set(list(dict.fromkeys(item.story for item in items))[:: 10 if quick else 1])
    with story_file() as file, opened(file, WORDS) as memory:
        answers = list(_answers(memory, [item for item in items if item.story in kept]))
    misses = {item.number: miss(item, own) for item, own in answers if own != item.answer}
    rows = list(_rows([item for item, _ in answers], misses))
    title = "Hi-ToM: what people think that people think"
    show(title, rows)
    if rows and not quick:
        record("Hi ToM", __doc__, {title: rows}, list(misses.values()))
    return rows


def _items(given: Sequence[dict[str, Any]]) -> Iterator[Item]:
    answers: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for item in given:
        answers[_lines(item), item["question"]].add(item["answer"])
    for number, item in enumerate(given):
        wording = "after “Read”" if item["story"].startswith("Read") else "plain"
        story, question, own = _lines(item), item["question"], item["answer"]
        yield Item(number, wording, story, question, own, frozenset(answers[story, question] - {own}))


def _answers(memory: Memory, items: Sequence[Item]) -> Iterator[tuple[Item, str]]:
    stories: dict[str, Believers] = {}
    for item in items:
        if item.story not in stories:
            stories[item.story] = Believers(memory, f"Hi-ToM {item.number}", told_in(item.story))
        yield item, answer(stories[item.story], item.question) or ""


def _rows(items: Sequence[Item], misses: Mapping[int, Miss]) -> Iterator[Row]:
    groups: defaultdict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        half = next(name for name, parity in _HALVES.items() if item.number % 2 == parity)
        groups[half, item.wording].append(item)
    for (half, wording), own in sorted(groups.items()):
        missed = [misses[item.number] for item in own if item.number in misses]
        shares = {
            "right": len(own) - len(missed),
            "disputed": sum(bool(item.twins) for item in own),
            "unexplained": sum(not one.why for one in missed),
        }
        figures = {name: 100 * count / len(own) for name, count in shares.items()}
        yield Row(f"{half}, {wording}", len(own), figures)
    # Only over all of them: of two answers to one question, either may be the one that is wrong.
    possible: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for item in items:
        possible[item.story, item.question].append(item.answer)
    most = sum(max(map(given.count, given)) for given in possible.values())
    right = 100 * (len(items) - len(misses)) / len(items)
    yield Row("all", len(items), {"right": right, "at most": 100 * most / len(items)})


def miss(item: Item, ours: str) -> Miss:
    """An item that was answered otherwise, with what in the set speaks against its answer."""
    chain, thing = _asked(item.question)
    told = [one for one in told_in(item.story) if one.thing == thing]
    shared = [one.where for one in told if isinstance(one, Sight) and {*chain} <= {*one.seen_by}]
    if item.answer not in {one.where for one in told}:
        why = f"the {thing} never was there, nor did anybody say so"
    elif ours in item.twins:
        why = "the set's other wording has our answer to the same question"
    elif item.answer in shared and shared[-1] != item.answer:
        why = f"all of them saw the {thing} moved from there to the {shared[-1]}"
    elif item.twins:
        why = f"the set's other wording says {', '.join(sorted(item.twins))}"
    else:
        why = ""
    return Miss(f"{item.number}, {item.wording}, {len(chain)} deep", item.answer, ours, why)


def _lines(item: dict[str, Any]) -> str:
    return "\n".join(_LINE.findall(item["story"]))


def answer(story: Believers, question: str) -> str | None:
    """Where the asked chain thinks the thing is."""
    return story.where(*_asked(question))


def _asked(question: str) -> tuple[list[str], str]:
    """Who thinks that who thinks, and of which thing."""
    thing = _ASKED.search(question)
    return [name for name in _NAME.findall(question) if name != "Where"], thing[1] if thing else ""


def told_in(story: str) -> list[Sight | Claim]:
    """The sights and claims of a story."""
    return list(_told(story))


def _told(story: str) -> Iterator[Sight | Claim]:
    room: dict[str, str] = {}
    things: dict[str, tuple[str, str]] = {}
    left: dict[str, int] = {}
    entered = ""
    for number, line in enumerate(story.split("\n")):
        if found := _ENTERED.match(line):
            entered = found[2]
            people = _NAME.findall(found[1])
            room |= dict.fromkeys(people, entered)
            for thing, (where, own) in things.items():
                if own == entered:
                    yield Sight(thing, where, _inside(room, entered))
        elif found := _EXITED.match(line):
            room.pop(found[1], None)
            left[found[1]] = number
        elif found := _IS.match(line):
            things[found[1]] = found[2], entered
            yield Sight(found[1], found[2], _inside(room, entered))
        elif found := _MOVED.match(line):
            own = room[found[1]]
            things[found[2]] = found[3], own
            yield Sight(found[2], found[3], _inside(room, own))
        elif found := _CLAIMED.match(line):
            hearers = tuple(name for name in left if name != found[1])
            yield Claim(found[2], found[3], found[1], hearers, _believers(left, found[1], hearers))
        elif found := _TOLD.match(line):
            yield Claim(found[3], found[4], found[1], (found[2],), _believers(left, found[1], (found[2],)))


def _inside(room: dict[str, str], own: str) -> tuple[str, ...]:
    return tuple(name for name, where in room.items() if where == own)


def _believers(left: dict[str, int], speaker: str, hearers: Sequence[str]) -> frozenset[str]:
    """Those who left before the speaker did."""
    return frozenset(name for name in hearers if left.get(name, 0) < left.get(speaker, 0))
