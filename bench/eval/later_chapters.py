"""Whole novels asked as of their chapters: does a context hold a word of a later chapter?

A novel is imported as people do it. For scenes spread over the book, a context of 4,000 tokens is made; what
is told besides the scene's own text is searched for names that the book uses only later, and for sentences
that it has only later, wherever their lines are broken. Any is one too many. Beside it stands the same with
`datedByAppearance` off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.eval.product_story import WORDS, opened, story_file
from bench.eval.table import DATA, Row, no_data, record, show
from fabula.memory import Memory
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, import_novel
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory

_NOVELS = {
    "红楼梦": "chinese_novels",
    "西游记": "chinese_novels",
    "anna_karenina_chapters": "english_novels",
    "les_miserables": "english_novels",
}
_CONTEXTS = 100
_BUDGET = 4_000
# Shorter sentences are said more than once in a book.
_SENTENCE = re.compile(r"[^。！？.!?\n]{12,}[。！？.!?]")
_TITLE = re.compile(r"\b(M|Mr|Mrs|Mme|Mlle|Dr|St)\.")
_MARKS = ' "“”‘’「」'


def report(quick: bool) -> list[Row]:
    """Measure and print; in a hurry, one novel and fewer scenes."""
    rows: list[Row] = []
    for title, folder in list(_NOVELS.items())[: 1 if quick else None]:
        files = sorted((DATA / folder / title).glob("*.txt"))
        rows += _novel(title, files, 20 if quick else _CONTEXTS) if files else no_data(title, DATA / folder)
    title = "A word of later chapters in a context"
    show(title, rows)
    if rows and not quick:
        record("Later chapters", __doc__, {title: rows})
    return rows


def _novel(title: str, files: Sequence[Path], wanted: int) -> Iterator[Row]:
    text = "\n\n".join(file.read_text("utf-8") for file in files)
    with story_file() as file, opened(file, WORDS) as memory:
        call = memory.call()
        made = import_novel(call, ImportNovelRequest(text=text, title=title))
        call.jobs.crew.run(call.jobs.claimed(call, KIND, made.story_id, "", ""))
        story = memory.story(title, id=made.story_id)
        yield Row(f"{title}, off", wanted, _slips(memory, story, wanted, is_dated=False))
        yield Row(title, wanted, _slips(memory, story, wanted, is_dated=True))


def _slips(memory: Memory, story: StoryMemory, wanted: int, *, is_dated: bool) -> dict[str, float]:
    patch = StoryPatch(settings={"datedByAppearance": is_dated})
    update_story(memory.call(), project_id=story.id, patch=patch)
    with memory.call().store.read() as reader:
        headings = reader.manuscript.headings(story.id)
        scenes = [
            reader.manuscript.scene(story.id, heading.chapter_index, heading.scene_index)
            for heading in headings
        ]
    written = [scene.text for scene in scenes if scene is not None]
    texts = list(map(_unbroken, written))
    names = {
        name
        for entity in story.entity.list(limit=5_000).items
        for name in (entity.name, *entity.aliases)
        if len(name) > 1
    }
    first = {name: next((n for n, text in enumerate(written) if name in text), len(texts)) for name in names}
    said_in: dict[str, int] = {}
    for number, text in enumerate(texts):
        for sentence in _SENTENCE.findall(text):
            said_in.setdefault(sentence.strip(_MARKS), number)
    slipped_names = slipped_sentences = tokens = 0
    places = range(0, len(texts), max(1, len(texts) // wanted))[:wanted]
    for place in places:
        heading = headings[place]
        found = story.context(heading.chapter_index, heading.scene_index, token_budget=_BUDGET)
        told = "\n".join(message.content for message in found.messages if message.role == "system")
        tokens += found.estimated_tokens
        slipped_names += sum(first[name] > place and _is_said(name, told) for name in names)
        told_before = " ".join(texts[: place + 1])
        slipped_sentences += sum(
            said_in.get(one, 0) > place and one not in told_before
            for one in (sentence.strip(_MARKS) for sentence in _SENTENCE.findall(_unbroken(told)))
        )
    return {
        "names": float(slipped_names),
        "sentences": float(slipped_sentences),
        "tokens": tokens / max(1, len(places)),
    }


def _is_said(name: str, told: str) -> bool:
    if not name.isascii():
        return name in told
    return re.search(rf"\b{re.escape(name)}\b", told) is not None


def _unbroken(text: str) -> str:
    """A text whose lines end where paragraphs do, and in which a title does not end a sentence."""
    text = _TITLE.sub(r"\1", text)
    return re.sub(r"(?<=\S)[^\S\n]*\n(?=\S)", " " if text.isascii() or " " in text[:400] else "", text)
