"""The stories that are asked about, made once for each size and kept in bench/.cache.

To the world of the contexts come as many events as it has entities, each with three to five people, and a
manuscript of 300 chapters, in turn Chinese and English, with two passages for every five entities. Who has
many relations takes part in many events (Zipf's law): heroes are hubs. Every text has its vector.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.plan import STORY
from bench.scenes import CACHE, Text, scenes
from bench.vocabulary import Language, Zipf
from bench.world import SEED, World
from fabula.canon.step import Step, write
from fabula.index.passages import passages
from fabula.llm.local_embedder import LocalEmbedder
from fabula.memory import Memory
from fabula.model.event import EventRole, blank_event
from fabula.model.manuscript import Scene, ScenePlan, word_count
from fabula.model.story import Limits
from fabula.operations.search.embedding import embed_story

# Slow answers are to be measured, not refused.
LIMITS = Limits(max_entities=120_000, max_relations=240_000, query_timeout_ms=600_000)
CHAPTERS = 300
PASSAGES = 0.4
SCENE_LENGTH = (1_000, 3_000)
PEOPLE = (3, 4, 5)
CAST = (3, 4, 5, 6)
HEROES = 20
ASKED = 120
EXCERPT = 600

QUESTIONS: dict[str, dict[Language, tuple[str, ...]]] = {
    "named": {
        "zh": ("{name}最近做了什么？", "{name}的敌人是谁？", "{name}和谁有来往？"),
        "en": ("What did {name} do lately?", "Who is {name}'s enemy?", "Whom does {name} know?"),
    },
    "two hops": {
        "zh": ("{name}的盟友的敌人是谁？", "{name}的父亲的兄弟在哪里？"),
        "en": ("Who is the enemy of {name}'s ally?", "Where is the brother of {name}'s father?"),
    },
}


@dataclass(frozen=True)
class Told:
    """A story on disk, how much it holds, and what to ask of it."""

    db: Path
    size: int
    held: dict[str, int]
    questions: dict[str, list[str]]
    heroes: list[str]
    others: list[str]
    texts: tuple[Text, ...]


def told(size: int) -> Told:
    """The story of a size, made if it is not there."""
    folder = CACHE / f"retrieval-{size}-{_recipe()}"
    if not (folder / "story.json").exists():
        before = scenes(size)
        print(f"{size:,} entities: making the story, once", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="making-", dir=CACHE) as making:
            shutil.copy(before.db, making)
            _make(size, Path(making))
            shutil.copytree(making, folder)
    known = json.loads((folder / "story.json").read_text("utf-8"))
    return Told(folder / "fabula.db", size, texts=scenes(size).texts, **known)


def _recipe() -> str:
    names = ("retrieval_world.py", "scenes.py", "world.py", "vocabulary.py")
    return hashlib.sha256(b"".join((Path(__file__).parent / n).read_bytes() for n in names)).hexdigest()[:8]


class Manuscript:
    """Texts in which the people of a world turn up, the heroes most often."""

    def __init__(self, world: World, people: list[dict[str, Any]]) -> None:
        self._world, self._people = world, people
        self._zipf = Zipf(len(people), 0.9)

    def cast(self, rng: random.Random, size: int) -> list[dict[str, Any]]:
        """Different people, the heroes most likely."""
        found: dict[int, None] = {}
        while len(found) < min(size, len(self._people)):
            found[self._zipf.draw(rng)] = None
        return [self._people[number] for number in found]

    def scene(self, rng: random.Random, language: Language, length: int) -> str:
        """A text of some paragraphs; in every third sentence somebody is named."""
        words, gap = self._world.vocabulary(language), " " if language == "en" else ""
        cast = self.cast(rng, rng.choice(CAST))
        parts: list[str] = []
        size = 0
        while size < length:
            sentence = words.sentence(rng)
            if rng.random() < 0.33:
                sentence = f"{rng.choice(cast)['name']}{gap}{sentence}"
            parts.append(sentence + ("\n\n" if rng.random() < 0.15 else ""))
            size += len(parts[-1])
        return "".join(parts)[:length].strip()


def people_of(world: World) -> list[dict[str, Any]]:
    """The characters that a model may hear of, those with most relations first."""
    often = world.degrees
    people = [one for one in world.entities if one["type"] == "character"]
    return sorted(people, key=lambda one: (-often[one["id"]], one["id"]))


def _make(size: int, folder: Path) -> None:
    world = World(size)
    people = people_of(world)
    manuscript = Manuscript(world, people)
    events = list(_events(world, manuscript, size))
    written = list(_scenes(manuscript, round(PASSAGES * size)))
    with Memory(folder / "fabula.db", limits=LIMITS, vectors_by=LocalEmbedder()) as memory:
        _keep_events(memory, world, events)
        _keep_scenes(memory, written)
        embed_story(memory.call(), STORY, lambda done, total: True)
    with sqlite3.connect(folder / "fabula.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        counted = "SELECT count(*) FROM"
        held = {
            "entities": connection.execute(f"{counted} kg_entities").fetchone()[0] - len(events),
            "relations": connection.execute(f"{counted} kg_relations").fetchone()[0],
            "events": len(events),
            "roles": sum(len(cast) for _, cast in events),
            "scenes": len(written),
            "characters": sum(len(text) for *_, text in written),
            "passages": sum(len(passages(text)) for *_, text in written),
            "vectors": connection.execute(f"{counted} embeddings").fetchone()[0],
        }
    story = {
        "held": held,
        "questions": _questions(world, manuscript, people),
        "heroes": [one["id"] for one in people[:HEROES]],
        "others": [one["id"] for one in people[HEROES * 5 : HEROES * 50 : 7]],
    }
    (folder / "story.json").write_text(json.dumps(story, ensure_ascii=False), "utf-8")


def _events(world: World, manuscript: Manuscript, count: int) -> Iterator[tuple[dict[str, Any], list[str]]]:
    rng = random.Random(f"events:{SEED}")
    for number in range(count):
        language: Language = "zh" if number % 2 == 0 else "en"
        words = world.vocabulary(language)
        cast = manuscript.cast(rng, rng.choice(PEOPLE))
        event = {
            "id": f"v{number:06d}",
            "type": "event",
            "name": f"{words.word(rng)}{' ' if language == 'en' else ''}{words.word(rng)} {number}",
            "description": words.prose(rng, rng.randint(30, 120)),
            "significance": round(rng.random() ** 2, 3),
            "since": {"chapter": number * CHAPTERS // count, "scene": rng.randint(0, 9)},
        }
        yield event, [one["id"] for one in cast]


def _keep_events(memory: Memory, world: World, events: list[tuple[dict[str, Any], list[str]]]) -> None:
    memory.answer("knowledge:batch:upsert", {"projectId": STORY, "entities": [event for event, _ in events]})
    names = {entity["id"]: entity["name"] for entity in world.entities}

    def work(step: Step) -> None:
        step.add([blank_event(STORY, event["id"]) for event, _ in events])
        step.add(
            [
                EventRole(
                    id=f"{event['id']}-{ordinal}",
                    project_id=STORY,
                    event_id=event["id"],
                    kind="role",
                    entity_id=person,
                    name=names[person],
                    role="",
                    ordinal=ordinal,
                )
                for event, cast in events
                for ordinal, person in enumerate(cast)
            ]
        )

    write(memory.call(), STORY, "bench", work)


def _scenes(manuscript: Manuscript, count: int) -> Iterator[tuple[int, int, str]]:
    """(chapter, scene, text) until there are so many passages."""
    rng = random.Random(f"manuscript:{SEED}")
    texts: list[str] = []
    cut = 0
    while cut < count:
        language: Language = "zh" if len(texts) % 2 == 0 else "en"
        texts.append(manuscript.scene(rng, language, rng.randint(*SCENE_LENGTH)))
        cut += len(passages(texts[-1]))
    placed: dict[int, int] = {}
    for number, text in enumerate(texts):
        chapter = number * CHAPTERS // len(texts)
        placed[chapter] = placed.get(chapter, -1) + 1
        yield chapter, placed[chapter], text


def _keep_scenes(memory: Memory, written: list[tuple[int, int, str]]) -> None:
    def work(step: Step) -> None:
        step.add(
            [
                Scene.trusted(
                    id=f"s{chapter:04d}-{scene:03d}",
                    project_id=STORY,
                    chapter_index=chapter,
                    scene_index=scene,
                    title="",
                    text=text,
                    word_count=word_count(text),
                    world_time=None,
                    plan=ScenePlan(),
                    version=1,
                    created_at=step.now,
                    updated_at=step.now,
                )
                for chapter, scene, text in written
            ]
        )

    write(memory.call(), STORY, "bench", work)


def _questions(world: World, manuscript: Manuscript, people: list[dict[str, Any]]) -> dict[str, list[str]]:
    """In turn Chinese and English; of the named half are heroes, half anybody."""
    rng = random.Random(f"questions:{SEED}")
    asked: dict[str, list[str]] = {}
    for kind, forms in QUESTIONS.items():
        asked[kind] = []
        for number in range(ASKED):
            language: Language = "zh" if number % 2 == 0 else "en"
            own = [one for one in people if (int(one["id"][1:]) + number) % 2 == 0]
            person = rng.choice(own[:50] if number % 4 < 2 else own)
            asked[kind].append(rng.choice(forms[language]).format(name=person["name"]))
    asked["unnamed"] = [_unnamed(world, rng, number) for number in range(ASKED)]
    asked["600 characters"] = [
        manuscript.scene(rng, "zh" if number % 2 == 0 else "en", EXCERPT) for number in range(ASKED)
    ]
    return asked


def _unnamed(world: World, rng: random.Random, number: int) -> str:
    """Some words out of a description."""
    told_of = rng.choice(world.entities[number % 2 :: 2])["description"]
    if number % 2 == 0:
        return f"谁{told_of[:12].rstrip('，。')}？"
    return f"Who {' '.join(told_of.rstrip('.').split()[:6]).lower()}?"
