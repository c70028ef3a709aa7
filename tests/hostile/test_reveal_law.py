"""Before a reveal, the story without the identity gives the same answers through every door."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from doors_for_models import WITHOUT_A_MOMENT, answers
from same_answers import plain

from effort import examples
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

LATER, NOW = 9, (4, 0)
PAIRS = (("Ada Quill", "The Comet"), ("灰衣客", "陶婆婆"), ("Captain Dell", "影舞者"))
OTHERS = ("Jiang Li", "Homeward Tower", "苏瑶", "Brass Key")


class TwoFaces:
    """A story in which two turn out to be one, and everything in it that says so."""

    def __init__(self, memory: Memory, seed: int) -> None:
        self.random = Random(seed)
        self.story: StoryMemory = memory.story(f"Law {seed}", language=self.random.choice(("zh", "en")))
        self.pair = self.random.choice(PAIRS)
        self.people = {
            name: self.story.entity.create(
                type="character",
                name=name,
                description=f"Tall, {number} cubits. Drinks tea.",
                attributes={"eyes": f"grey {number}"},
            )
            for number, name in enumerate((*self.pair, *OTHERS))
        }
        for one, other in zip(self.people, list(self.people)[2:], strict=False):
            self._relate(one, other, "knows", "Since the flood.")
        self.watching = self._relate(OTHERS[0], self.pair[0], "watches", "")
        self.story.event.create(
            name="The flood",
            summary="The river rose.",
            roles=[{"name": name, "role": "witness"} for name in self.people],
        )
        self.story.entry("Weather", "Rain.", category="custom", ai_context_level="always")
        for scene in range(3):
            self.story.scene(0, scene, f"Rain fell on {self.random.choice(list(self.people))}. It was late.")

    def _relate(self, one: str, other: str, kind: str, said: str) -> str:
        ends = {"source_entity_id": self.people[one].id, "target_entity_id": self.people[other].id}
        return str(self.story.relation.create(**ends, relation_type=kind, description=said).id)

    def say_that_they_are_one(self, known_to: list[str] | None = None) -> None:
        """Say it wherever something can be said, and when it comes out."""
        one, other = self.pair
        saying = [
            lambda: self._append(one, f" In truth this is {other}."),
            lambda: self._append(other, f" {one} is the name at day."),
            lambda: self._append(OTHERS[0], f" Knows that {one} is {other}."),
            lambda: self._set(one, {"true name": other}),
            lambda: self._set(OTHERS[1], {"secrets": {one: other}}),
            lambda: self._set(OTHERS[2], {"alike": [one, other]}),
            lambda: self._relate(one, other, "same_as", "The very same."),
            lambda: self.story.relation.update(id=self.watching, patch={"description": f"For {other}."}),
            lambda: self.story.state.create(
                entity_id=self.people[one].id, description=f"Dressed as {other}.", attributes={}
            ),
        ]
        for say in self.random.sample(saying, self.random.randint(3, len(saying))):
            say()
        ids = [self.people[name].id for name in self.pair]
        self.story.reveal.create(entity_ids=ids, at={"chapter": LATER}, known_to=known_to)

    def _append(self, name: str, said: str) -> None:
        known = self.story.entity.read(id=self.people[name].id)
        patch = {"description": known.description + said}
        self.story.entity.update(id=known.id, expected_version=known.version, patch=patch)

    def _set(self, name: str, more: dict[str, Any]) -> None:
        known = self.story.entity.read(id=self.people[name].id)
        patch = {"attributes": {**known.attributes, **more}}
        self.story.entity.update(id=known.id, expected_version=known.version, patch=patch)


Asked = list[tuple[str, Any]]


def _asked(memory: Memory, told: TwoFaces, now: tuple[int, int], pov: str | None = None) -> Asked:
    said = answers(memory, told.story.id, list(told.people), "Who is tall?", now, pov=pov)
    return [(door, plain(answer)) for door, answer in said]


def _refuse_difference(without: Asked, said: Asked, what: str) -> None:
    assert [door for door, _ in without] == [door for door, _ in said]
    for (door, before), (_, after) in zip(without, said, strict=True):
        if door not in WITHOUT_A_MOMENT:
            assert after == before, f"{what}, {door}"


@pytest.mark.parametrize("seed", range(1, 1 + examples(12)))
def test_before_the_reveal_the_story_without_the_identity_gives_the_same_answers(
    memory: Memory, seed: int
) -> None:
    told = TwoFaces(memory, seed)
    pov = (None, OTHERS[seed % len(OTHERS)], told.pair[seed % 2])[seed % 3]
    without = _asked(memory, told, NOW, pov)
    told.say_that_they_are_one()
    _refuse_difference(without, _asked(memory, told, NOW, pov), f"seed {seed}, seen by {pov}")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 1 + examples(6)))
def test_who_does_not_learn_it_goes_on_seeing_two(memory: Memory, seed: int) -> None:
    told = TwoFaces(memory, seed)
    now, pov = (LATER, 1), OTHERS[seed % len(OTHERS)]
    before = _asked(memory, told, now, pov)
    knows = OTHERS[(seed + 1) % len(OTHERS)]
    told.say_that_they_are_one(known_to=[told.people[knows].id])
    after = _asked(memory, told, now, pov)
    _refuse_difference(before, after, f"seed {seed}, seen by {pov}")
    assert dict(_asked(memory, told, now, knows))["list_entities"] != dict(after)["list_entities"]


@pytest.mark.parametrize("seed", range(1, 1 + examples(4)))
def test_the_answers_differ_once_it_is_out(memory: Memory, seed: int) -> None:
    told = TwoFaces(memory, seed)
    before = dict(_asked(memory, told, (LATER, 0)))
    told.say_that_they_are_one()
    after = dict(_asked(memory, told, (LATER, 0)))
    assert before["list_entities"] != after["list_entities"]


@pytest.mark.parametrize("audience", ["author", "model"])
@pytest.mark.parametrize("asked", ["mask", "Ada Quill", "The Comet", "tall behind"])
def test_no_search_as_somebody_shows_a_sentence_that_joins_them_before(
    memory: Memory, audience: str, asked: str
) -> None:
    story = memory.story("Two faces", language="en")
    ada, comet, _ = (
        story.entity.create(type="character", name=name) for name in ("Ada Quill", "The Comet", "Jiang Li")
    )
    story.scene(0, 0, "Rain fell. Ada Quill was The Comet, tall behind the mask. Jiang Li slept.")
    story.entry("Mask", "The mask of Ada Quill belongs to The Comet. It is tall.", category="custom")
    story.reveal.create(entity_ids=[ada.id, comet.id], at={"chapter": LATER})
    search = {"audience": audience, "pov": "Jiang Li"}
    for hit in story.search(asked, as_of={"chapter": 4}, **search).items:
        assert not ("Ada" in hit.snippet and "Comet" in hit.snippet)
    later = story.search(asked, as_of={"chapter": LATER}, **search).items
    assert any("Ada" in hit.snippet and "Comet" in hit.snippet for hit in later)
