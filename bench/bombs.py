"""Hostile inputs, each beside an ordinary one of the same size in the same run: time, and memory.

A bomb is a row of `BOMBS`: what is done with an input, a hostile input of about so many characters, and an
ordinary one. Each side is done in a process of its own, the quickest of some counts; a refusal is an answer.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Figures, figure, once
from bench.novel import generated
from bench.report import RESULTS, markdown, number
from bench.retrieval_report import show

NAME = "bombs"
# Against the ordinary input of the same size; told, never asserted.
MOST_TIMES = 20
# Less than so many MB is no growth.
LEAST_MB = 8.0
ROUNDS = 3
COLUMNS = ["bomb", "characters", "outcome", "seconds", "ordinary", "times", "MB", "ordinary", "times", ""]


class Bomb(NamedTuple):
    """What is done, with how much of what, and what is ordinary beside it."""

    name: str
    size: int
    do: Callable[[Any], object]
    hostile: Callable[[int], Any]
    ordinary: Callable[[int], Any]


def repeated(unit: str) -> Callable[[int], str]:
    """A text of nothing but this."""
    return lambda size: unit * (size // len(unit))


def headings(count: int, body: str = "他走了。") -> Callable[[int], str]:
    """A novel of so many chapters with hardly a text."""
    return lambda _: "".join(f"第{number}章\n{body}\n" for number in range(1, count + 1))


def take_apart(text: str) -> object:
    """What a look at a file costs."""
    from fabula.formats.novel import novel_of
    from fabula.formats.novel_prose import prose

    return novel_of(prose(text))


def import_and_read(text: str) -> object:
    """What an import costs to its end."""
    from fabula.memory import Memory
    from fabula.operations.manuscript.novel_import import ImportNovelRequest, import_novel

    with (
        tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder,
        Memory(Path(folder) / "fabula.db") as memory,
    ):
        call = memory.call()
        story = import_novel(call, ImportNovelRequest(text=text, title="bomb"))
        call.jobs.crew.run_due()
        assert call.jobs.job(str(story.task_id)).status == "done"
        return story


class Lore(NamedTuple):
    """The keywords of some entries, and a text in which they may stand."""

    entries: list[tuple[str, ...]]
    text: str


def nested(unit: str, count: int = 120) -> Callable[[int], Lore]:
    """One entry whose keywords each contain all shorter ones, and a text of nothing else."""
    return lambda size: Lore([tuple(unit * number for number in range(1, count + 1))], repeated(unit)(size))


def shared(word: str, count: int = 300) -> Callable[[int], Lore]:
    """Many entries with one keyword, and a text of nothing else."""
    return lambda size: Lore([(word,)] * count, repeated(f"{word} ")(size))


def named(word: str, count: int = 120) -> Callable[[int], Lore]:
    """One entry with as many keywords as people write, and a text in which one stands now and then."""
    words = tuple(f"{word}{number}" for number in range(count))
    return lambda size: Lore(
        [words], repeated(f"There was {words[7]} here, and nobody else in sight. ")(size)
    )


def told_of(lore: Lore) -> object:
    """What a context costs in a story with these entries."""
    from fabula.canon.entry_values import LorebookEntryCreate
    from fabula.memory import Memory
    from fabula.operations.context import assemble_context
    from fabula.operations.lorebook.entries import create_entry

    with (
        tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder,
        Memory(Path(folder) / "fabula.db") as memory,
    ):
        story = memory.story("bomb", language="en")
        for number, words in enumerate(lore.entries):
            name = f"entry {number}"
            fields = {"entry_key": name, "display_name": name, "content": "x", "category": "custom"}
            create_entry(
                memory.call(), project_id=story.id, entry=LorebookEntryCreate(**fields, keywords=words)
            )
        request = {"chapter": 0, "scene": 0, "text": lore.text, "with_messages": False}
        return assemble_context(memory.call(), project_id=story.id, **request)


def redacted(text: str) -> object:
    """What it costs an agent to read a scene of a story in which Salt is hidden."""
    from fabula.memory import Memory
    from fabula.operations.agents.scenes import told_scene

    with (
        tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder,
        Memory(Path(folder) / "fabula.db") as memory,
    ):
        story = memory.story("bomb", language="en")
        story.entity.create(type="character", name="Salt", ai_context_level="never")
        story.entity.create(type="character", name="Bo")
        story.scene(0, 0, text)
        return told_scene(memory.call(), project_id=story.id, chapter=0, scene=0)


BOMBS = (
    Bomb("keywords inside each other, 40 kB", 40_000, told_of, nested("a "), named("cat")),
    Bomb("keywords inside each other, 1.9 MB", 1_900_000, told_of, nested("a "), named("cat")),
    Bomb("keywords inside each other in Chinese", 400_000, told_of, nested("天"), named("天地")),
    Bomb("a keyword that 300 entries share", 40_000, told_of, shared("a"), named("cat")),
    Bomb(
        "a secret in every sentence, 192 kB",
        192_000,
        redacted,
        repeated("Bo a Salt c. "),
        repeated("Bo a Tom c. "),
    ),
    Bomb(
        "a secret in every sentence, 900 kB",
        900_000,
        redacted,
        repeated("Bo a Salt c. "),
        repeated("Bo a Tom c. "),
    ),
    Bomb("a secret and no end of a sentence", 900_000, redacted, repeated("Salt\n"), repeated("Tom\n")),
    Bomb("novel: 200,000 headings", 2_700_000, take_apart, headings(200_000), generated),
    Bomb("novel: nothing but line ends", 2_000_000, take_apart, repeated("\n"), generated),
    Bomb("novel: a number on every line", 2_000_000, take_apart, repeated("1\n\n"), generated),
    Bomb("novel: a break after every sign", 2_000_000, take_apart, repeated("灯\n***\n"), generated),
    Bomb("novel: as many headings as may be, read", 240_000, import_and_read, headings(19_999), generated),
)


def measure(*, quick: bool) -> list[dict[str, Any]]:
    """Every bomb and its ordinary side."""
    return [
        {
            "bomb": bomb.name,
            "hostile": _side(place, is_hostile=True, quick=quick),
            "ordinary": _side(place, is_hostile=False, quick=quick),
        }
        for place, bomb in enumerate(BOMBS)
    ]


def _side(place: int, *, is_hostile: bool, quick: bool) -> dict[str, Any]:
    samples = []
    for _ in range(1 if quick else ROUNDS):
        with multiprocessing.get_context("spawn").Pool(1) as one:
            samples.append(one.apply(_done, (place, is_hostile)))
    return min(samples, key=lambda sample: float(sample["cpu_seconds"]))


def _done(place: int, is_hostile: bool) -> dict[str, Any]:
    from fabula.errors import FabulaError

    bomb = BOMBS[place]
    bomb.do(bomb.ordinary(2_000))  # what is loaded once is no cost of an input
    given = (bomb.hostile if is_hostile else bomb.ordinary)(bomb.size)
    before = _peak()
    outcome = "done"

    def do() -> None:
        nonlocal outcome
        try:
            bomb.do(given)
        except FabulaError as error:
            outcome = error.code

    figures: Figures
    _, figures = once(do)
    size = len(given) if isinstance(given, str) else bomb.size
    return {"characters": size, "outcome": outcome, **figures, "mb": figure(_peak() - before)}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _row(found: dict[str, Any]) -> list[str]:
    hostile, ordinary = found["hostile"], found["ordinary"]
    times = hostile["cpu_seconds"] / max(ordinary["cpu_seconds"], 1e-3)
    more = max(hostile["mb"], LEAST_MB) / max(ordinary["mb"], LEAST_MB)
    return [
        found["bomb"],
        f"{hostile['characters']:,}",
        hostile["outcome"],
        number(hostile["cpu_seconds"]),
        number(ordinary["cpu_seconds"]),
        f"{number(times)} ×",
        number(hostile["mb"]),
        number(ordinary["mb"]),
        f"{number(more)} ×",
        "met" if max(times, more) <= MOST_TIMES else "not met",
    ]


def report(found: list[dict[str, Any]], name: str | None, note: str) -> None:
    """Print the figures, and keep them under a name."""
    rows = [_row(one) for one in found]
    show([(f"Hostile inputs; aim: at most {MOST_TIMES} × an ordinary one of their size", COLUMNS, rows)])
    if name is None:
        return
    RESULTS.mkdir(exist_ok=True)
    about = {"python": platform.python_version(), "processors": os.cpu_count(), "note": note}
    kept = json.dumps({"about": about, "found": found}, ensure_ascii=False, indent=1)
    (RESULTS / f"{name}.json").write_text(kept + "\n", "utf-8")
    page = [
        "# Hostile inputs, measured",
        f"Python {about['python']}, {about['processors']} processors. {note}".strip(),
        "Each beside an ordinary input of the same size in the same run: seconds of the processor, and by how"
        f" many MB the process grew. The aim is at most {MOST_TIMES} times as much. A code is a refusal.",
        markdown(COLUMNS, rows),
    ]
    (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")
