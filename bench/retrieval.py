"""Questions to a story with events, a manuscript and vectors, in-process, each part in a process of its own.

- *first* is a process that has done nothing yet: from opening the file to the first answer of
  `knowledge:query:retrieve`, and what that leaves in memory.
- *retrieve* asks new questions of a story that is open; *search* is the search field; *events* and
  *companions* ask for everything of one person.
- *assembly* and *typing* are those of the contexts, at the end of this story.
- *after a scene* asks right after a scene was saved.
- *novel* writes a novel of a million characters scene by scene, then asks.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench.measure import Figures, Results, Series, figure, once, timed
from bench.plan import STORY
from bench.processes import found_by
from bench.retrieval_world import CHAPTERS, LIMITS, Manuscript, Told, people_of, told
from bench.world import SEED, World
from fabula.llm.local_embedder import LocalEmbedder
from fabula.memory import Memory
from fabula.operations.context import assemble_context
from fabula.operations.search.embedding import embed_story
from fabula.operations.search.search import search_story

RETRIEVE, SEARCH, ASSEMBLY, TYPING = "retrieve", "search", "assembly", "typing"
AFTER_SCENE, EVENTS, COMPANIONS = "retrieve right after a scene was saved", "all events of", "companions of"
FIRST, NOVEL, EMBEDDING = "first retrieve", "novel of a million characters", "embedding"
WORDS, VECTORS = "words", "vectors"
LANGUAGES = {"zh": "Chinese", "en": "English"}
NOVEL_LENGTH, QUICK_NOVEL = 1_000_000, 100_000
NOVEL_PEOPLE = 500
SCENES_SAVED = 20
KEYS = 150


def measure(size: int, *, quick: bool) -> Results:
    """Everything at one size."""
    told(size)
    pace = "quick" if quick else "full"
    results: Results = {}
    for way in (WORDS, VECTORS):
        results[f"{FIRST}, {way}"] = found_by("bench.retrieval", "first", str(size), way)
        results |= found_by("bench.retrieval", "again", str(size), way, pace)
    return results | found_by("bench.retrieval", "saved", str(size), pace)


def measure_novel(*, quick: bool) -> Results:
    """What does not depend on a size: a novel that is written, and the embedder."""
    found: Results = found_by("bench.retrieval", "novel", str(QUICK_NOVEL if quick else NOVEL_LENGTH))
    return found


def _opened(db: Path, way: str) -> Memory:
    return Memory(db, limits=LIMITS, vectors_by=LocalEmbedder() if way == VECTORS else None)


def _asker(memory: Memory) -> Callable[[str], Any]:
    def ask(query: str) -> Any:
        return memory.answer("knowledge:query:retrieve", {"projectId": STORY, "query": query})

    return ask


def _first(known: Told, way: str) -> Figures:
    before = _rss()
    cpu, began = time.process_time(), time.perf_counter()
    memory = _opened(known.db, way)
    ask = _asker(memory)
    ask(known.questions["named"][0])
    found: Figures = {
        "seconds": figure(time.perf_counter() - began),
        "cpu_seconds": figure(time.process_time() - cpu),
        "rss_before_mb": before,
        "rss_mb": _rss(),
    }
    for questions in known.questions.values():
        for question in questions[::4]:
            ask(question)
    return {**found, "rss_after_questions_mb": _rss(), "peak_rss_mb": _peak()}


def _again(known: Told, way: str, quick: bool) -> Results:
    results: Results = {}
    share = 3 if quick else 1
    with _opened(known.db, way) as memory:
        ask = _asker(memory)
        for questions in known.questions.values():
            for question in questions[:10]:
                ask(question)
        for kind, questions in known.questions.items():
            results[f"{RETRIEVE}, {kind}, {way}"] = timed(
                questions[10::share],
                ask,
                sizes=lambda a: {"entities": len(a.entities), "events": len(a.events)},
                seconds=30,
            )
        results[f"{SEARCH}, {way}"] = _search(memory, known, share)
        results |= _contexts(memory, known, way, 2 if quick else 5)
        if way == VECTORS:
            results |= _events(memory, known)
    return results


def _search(memory: Memory, known: Told, share: int) -> Figures:
    """Names, words and questions in turn."""
    asked = [known.questions[kind][number] for number in range(30, 60) for kind in ("named", "unnamed")]
    names = [question.split("最近")[0].split("'s ")[0][:12] for question in known.questions["named"][60:90]]

    def search(query: str) -> Any:
        return search_story(memory.call(), project_id=STORY, q=query)

    for query in names[:5]:
        search(query)
    return timed([*asked, *names][::share], search, sizes=lambda a: {"hits": len(a.items)}, seconds=30)


def _contexts(memory: Memory, known: Told, way: str, rounds: int) -> Results:
    def assemble(text: str) -> Any:
        request = {"chapter": CHAPTERS, "scene": 0, "text": text}
        return assemble_context(memory.call(), project_id=STORY, **request)

    results: Results = {}
    for text in known.texts:
        assemble(text.text)
    for code, language in LANGUAGES.items():
        own = [text for text in known.texts if text.language == code]
        results[f"{ASSEMBLY}, {language}, {way}"] = timed(
            [text.text for text in own] * rounds,
            assemble,
            sizes=lambda a: {"tokens": a.estimated_tokens, "recollections": len(a.recollections)},
            seconds=30,
        )
        typing = Series()
        for text in own[:rounds]:
            assemble(text.text)
            for typed in text.typed():
                typing.time(assemble, typed)
        results[f"{TYPING}, {language}, {way}"] = typing.figures()
        for name, grown in (("key by key", _key_by_key), ("sentence by sentence", _sentence_by_sentence)):
            growing = Series()
            for text in own[:rounds]:
                for typed in grown(text.text):
                    growing.time(assemble, typed)
            results[f"{TYPING} {name}, {language}, {way}"] = growing.figures()
    return results


def _key_by_key(text: str) -> Iterator[str]:
    """The text as its last characters are typed."""
    return (text[:end] for end in range(len(text) - KEYS, len(text)))


def _sentence_by_sentence(text: str) -> Iterator[str]:
    """The text as it grows by its last sentences: what it brings to mind is another thing each time."""
    ends = [place + 1 for place, character in enumerate(text) if character in "。."]
    return (text[:end] for end in ends[-20:])


def _events(memory: Memory, known: Told) -> Results:
    results: Results = {}
    for name, ids in (("heroes", known.heroes), ("others", known.others[:60])):
        for what, channel in ((EVENTS, "knowledge:event:list"), (COMPANIONS, "knowledge:event:companions")):
            fields = (lambda key: {"filter": {"entityId": key}}) if what == EVENTS else _entity

            def ask(key: str, channel: str = channel, fields: Any = fields) -> Any:
                return memory.answer(channel, {"projectId": STORY, **fields(key)})

            ask(ids[0])
            results[f"{what} {name}"] = timed(ids, ask, sizes=lambda a: {"items": len(a.items)})
    return results


def _entity(key: str) -> dict[str, str]:
    return {"entityId": key}


def _saved(known: Told, quick: bool) -> Results:
    results: Results = {}
    with _copied(known.db) as db:
        for way in (WORDS, VECTORS):
            with _opened(db, way) as memory:
                results[f"{AFTER_SCENE}, {way}"] = _after_scenes(memory, known, SCENES_SAVED // (1 + quick))
    return results


def _after_scenes(memory: Memory, known: Told, count: int) -> Figures:
    """The last scene of the story is saved again and again, as an editor does, and a question asked."""
    ask, series = _asker(memory), Series()
    story = memory.story("", id=STORY)
    for question in known.questions["named"]:
        ask(question)
    for number, question in enumerate(known.questions["named"][:count]):
        text = known.questions["600 characters"][number % 3] + question
        story.scene(CHAPTERS, 0, text)
        series.time(ask, question)
    return series.figures()


@contextmanager
def _copied(db: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        yield Path(shutil.copy(db, folder))


def _novel(length: int) -> Results:
    """Scenes one by one through the API, the first question, the vectors, the first question with them."""
    world = World(NOVEL_PEOPLE)
    manuscript = Manuscript(world, people_of(world))
    rng = random.Random(f"novel:{SEED}")
    scenes = [manuscript.scene(rng, "zh", 2_500) for _ in range(length // 2_500)]
    question = f"{people_of(world)[0]['name']}最近做了什么？"
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        db = Path(folder) / "fabula.db"
        with Memory(db, limits=LIMITS) as memory:
            payload = {"projectId": STORY, "entities": world.entities, "relations": world.relations}
            memory.answer("knowledge:batch:upsert", payload)
            story = memory.story("", id=STORY)

            def write() -> None:
                for number, text in enumerate(scenes):
                    story.scene(number // 4, number % 4, text)

            _, writing = once(write)
            _, first = once(lambda: _asker(memory)(question))
        with _opened(db, VECTORS) as memory:
            embedded = [0]

            def report(done: int, total: int) -> bool:
                embedded[0] = total
                return True

            _, embedding = once(lambda: embed_story(memory.call(), STORY, report))
            _, with_vectors = once(lambda: _asker(memory)(question))
    whole = {key: figure(writing[key] + first[key]) for key in writing}
    size = sum(map(len, scenes))
    return {
        NOVEL: {**whole, "characters": size, "scenes": len(scenes)},
        f"{NOVEL}: writing": writing,
        f"{NOVEL}: first retrieve": first,
        f"{NOVEL}: vectors": {**embedding, "texts": embedded[0]},
        f"{NOVEL}: first retrieve with vectors": with_vectors,
        EMBEDDING: _embedder(scenes),
    }


def _embedder(scenes: list[str]) -> Figures:
    """The built-in embedder by itself, on texts as long as passages."""
    texts = [scene[begin : begin + 300] for scene in scenes[:100] for begin in range(0, len(scene), 300)]
    embedder = LocalEmbedder()
    embedder.embed(texts[:1], kind="document")
    _, found = once(lambda: embedder.embed(texts, kind="document"))
    return {
        **found,
        "texts_per_cpu_second": figure(len(texts) / found["cpu_seconds"]),
        "characters_per_cpu_second": figure(sum(map(len, texts)) / found["cpu_seconds"]),
    }


def _rss() -> float:
    return figure(psutil.Process().memory_info().rss / 1e6)


def _peak() -> float:
    import resource

    return figure(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


def main(part: str, size: str, *given: str) -> None:
    """One part, told on the standard output."""
    quick = "quick" in given
    if part == "novel":
        found: Any = _novel(int(size))
    elif part == "first":
        found = _first(told(int(size)), given[0])
    elif part == "again":
        found = _again(told(int(size)), given[0], quick)
    else:
        found = _saved(told(int(size)), quick)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
