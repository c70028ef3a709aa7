"""Threads on detective stories: planted at the clue, paid where the solution begins.

Each story is cut into scenes, and the solution begins a scene. A thread is planted at the sentence before it
that shares the most words with the clue that readers were given, and paid by the solution's first sentence.
When the solution is about to be written, the thread must be open and stand in the context, and afterwards it
must be paid and gone from it. The texts end where the solution begins, of which only the first sentence is
given: no context before it may have that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.eval.table import DATA, Row, no_data, show
from fabula.assembly.prose import sentences
from fabula.memory import Memory
from fabula.model.moment import Moment

FOLDER = DATA / "mystery"
SCENE = 6_000
_WORD = re.compile(r"[a-z]{4,}")


def report(quick: bool) -> list[Row]:
    """Measure and print."""
    files = sorted(FOLDER.glob("*.json"))
    if not files:
        return no_data("threads", FOLDER)
    rows = []
    for name, own in (("seen", files[0::2]), ("unseen", files[1::2])):
        counts: Counter[str] = Counter()
        for path in own[:4] if quick else own:
            counts += _of_story(json.loads(path.read_text()))
        names = ("open before", "in the context", "paid after", "gone after", "contexts", "leaks")
        rows.append(Row(f"mysteries, {name}", counts["stories"], {one: counts[one] for one in names}))
    show("Threads on detective stories", rows)
    return rows


def _of_story(told: dict[str, Any]) -> Counter[str]:
    counts: Counter[str] = Counter()
    text = " ".join(told["text"].split())
    first = " ".join(told["reveal_border_sentence"].split())
    before, solution = list(_scenes(text)), [first]
    plant = _clue(before, f"{told['essential_clue']} {told['most_salient_clue']}")
    with TemporaryDirectory() as folder, Memory(Path(folder) / "story.db") as memory:
        story = memory.story(told["title"], language="en")
        saved = [
            story.scene(0, number, words) for number, words in enumerate((*before, *solution, "The end."))
        ]
        where, words = plant
        thread = story.thread.create(
            title=f"The question of {told['title']}",
            kind="mystery",
            plants=[{"scene_id": saved[where].id, "quotation": words}],
            due={"chapter": 0, "scene": len(before)},
        )
        payoff = {"scene_id": saved[len(before)].id, "quotation": first}
        story.thread.mark(id=thread.id, role="payoffs", **payoff)
        counts["stories"] += 1
        for number in range(len(before) + 1):
            made = story.context(0, number, "", token_budget=8_000)
            said = " ".join(" ".join(message.content.split()) for message in made.messages)
            counts["contexts"] += 1
            counts["leaks"] += first in said
        item = next((one for one in made.trace if one.id == thread.id and one.included), None)
        counts["in the context"] += item is not None and words in said
        counts["open before"] += _status(story, len(before) - 1) == "open"
        counts["paid after"] += _status(story, len(before)) == "paid"
        later = story.context(0, len(before) + 1, "", token_budget=8_000)
        counts["gone after"] += all(one.id != thread.id for one in later.trace)
    return counts


def _status(story: Any, scene: int) -> str:
    (thread,) = story.thread.list(as_of=Moment(chapter=0, scene=scene)).items
    # It is due in the chapter of the solution, which in these stories is the only one.
    return "open" if thread.status in ("open", "due", "overdue") else str(thread.status.value)


def _scenes(text: str) -> Iterator[str]:
    """Cut a text into scenes of whole sentences."""
    start = 0
    for _, end in sentences(text):
        if end - start >= SCENE or end >= len(text):
            yield text[start:end]
            start = end
    if text[start:].strip():
        yield text[start:]


def _clue(scenes: list[str], clue: str) -> tuple[int, str]:
    """Return the scene and the sentence that share the most words with a clue."""
    wanted = set(_WORD.findall(clue.lower()))
    found = [
        (len(wanted & set(_WORD.findall(scene[start:end].lower()))), -number, scene[start:end].strip())
        for number, scene in enumerate(scenes)
        for start, end in sentences(scene)
    ]
    _, number, words = max(found)
    return -number, words
