"""Search beside a plain scan of everything: what a scan finds, a search finds, after every kind of change."""

from __future__ import annotations

import random
import re

import pytest

from fabula.memory import Memory
from fabula.model.names import name_key
from fabula.story_memory import StoryMemory

HAN = "剑火山河舟灯雾钟塔铃海风雪夜城门桥马刀酒的不在有人"
LATIN = ("QX-17", "lamp", "Tower", "b2", "harbour", "grey", "Ann", "X9Z")
MOST = 100


def words(rng: random.Random, size: int) -> str:
    parts = [
        rng.choice(LATIN) if rng.random() < 0.2 else "".join(rng.choices(HAN, k=rng.randint(1, 4)))
        for _ in range(size)
    ]
    return "，".join(parts)


def fill(story: StoryMemory, rng: random.Random) -> None:
    for number in range(60):
        name = f"{''.join(rng.choices(HAN, k=2))}{number:02d}{rng.choice(('', 'ab'))}"
        story.entity.create(
            type="character", name=name, aliases=[f"{words(rng, 1)}{number}"], description=words(rng, 6)
        )
    for number in range(15):
        story.entry(f"规{number:02d}{rng.choice(HAN)}", words(rng, 8), keywords=[f"{words(rng, 1)}k{number}"])


def change(story: StoryMemory, rng: random.Random) -> None:
    held = story.entity.list(limit=200).items
    for entity in rng.sample(held, 12):
        if rng.random() < 0.4:
            story.entity.delete(id=entity.id)
        else:
            patch = {"name": f"{entity.name}改{rng.choice(HAN)}", "description": words(rng, 6)}
            story.entity.update(id=entity.id, expected_version=entity.version, patch=patch)
    story.history.undo()
    story.entry(f"新规{rng.random()}", words(rng, 8))


def asked(story: StoryMemory, rng: random.Random) -> set[str]:
    """Parts of names, pairs of characters and whole Latin words of texts."""
    found: set[str] = set()
    for entity in rng.sample(story.entity.list(limit=200).items, 20):
        start = rng.randrange(len(entity.name) - 1)
        found.add(entity.name[start : start + rng.randint(1, 3)])
        han = [m.group()[:2] for m in re.finditer(r"[一-龥]{2,}", entity.description)]
        found.update(rng.sample(han, min(2, len(han))))
        found.update(word for word in LATIN if word in entity.description and "-" not in word)
    return {part for part in found if part.strip()}


def holds(text: str, part: str) -> bool:
    """Whether a text has the part: two characters anywhere, a Latin word as a word."""
    if re.fullmatch(r"[一-龥]{2}", part):
        return part in text
    word = rf"(?<![^\W_一-龥]){re.escape(name_key(part))}(?![^\W_一-龥])"
    return part in LATIN and re.search(word, name_key(text)) is not None


@pytest.mark.long
def test_what_a_plain_scan_finds_is_found(memory: Memory) -> None:
    rng = random.Random(17)
    story = memory.story("灯塔", language="zh")
    fill(story, rng)
    for _ in range(4):
        entities = story.entity.list(limit=200).items
        entries = story.lorebook.entry.list(size=200).items
        for part in sorted(asked(story, rng)):
            key = name_key(part)
            found = {hit.id for hit in story.search(part, limit=MOST).items}
            wanted = {
                one.id
                for one in entities
                if any(key in name_key(name) for name in (one.name, *one.aliases))
                or holds(one.description, part)
            }
            wanted |= {
                one.id
                for one in entries
                if one.entity_id is None
                and key in name_key("\n".join((one.entry_key, *one.keywords, one.content)))
            }
            assert len(wanted) <= MOST
            assert wanted <= found, (part, wanted - found)
        change(story, rng)


@pytest.mark.long
def test_search_and_retrieve_give_passages_in_one_order(memory: Memory) -> None:
    rng = random.Random(18)
    story = memory.story("灯塔", language="zh")
    for chapter in range(6):
        for scene in range(3):
            story.scene(chapter, scene, "。\n\n".join(words(rng, 60) for _ in range(3)) + "。")
    for _ in range(20):
        question = words(rng, rng.randint(1, 5))
        for limit in (3, 10, 40):
            hits = story.search(question, kinds=["passage"], limit=limit).items
            told = story.query.retrieve(query=question, max_passages=limit).passages
            assert [(h.chapter, h.scene, h.start) for h in hits] == [
                (p.chapter, p.scene, p.start) for p in told
            ]
            assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
