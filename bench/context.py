"""The context for a scene of 10,000 characters, in-process, each part in a process of its own.

- *again* asks for texts that were asked for before, so what the index keeps of the story is in memory.
- *typing* asks for one text again and again with another sentence changed each time.
- *mentions* is what an editor asks for to underline names.
- *first* is a process that has done nothing yet: from opening the file to the first context, and what that
  leaves in memory.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import psutil

from bench.asking import LIMITS
from bench.measure import Figures, Results, Series, figure, timed
from bench.plan import STORY
from bench.processes import found_by
from bench.scenes import CHAPTER, SCENE, Scenes, Text, scenes
from fabula.assembly.context import AssembledContext
from fabula.assembly.sections.lore import LoreFragment
from fabula.memory import Memory
from fabula.operations.context import assemble_context
from fabula.operations.manuscript.mentions import FindMentionsResponse, find_mentions

ASSEMBLY = "assembly"
TYPING = "typing"
MENTIONS = "mentions"
FIRST = "first context"
LANGUAGES = {"zh": "Chinese", "en": "English"}
ROUNDS = 5
QUICK_ROUNDS = 2


def measure(size: int, *, quick: bool) -> Results:
    """Everything at one size."""
    scenes(size)
    results: Results = {FIRST: found_by("bench.context", "first", str(size))}
    results |= found_by("bench.context", "again", str(size), "quick" if quick else "full")
    return results


def _first(known: Scenes) -> Figures:
    before = _rss()
    cpu, began = time.process_time(), time.perf_counter()
    memory = Memory(known.db, limits=LIMITS)
    request = {"chapter": CHAPTER, "scene": SCENE, "text": known.texts[0].text}
    assemble_context(memory.call(), project_id=STORY, **request)
    told: Figures = {
        "seconds": figure(time.perf_counter() - began),
        "cpu_seconds": figure(time.process_time() - cpu),
        "rss_before_mb": before,
        "rss_mb": _rss(),
    }
    for text in known.texts:
        assemble_context(memory.call(), project_id=STORY, chapter=CHAPTER, scene=SCENE, text=text.text)
    told["rss_after_all_texts_mb"] = _rss()
    return told


def _again(known: Scenes, rounds: int) -> Results:
    results: Results = {}
    with Memory(known.db, limits=LIMITS) as memory:

        def assemble(text: str) -> AssembledContext:
            request = {"chapter": CHAPTER, "scene": SCENE, "text": text}
            return assemble_context(memory.call(), project_id=STORY, **request)

        def mention(text: str) -> FindMentionsResponse:
            return find_mentions(memory.call(), project_id=STORY, text=text)

        for text in known.texts:
            assemble(text.text)
        for code, language in LANGUAGES.items():
            own = [text for text in known.texts if text.language == code]
            results[f"{ASSEMBLY}, {language}"] = _asked(own, assemble, rounds)
            results[f"{TYPING}, {language}"] = _typing(own, assemble, rounds)
            results[f"{MENTIONS}, {language}"] = timed(
                [text.text for text in own] * rounds,
                mention,
                sizes=lambda found: {"hits": len(found.items)},
            )
    return results


def _asked(own: list[Text], assemble: Callable[[str], AssembledContext], rounds: int) -> Figures:
    series = Series()
    for _ in range(rounds):
        for text in own:
            answer = series.time(assemble, text.text)
            mentioned = set(text.mentioned)
            told = {piece.entity_id for piece in _fragments(answer)}
            series.note(
                tokens=answer.estimated_tokens,
                detected=sum(1 for item in answer.trace if item.kind == "entry"),
                relations=sum(1 for item in answer.trace if item.kind == "relation"),
                told=len(told),
                mentioned_told=len(told & mentioned),
            )
    return series.figures()


def _typing(own: list[Text], assemble: Callable[[str], AssembledContext], rounds: int) -> Figures:
    series = Series()
    for text in own[:rounds]:
        assemble(text.text)
        for typed in text.typed():
            series.time(assemble, typed)
    return series.figures()


def _fragments(answer: AssembledContext) -> tuple[LoreFragment, ...]:
    return (*answer.system_prompt_entries, *answer.before_scene_entries, *answer.after_scene_entries)


def _rss() -> float:
    return figure(psutil.Process().memory_info().rss / 1e6)


def main(part: str, size: str, pace: str = "full") -> None:
    """One part, told on the standard output."""
    known = scenes(int(size))
    if part == "first":
        print(json.dumps(_first(known)))
    else:
        print(json.dumps(_again(known, QUICK_ROUNDS if pace == "quick" else ROUNDS)))


if __name__ == "__main__":
    main(*sys.argv[1:])
