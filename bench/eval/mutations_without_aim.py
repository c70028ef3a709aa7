"""Mutations of who has a thing, how old and where somebody is; reported without an aim."""

from __future__ import annotations

import random
from typing import NamedTuple

from bench.eval.table import Row
from fabula.call import Call
from fabula.consistency.linter import Linter
from fabula.model.manuscript import Scene
from fabula.model.relation import Language
from fabula.operations.graph.entities import KnowledgeEntityCreateRequest, create_entity
from fabula.operations.manuscript.manuscript import PutSceneRequest, put_scene

_EACH = 24
# No novel has these.
_THINGS: dict[Language, str] = {"en": "the Tessaly ring {}", "zh": "璇玑令{}"}
_TOWNS: dict[Language, str] = {"en": "Vellmoor {}", "zh": "望舒镇{}"}
_NUMBERS: dict[Language, tuple[str, ...]] = {
    "en": ("twelve", "twenty", "thirty", "forty", "fifty"), "zh": ("十二", "二十", "三十", "四十", "五十"),
}  # fmt: skip
_LETTERS: dict[Language, str] = {
    "en": "ABCDEFGHIJKLMNOPQRSTUVWX",
    "zh": "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地",
}

_HOLDERS_FIRST: dict[Language, tuple[str, ...]] = {
    "en": ("{who} carried {thing}.", "They gave {thing} to {who}.", "{who} wore {thing}."),
    "zh": ("{who}捧着{thing}。", "众人把{thing}交给{who}。", "{who}戴着{thing}。"),
}
_HOLDERS: dict[Language, tuple[str, ...]] = {
    "en": (
        "{who} raised {thing} above the crowd.",
        "{who} looked at {thing} in silence, turning it in the hand.",
        "{who} pulled out {thing}.",
        "In the light one saw {thing} in {who}’s hand.",
        "{who} was wearing {thing} that day.",
    ),
    "zh": (
        "{who}举起{thing}。",
        "{who}从怀里掏出{thing}。",
        "{who}手里的{thing}闪着光。",
        "只见{who}握着{thing}不放。",
        "{thing}正挂在{who}腰间。",
    ),
}
_AGES_FIRST: dict[Language, tuple[str, ...]] = {
    "en": ("{who} was {value} years old.", "{who}, aged {value}, lived there."),
    "zh": ("{who}今年{value}岁。", "{who}年方{value}岁。"),
}
_AGES: dict[Language, tuple[str, ...]] = {
    "en": (
        "{who} was {value} years old then.",
        "{who}, a child of {value}, came in.",
        "At {value} {who} knew nothing of the world.",
        "{who} had just turned {value}.",
    ),
    "zh": (
        "{who}如今{value}岁。",
        "{value}岁的{who}走了进来。",
        "{who}才{value}岁。",
        "{who}刚满{value}岁。",
    ),
}
_PLACES: dict[Language, tuple[str, ...]] = {
    "en": ("{who} was in {place}.", "{who} reached {place}.", "{who} stayed in {place} all day."),
    "zh": ("{who}在{place}。", "{who}来到{place}。", "{who}整天都在{place}。"),
}


class _Planted(NamedTuple):
    """A sentence in a later scene, and whether it contradicts the one in an early scene."""

    kind: str
    scene: tuple[int, int]
    said: str
    is_wrong: bool


def without_aim(call: Call, story_id: str, title: str) -> list[Row]:
    """Plant the sentences, half of them wrong, check the story once, and return recall and precision."""
    chance = random.Random(21)
    with call.store.read() as reader:
        language = reader.story(story_id).language
        scenes = list(reader.manuscript.scenes(story_id))
        with call.indexes.lease(reader, story_id) as index:
            slots = range(len(index.roster.ids))
            people = [one.name for one in index.entities(reader, slots) if one.type == "character"]
    people = [name for name in people if len(name) > 1][: 2 * _EACH]
    texts = {(one.chapter_index, one.scene_index): one.text for one in scenes}
    days: dict[tuple[int, int], float] = {}
    planted = [
        *_holders(call, story_id, scenes, people, language, texts, chance),
        *_ages(scenes, people, language, texts, chance),
        *_places(call, story_id, scenes, people, language, texts, chance, days),
    ]
    for (chapter, scene), text in texts.items():
        own = {"project_id": story_id, "chapter": chapter, "scene": scene, "text": text}
        if (chapter, scene) in days:
            own["world_time"] = {"day": days[chapter, scene]}
        put_scene(call, PutSceneRequest(**own))
    with call.store.read() as reader, call.indexes.lease(reader, story_id) as index:
        linter = Linter(reader, index, language)
        linter.read_all()
        found = {
            (one.rule.id, (one.found.here.chapter, one.found.here.scene), one.found.here.quotation)
            for one in linter.everything()
            if one.found.here is not None
        }
    return [_row(title, kind, planted, found) for kind in ("two-holders", "age", "two-places")]


def _row(title: str, kind: str, planted: list[_Planted], found: set[tuple[str, object, str]]) -> Row:
    hits = false = 0
    own = [one for one in planted if one.kind == kind]
    for one in own:
        is_found = any(
            (rule == kind and place == one.scene and one.said.strip() in said) or said in one.said
            for rule, place, said in found
            if rule == kind and place == one.scene
        )
        hits += is_found and one.is_wrong
        false += is_found and not one.is_wrong
    total = sum(one.is_wrong for one in own)
    figures = {"recall": 100 * hits / max(total, 1), "precision": 100 * hits / max(hits + false, 1)}
    return Row(f"{title} {kind}, no aim", total, figures)


def _early_and_late(scenes: list[Scene], chance: random.Random) -> tuple[tuple[int, int], tuple[int, int]]:
    third = len(scenes) // 3
    early, late = chance.choice(scenes[1:third]), chance.choice(scenes[third:-1])
    return (early.chapter_index, early.scene_index), (late.chapter_index, late.scene_index)


def _add(texts: dict[tuple[int, int], str], place: tuple[int, int], said: str) -> None:
    texts[place] = f"{texts[place]}\n\n{said}"


def _holders(
    call: Call,
    story_id: str,
    scenes: list[Scene],
    people: list[str],
    language: Language,
    texts: dict[tuple[int, int], str],
    chance: random.Random,
) -> list[_Planted]:
    made = []
    for number in range(_EACH):
        thing = _THINGS[language].format(_LETTERS[language][number])
        name = thing.removeprefix("the ")
        create_entity(call, KnowledgeEntityCreateRequest(project_id=story_id, type="item", name=name))
        early, late = _early_and_late(scenes, chance)
        holder, other = chance.sample(people, 2)
        _add(texts, early, chance.choice(_HOLDERS_FIRST[language]).format(who=holder, thing=thing))
        is_wrong = number % 2 == 0
        said = chance.choice(_HOLDERS[language]).format(who=other if is_wrong else holder, thing=thing)
        _add(texts, late, said)
        made.append(_Planted("two-holders", late, said, is_wrong))
    return made


def _ages(
    scenes: list[Scene],
    people: list[str],
    language: Language,
    texts: dict[tuple[int, int], str],
    chance: random.Random,
) -> list[_Planted]:
    made = []
    for number, who in enumerate(people[:_EACH]):
        early, late = _early_and_late(scenes, chance)
        older = chance.randrange(1, len(_NUMBERS[language]))
        values = _NUMBERS[language]
        _add(texts, early, chance.choice(_AGES_FIRST[language]).format(who=who, value=values[older]))
        is_wrong = number % 2 == 0
        value = values[chance.randrange(older)] if is_wrong else values[older]
        said = chance.choice(_AGES[language]).format(who=who, value=value)
        _add(texts, late, said)
        made.append(_Planted("age", late, said, is_wrong))
    return made


def _places(
    call: Call,
    story_id: str,
    scenes: list[Scene],
    people: list[str],
    language: Language,
    texts: dict[tuple[int, int], str],
    chance: random.Random,
    days: dict[tuple[int, int], float],
) -> list[_Planted]:
    towns = [_TOWNS[language].format(_LETTERS[language][number]) for number in range(4)]
    for town in towns:
        create_entity(call, KnowledgeEntityCreateRequest(project_id=story_id, type="location", name=town))
    made = []
    free = [(one.chapter_index, one.scene_index) for one in scenes]
    for number in range(min(_EACH, len(free) // 4)):
        early, late = free[2 * number], free[-2 * number - 1]
        days[early] = days[late] = 10 * number + 0.5
        who, (one, other) = people[number], chance.sample(towns, 2)
        _add(texts, early, chance.choice(_PLACES[language]).format(who=who, place=one))
        is_wrong = number % 2 == 0
        said = chance.choice(_PLACES[language]).format(who=who, place=other if is_wrong else one)
        _add(texts, late, said)
        made.append(_Planted("two-places", late, said, is_wrong))
    return made
