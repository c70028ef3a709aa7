"""The worlds that contexts are assembled for, made once for each size and kept in bench/.cache.

To the world of the other measurements come an entry with three keywords for every entity, twenty entities
that are always told and some that never are, or not yet, and summaries of the scenes before. The texts are
the same at every size: 10,000 characters, in turn Chinese and English, that speak of the same 60 entities,
half of them by a keyword.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.asking import LIMITS
from bench.plan import STORY
from bench.vocabulary import Language
from bench.world import SEED, Passage, World
from fabula.memory import Memory
from fabula.operations.lorebook.bulk import MAX_IMPORT, ImportEntriesRequest, import_entries
from fabula.operations.manuscript.manuscript import put_snapshot

CACHE = Path(__file__).parent / ".cache"
TEXTS = 20
EDITS = 30
ENDS = {"zh": "。", "en": ". "}
ALWAYS = 20
KEYWORDS = 3
CHAPTER, SCENE = 40, 2
SNAPSHOTS = 12
ON_STAGE = 6


@dataclass(frozen=True)
class Text:
    """A scene as it is written, whom it speaks of, and what its author does next: sentences put elsewhere."""

    language: str
    text: str
    mentioned: tuple[str, ...]
    edits: tuple[tuple[int, str], ...]

    def typed(self) -> Iterator[str]:
        """The text after each edit, which changes one sentence."""
        end = ENDS[self.language]
        parts = self.text.split(end)
        for place, sentence in self.edits:
            parts[place] = sentence
            yield end.join(parts)


@dataclass(frozen=True)
class Scenes:
    """A world on disk and the texts to ask with."""

    db: Path
    size: int
    keywords: int
    texts: tuple[Text, ...]


def scenes(size: int) -> Scenes:
    """The world of a size, made if it is not there."""
    folder = CACHE / f"scenes-{size}-{_recipe()}"
    told = folder / "scenes.json"
    if not told.exists():
        print(f"{size:,} entities: making the world, once", file=sys.stderr, flush=True)
        CACHE.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="making-", dir=CACHE) as making:
            _make(size, Path(making))
            shutil.copytree(making, folder)
    known = json.loads(told.read_text("utf-8"))
    texts = tuple(Text(**text) for text in known["texts"])
    return Scenes(folder / "fabula.db", size, known["keywords"], texts)


def _recipe() -> str:
    """Changes with what worlds are made of; the schema is brought up to date when a world is opened."""
    sources = (Path(__file__).parent / name for name in ("scenes.py", "world.py", "vocabulary.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:8]


def _make(size: int, folder: Path) -> None:
    world = World(size)
    rng = random.Random(f"keywords:{SEED}")
    keywords = {entity["id"]: _keywords(world, rng, number) for number, entity in enumerate(world.entities)}
    _set_levels(world)
    texts = [_text(world, passage, keywords, number) for number, passage in enumerate(world.passages(TEXTS))]
    with Memory(folder / "fabula.db", limits=LIMITS) as memory:
        world_payload = {"projectId": STORY, "entities": world.entities, "relations": world.relations}
        memory.answer("knowledge:batch:upsert", world_payload)
        rng = random.Random(f"entries:{SEED}")
        entries = [_entry(entity, keywords[entity["id"]], rng) for entity in world.entities]
        for start in range(0, size, MAX_IMPORT):
            request = {"entries": entries[start : start + MAX_IMPORT]}
            import_entries(memory.call(), ImportEntriesRequest(project_id=STORY, **dict(request)))
        for number in range(SNAPSHOTS):
            put_snapshot(
                memory.call(),
                project_id=STORY,
                **_snapshot(world, number),
            )
    with sqlite3.connect(folder / "fabula.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        kept = connection.execute("SELECT sum(json_array_length(keywords_json)) FROM lorebook_entries")
        (count,) = kept.fetchone()
    (folder / "scenes.json").write_text(
        json.dumps({"keywords": count, "texts": [asdict(text) for text in texts]}, ensure_ascii=False),
        "utf-8",
    )


def _set_levels(world: World) -> None:
    """Twenty are always told; of a hundred 2 never are, 2 only if asked for, 5 from some time on."""
    rng = random.Random(f"levels:{SEED}")
    for entity in world.entities:
        drawn = rng.random()
        if drawn < 0.04:
            entity["aiContextLevel"] = "never" if drawn < 0.02 else "manual_only"
        elif drawn < 0.09:
            entity["since"] = {"chapter": rng.randint(0, 2 * CHAPTER)}
    for entity in random.Random(f"always:{SEED}").sample(world.entities[:500], ALWAYS):
        entity["aiContextLevel"] = "always"


def _keywords(world: World, rng: random.Random, number: int) -> list[str]:
    """Three words of three or more characters: two would stand in a Chinese text by chance too often."""
    words = world.vocabulary("zh" if number % 2 == 0 else "en")
    found: dict[str, None] = {}
    while len(found) < KEYWORDS:
        word = words.name(rng, False)
        if len(word) > 2:
            found[word] = None
    return list(found)


def _entry(entity: dict[str, Any], keywords: list[str], rng: random.Random) -> dict[str, Any]:
    return {
        "entryKey": entity["name"],
        "category": entity["type"],
        "content": entity["description"],
        "keywords": keywords,
        "priority": rng.choice((0, 0, 0, 5, 10)),
        "tokenBudget": rng.choice((60, 200, 500)),
        "insertionPosition": rng.choice(("system_prompt", "before_scene", "before_scene", "after_scene")),
    }


def _snapshot(world: World, number: int) -> dict[str, Any]:
    """The last scenes before the one that is asked for."""
    rng = random.Random(f"snapshot:{SEED}:{number}")
    words = world.vocabulary("zh")
    people = rng.sample(world.entities[:500:2], ON_STAGE)
    return {
        "chapterIndex": CHAPTER - 1 - number // 4,
        "sceneIndex": 3 - number % 4,
        "summary": "".join(f"{person['name']}{words.sentence(rng)}" for person in people),
        "activeCharacters": [
            {"name": person["name"], "currentState": words.sentence(rng), "emotionalState": words.word(rng)}
            for person in people
        ],
    }


def _text(world: World, passage: Passage, keywords: dict[str, list[str]], number: int) -> Text:
    rng = random.Random(f"text:{SEED}:{number}")
    names = {entity["id"]: entity["name"] for entity in world.entities[:500]}
    text = passage.text
    for key in passage.mentioned[::2]:
        text = text.replace(names[key], rng.choice(keywords[key]), 1)
    return Text(
        passage.language, text, passage.mentioned, tuple(_edits(world, passage.language, text, number))
    )


def _edits(world: World, language: Language, text: str, number: int) -> Iterator[tuple[int, str]]:
    """One sentence changed each time, somewhere in the second half; each third time it names somebody."""
    rng = random.Random(f"edits:{SEED}:{number}")
    words = world.vocabulary(language)
    count = len(text.split(ENDS[language]))
    for edit in range(EDITS):
        sentence = words.sentence(rng).removesuffix(ENDS[language])
        if edit % 3 == 0:
            sentence = f"{rng.choice(world.entities[:500])['name']} {sentence}"
        yield rng.randrange(count // 2, count - 1), sentence
