"""A story as the retrieval asks about it: what is known without reading is what reading would say."""

from __future__ import annotations

import random

import pytest

from fabula.context.audience import ModelView
from fabula.context.drafts import Drawn, PartialList
from fabula.context.story_world import StoryWorld
from fabula.memory import Memory
from fabula.projections.meaning import NO_MEANING
from fabula.story_memory import StoryMemory

WORDS = ["甲君", "乙君", "君山", "甲君山", "丙", "丙楼", "Rose", "Rose Hall"]
LEVELS = ["when_detected", "when_detected", "always", "manual_only", "never"]


def texts(memory: Memory, story: StoryMemory, instant: int | None) -> dict[str, tuple[str, str]]:
    """Of everybody's text what the world gives, and what is left of it when it is read."""
    call = memory.call()
    with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
        ear = ModelView(reader, index, instant)
        world = StoryWorld(ear, NO_MEANING)
        plain = index.words(reader).text_of
        return {
            key: (world.text_of(slot), ear.redaction.blanked(plain(slot)))
            for key, slot in index.roster.slot_of.items()
        }


class Author:
    """Somebody who changes a story at random, and never asks what stands in it."""

    def __init__(self, story: StoryMemory, seed: int) -> None:
        self.story, self.chance, self.ids = story, random.Random(seed), list[str]()

    def write(self) -> None:
        does = self.chance.choice(
            [self.begins, self.begins, self.renames, self.rewrites, self.ends, self.adds]
        )
        does()

    def begins(self) -> None:
        free = [word for word in WORDS if word not in self.names()]
        if free:
            since = {"chapter": self.chance.randint(0, 4)} if self.chance.random() < 0.3 else None
            entity = self.story.entity.create(
                type="character",
                name=self.chance.choice(free),
                description=self.prose(),
                ai_context_level=self.chance.choice(LEVELS),
                since=since,
            )
            self.ids.append(entity.id)

    def renames(self) -> None:
        free = [word for word in WORDS if word not in self.names()]
        if self.ids and free:
            self.patch(name=self.chance.choice(free), aliases=[self.chance.choice(WORDS)])

    def rewrites(self) -> None:
        if self.ids:
            self.patch(description=self.prose(), ai_context_level=self.chance.choice(LEVELS))

    def ends(self) -> None:
        if len(self.ids) > 4:
            self.story.entity.delete(id=self.ids.pop(self.chance.randrange(len(self.ids))))

    def adds(self) -> None:
        key = f"key{self.chance.randrange(10**9)}"
        keywords, level = [self.chance.choice(WORDS)], self.chance.choice(LEVELS)
        self.story.entry(key, "条目。", category="custom", keywords=keywords, ai_context_level=level)

    def patch(self, **fields: object) -> None:
        known = self.story.entity.read(id=self.chance.choice(self.ids))
        self.story.entity.update(id=known.id, expected_version=known.version, patch=fields)

    def names(self) -> set[str]:
        return {entity.name for entity in self.story.entity.list(limit=100).items}

    def prose(self) -> str:
        said = [f"{self.chance.choice(WORDS)}见了{self.chance.choice(WORDS)}" for _ in range(4)]
        return f"{'。'.join(said)}。".replace("Rose", self.chance.choice(["Rose", "rose"]))


@pytest.mark.long
@pytest.mark.parametrize("seed", [3, 6, 10, 16])
def test_texts_are_blanked_as_if_each_were_read(memory: Memory, story: StoryMemory, seed: int) -> None:
    author, blanked = Author(story, seed), 0
    for _ in range(25):
        author.write()
        for instant in (None, 2 << 20):
            for given, read in texts(memory, story, instant).values():
                assert given == read
                blanked += "    " in given
    assert blanked


def test_a_rose_is_not_somebody_called_rose(memory: Memory, story: StoryMemory) -> None:
    rose = story.entity.create(type="character", name="Rose")
    flower = story.entity.create(type="item", name="flower", description="It was a rose.")
    friend = story.entity.create(type="character", name="Ann", description="She knew Rose.")
    call = memory.call()
    with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
        slots = index.roster.slot_of
        assert index.mentions(reader).namers_of(slots[rose.id]) == [slots[friend.id]]
        assert not index.mentions(reader).named_by(slots[flower.id])


def test_names_do_not_go_on_from_one_text_to_the_next(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="character", name="Ann Lee")
    for name, said in (("one", "This is Ann"), ("two", "Lee is here"), ("three", "Ann"), ("four", "Lee")):
        story.entity.create(type="item", name=name, description=said)
    call = memory.call()
    with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
        mentions = index.mentions(reader)
        assert not any(mentions.named_by(slot) for slot in index.roster.slot_of.values())


def test_of_a_long_list_no_more_is_made_than_somebody_looks_at() -> None:
    made: list[int] = []

    def odd(number: int) -> int | None:
        made.append(number)
        return number if number % 2 else None

    drawn: Drawn[int, int] = Drawn(PartialList(range(100)), odd)
    assert drawn[:3] == [1, 3, 5]
    assert made == list(range(6))
    assert (drawn[1], drawn[-1], len(drawn)) == (3, 99, 50)
    assert list(drawn) == list(range(1, 100, 2))
    assert made == list(range(100))
