"""ToMBench, false beliefs in Chinese and English: answered from the knowledge engine.

Sentences become sights: who is in a room sees where a thing is put, and who sees a label believes it as long
as they have not looked inside. The rules were made on the items with even numbers, which ask three of six
questions; the first figures of the others were 82.7 (zh) and 76.7 (en), for want of what "should" be inside
and of names written in two ways. In English, translations of one word differ between story and options; the
option that shares most words with the answer is taken. `unexplained` counts wrong answers for which the set
gives no reason to doubt its own; the others are listed with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bench.eval.beliefs import Believers, Sight
from bench.eval.product_story import WORDS, opened, story_file
from bench.eval.table import DATA, Miss, Row, no_data, record, show
from fabula.memory import Memory

_FILE = DATA / "knowledge" / "tombench_false_belief.dev.jsonl"
_ANSWER = "答案\nANSWER"
_HALVES = {"looked at": 0, "not looked at": 1}


class _Phrases(NamedTuple):
    """The fixed phrases of one language."""

    together: re.Pattern[str]
    found: re.Pattern[str]
    leaves: re.Pattern[str]
    moves: re.Pattern[str]
    label: re.Pattern[str]
    inside: re.Pattern[str]
    enters: re.Pattern[str]
    after: re.Pattern[str]
    before: re.Pattern[str]


_ZH = _Phrases(
    re.compile(r"^(?P<a>.+?)和(?P<b>.+?)在.+?闲逛"),
    re.compile(r"在(?P<where>[^，]+?)里面发现了(?P<thing>[^，]+)"),
    re.compile(r"，(?P<who>[^，]+?)离开了"),
    re.compile(r"，(?P<who>[^，]+?)把(?P<thing>[^，]+?)移动到了(?P<where>[^，。]+)"),
    re.compile(r"^(?P<who>.+?)在.+?找到了(?P<where>[^，]+?)，.*?标签是(?P<thing>[^，]+)"),
    re.compile(r"打开了(?P<where>[^，]+?)并且找到(?P<thing>[^，]+)"),
    re.compile(r"，(?P<who>[^，]+?)进入了[^，]+?并且看到了"),
    re.compile(r"^.*?之后[，,]\s*"),
    re.compile(r"最初|起初|一开始|原来|原本|之前|应该"),
)
_ARTICLE = r"(?:the |an? |some )?"
_EN = _Phrases(
    re.compile(r"^(?P<a>.+?) and (?P<b>.+?) (?:are )?(?:wander|stroll|walk)\w*"),
    re.compile(
        rf"they (?:find|found|discover) {_ARTICLE}(?P<thing>[^,]+?) (?:in|inside) {_ARTICLE}(?P<where>[^,]+)"
    ),
    re.compile(r", (?P<who>[^,]+?) leaves"),
    re.compile(rf", (?P<who>[^,]+?) moves {_ARTICLE}(?P<thing>[^,]+?) (?:in)?to {_ARTICLE}(?P<where>[^,.]+)"),
    re.compile(
        rf"^(?P<who>.+?) (?:finds|found) {_ARTICLE}(?P<where>[^,]+?) (?:in|on|at) .*?(?:label|"
        rf"tag) on .+? (?:is|says|reads) {_ARTICLE}(?P<thing>[^,]+)"
    ),
    re.compile(rf"opens {_ARTICLE}(?P<where>[^,]+?) and (?:finds|found) {_ARTICLE}(?P<thing>[^,]+)"),
    re.compile(r", (?P<who>[^,]+?) enters [^,]+? and sees"),
    re.compile(r"^(?:after|when|once) .*?, |(?: after| when| once) [^,?]*", re.IGNORECASE),
    re.compile(
        r"\b(?:initially|originally|at first|at the beginning|in the beginning|before|first|should|"
        r"supposed)\b",
        re.IGNORECASE,
    ),
)


class _Language(NamedTuple):
    story: str
    question: str
    option: str
    phrases: _Phrases


_LANGUAGES = {
    "zh": _Language("故事", "问题", "选项", _ZH),
    "en": _Language("STORY", "QUESTION", "OPTION-", _EN),
}


def report(quick: bool) -> list[Row]:
    """Measure and print; in a hurry, every tenth story."""
    if not _FILE.exists():
        return no_data("tombench", _FILE)
    items = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines() if line.strip()]
    stories = list(dict.fromkeys(item[_LANGUAGES["zh"].story] for item in items))[:: 10 if quick else 1]
    kept = {number: item for number, item in enumerate(items) if item[_LANGUAGES["zh"].story] in stories}
    with story_file() as file, opened(file, WORDS) as memory:
        answers = {language: dict(_answers(memory, kept, language)) for language in _LANGUAGES}
    misses = {
        language: {
            number: miss(item, number, language, {own: answers[own][number] for own in _LANGUAGES})
            for number, item in kept.items()
            if _letter(answers[language][number], item, language) != item[_ANSWER]
        }
        for language in _LANGUAGES
    }
    rows = [row for language in _LANGUAGES for row in _rows(language, kept, misses[language])]
    title = "ToMBench: false beliefs"
    show(title, rows)
    if rows and not quick:
        record("ToMBench", __doc__, {title: rows}, [one for own in misses.values() for one in own.values()])
    return rows


def _answers(memory: Memory, items: Mapping[int, dict[str, Any]], language: str) -> Iterator[tuple[int, str]]:
    words = _LANGUAGES[language]
    stories: dict[str, tuple[Believers, list[str], str]] = {}
    for number, item in items.items():
        text = item[words.story]
        if text not in stories:
            told, people, thing = read(text, words.phrases)
            stories[text] = Believers(memory, f"ToMBench {language} {number}", told), people, thing
        yield number, _answer(*stories[text], item[words.question], words.phrases)


def _rows(language: str, items: Mapping[int, dict[str, Any]], misses: Mapping[int, Miss]) -> Iterator[Row]:
    for half, parity in _HALVES.items():
        own = [number for number in items if number % 2 == parity]
        missed = [misses[number] for number in own if number in misses]
        shares = {"right": len(own) - len(missed), "unexplained": sum(not one.why for one in missed)}
        figures = {name: 100 * count / len(own) for name, count in shares.items()}
        yield Row(f"{language}, {half}", len(own), figures)


def _options(item: dict[str, Any], language: str) -> dict[str, str]:
    return {letter: item[f"{_LANGUAGES[language].option}{letter}"] for letter in "ABCD"}


def _letter(answer: str, item: dict[str, Any], language: str) -> str:
    return _choice(answer, _options(item, language))


def miss(item: dict[str, Any], number: int, language: str, answers: Mapping[str, str]) -> Miss:
    """An item that was answered otherwise, with what its other language says against the answer."""
    theirs = _options(item, language)[item[_ANSWER]]
    others = [own for own in answers if own != language and _letter(answers[own], item, own) == item[_ANSWER]]
    words = {option.lower() for option in _options(item, language).values()}
    why = ""
    if others and answers[language].lower() in words:
        own = answers[others[0]]
        why = (
            f"{own} is “{answers[language]}” in the story, and “{theirs}” among the options, where both stand"
        )
    return Miss(f"{number}, {language}", theirs, answers[language], why)


def read(text: str, phrases: _Phrases) -> tuple[list[Sight], list[str], str]:
    """The sights of a story, its people, and the thing that is looked for."""
    if found := phrases.together.search(text):
        people = [found["a"], found["b"]]
        first, left, moved = (
            phrases.found.search(text),
            phrases.leaves.search(text),
            phrases.moves.search(text),
        )
        if not (first and left and moved):
            raise ValueError(text)
        stay = tuple(name for name in people if name != left["who"])
        thing = first["thing"]
        return [Sight(thing, first["where"], (*people,)), Sight(thing, moved["where"], stay)], people, thing
    label, inside, enters = (
        phrases.label.search(text),
        phrases.inside.search(text),
        phrases.enters.search(text),
    )
    if not (label and inside and enters):
        raise ValueError(text)
    people = [label["who"], enters["who"]]
    # A label is believed by who has not looked inside, whenever they read it.
    return (
        [Sight("inside", label["thing"], (*people,)), Sight("inside", inside["thing"], (people[0],))],
        people,
        "inside",
    )


def _answer(story: Believers, people: list[str], thing: str, question: str, phrases: _Phrases) -> str:
    asked = _joined(phrases.after.sub("", question))
    places = sorted((asked.find(_joined(name)), name) for name in people if _joined(name) in asked)
    if phrases.before.search(question) and not places:
        return story.first(thing) or ""
    return story.where([name for _, name in places], thing) or ""


def _joined(text: str) -> str:
    """Xiao Ming is Xiaoming."""
    return text.replace(" ", "").lower()


def _choice(answer: str, options: dict[str, str]) -> str:
    def likeness(option: str) -> tuple[bool, int, int]:
        own, other = answer.lower(), option.lower()
        stems = {word.rstrip("es") for word in own.split()} & {word.rstrip("es") for word in other.split()}
        return own == other, len(stems), -abs(len(own) - len(other))

    return max(options, key=lambda letter: likeness(options[letter]))
