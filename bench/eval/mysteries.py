"""Detective stories asked before they are solved: does the solution come back, and is the clue found?

The set gives each story up to its solution, and the sentence where that begins. A story is imported with that
sentence as its last chapter and the fifth of the text before it as the chapter before that, and asked about
its clues as of the end of the first four fifths, and as of the end of the text: by contexts, by retrieval,
and by search for a model. `later` counts the answers that hold a sentence which the story has only later, in
per cent. `clue` is the share of a clue's words, of those that the story has by then, in the first five
passages; `as cut` the share of questions to which a story that ends there gives the same passages. Beside it
stands plain BM25 over all scenes. Rules were made on the files with even numbers, if any were needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.eval.plain_bm25 import PlainBm25, words_of
from bench.eval.product_story import WORDS, opened, retrieved, story_file
from bench.eval.table import DATA, Row, no_data, record, show
from fabula.memory import Memory
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, import_novel
from fabula.story_memory import StoryMemory

_FOLDER = DATA / "mystery"
_BEFORE = 0.8
_BUDGET = 2_000
_FIRST = 5
_HALVES = {"looked at": 0, "not looked at": 1}
_SENTENCE = re.compile(r"[^.!?\n]{12,}[.!?]")
_COMMON = frozenset(
    re.findall(r"\w+", "the a an of in on at to and or his her him he she it is was by for with")
)
_MARKS = " \"“”‘’'"


class Mystery(NamedTuple):
    """A story in three chapters, the last of which begins the solution, and its clues."""

    chapters: tuple[str, str, str]
    clues: tuple[str, ...]


class _Tally:
    """What was asked, and what came back."""

    def __init__(self) -> None:
        self.answers = self.later = self.clues = self.as_cut = 0
        self.clue_share = 0.0

    def row(self, name: str) -> Row:
        figures = {"later": 100 * self.later / max(1, self.answers)}
        if self.clues:
            figures |= {"clue": 100 * self.clue_share / self.clues, "as cut": 100 * self.as_cut / self.clues}
        return Row(name, self.answers, figures)


def report(quick: bool) -> list[Row]:
    """Measure and print; in a hurry, a few stories."""
    files = sorted(_FOLDER.glob("*.json"))
    if not files:
        return no_data("mysteries", _FOLDER)
    rows = []
    for half, parity in _HALVES.items():
        own = files[parity::2][: 3 if quick else None]
        ours, plain = _Tally(), _Tally()
        for file in own:
            _ask(read(file), ours, plain)
        rows += [plain.row(f"{half}: plain BM25"), ours.row(f"{half}: ours")]
    title = "Detective stories before their solution"
    show(title, rows)
    if rows and not quick:
        record("Mysteries", __doc__, {title: rows})
    return rows


def read(file: Path) -> Mystery:
    """A story of the set."""
    item = json.loads(file.read_text("utf-8"))
    text = item["text"].strip()
    cut = text.find("\n", int(len(text) * _BEFORE))
    cut = cut if cut > 0 else int(len(text) * _BEFORE)
    clues = tuple(dict.fromkeys(item[key] for key in ("essential_clue", "most_salient_clue") if item[key]))
    return Mystery((text[:cut], text[cut:], item["reveal_border_sentence"]), clues)


def _ask(mystery: Mystery, ours: _Tally, plain: _Tally) -> None:
    with story_file() as file, opened(file, WORDS) as memory:
        whole = _imported(memory, mystery.chapters)
        for last in (0, 1):
            cut = _imported(memory, mystery.chapters[: last + 1])
            told = " ".join(map(_flat, mystery.chapters[: last + 1]))
            later = {
                sentence
                for chapter in mystery.chapters[last + 1 :]
                for sentence in _sentences(chapter)
                if sentence not in told
            }
            place = _last_scene(memory, whole, last)
            for clue in mystery.clues:
                _judge(memory, (whole, cut), place, clue, later, told, ours)
            _judge_plain(mystery, last, later, plain)


def _judge(
    memory: Memory,
    stories: tuple[StoryMemory, StoryMemory],
    place: dict[str, int],
    clue: str,
    later: set[str],
    told: str,
    tally: _Tally,
) -> None:
    whole = stories[0]
    found, found_cut = (_passages(memory, story, clue, place) for story in stories)
    searched = whole.ask("search.story", q=clue, as_of=place, audience="model")
    context = whole.context(place["chapter"], place["scene"], clue, token_budget=_BUDGET)
    answers = (
        " ".join(found),
        searched.model_dump_json(),
        "\n".join(message.content for message in context.messages),
    )
    tally.answers += len(answers)
    tally.later += sum(not later.isdisjoint(_sentences(answer)) for answer in answers)
    words = (words_of(clue).keys() & words_of(told).keys()) - _COMMON
    if words:
        tally.clues += 1
        tally.clue_share += len(words & words_of(" ".join(found[:_FIRST])).keys()) / len(words)
        tally.as_cut += found == found_cut


def _judge_plain(mystery: Mystery, last: int, later: set[str], tally: _Tally) -> None:
    scenes = [part for chapter in mystery.chapters for part in _parts(chapter)]
    index = PlainBm25(scenes)
    for clue in mystery.clues:
        tally.answers += 1
        first = " ".join(scenes[one] for one in list(index.best(clue))[:_FIRST])
        tally.later += not later.isdisjoint(_sentences(first))


def _parts(chapter: str) -> Iterator[str]:
    lines = [line for line in chapter.split("\n") if line.strip()]
    for start in range(0, len(lines), 8):
        yield "\n".join(lines[start : start + 8])


def _passages(memory: Memory, story: StoryMemory, query: str, place: dict[str, int]) -> list[str]:
    found = retrieved(memory, story.id, query, asOf=place, maxPassages=10, maxEntities=5, maxEvents=5)
    return [passage.text for passage in found.passages]


def _imported(memory: Memory, chapters: Sequence[str]) -> StoryMemory:
    text = "\n\n".join(f"CHAPTER {number}\n\n{chapter}" for number, chapter in enumerate(chapters, start=1))
    call = memory.call()
    made = import_novel(call, ImportNovelRequest(text=text, title="A case"))
    call.jobs.crew.run(call.jobs.claimed(call, KIND, made.story_id, "", ""))
    return memory.story("A case", id=made.story_id)


def _last_scene(memory: Memory, story: StoryMemory, chapter: int) -> dict[str, int]:
    with memory.call().store.read() as reader:
        headings = reader.manuscript.headings(story.id)
    own: Any = max(one.scene_index for one in headings if one.chapter_index == chapter)
    return {"chapter": chapter, "scene": own}


def _flat(text: str) -> str:
    return " ".join(text.replace("\\n", " ").replace('\\"', '"').split())


def _sentences(text: str) -> set[str]:
    return {sentence.strip(_MARKS) for sentence in _SENTENCE.findall(_flat(text))}
