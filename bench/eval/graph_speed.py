"""How long the four stages take in a large story with hubs, without what the world takes to answer them."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Iterable

from bench.eval.graph_world import EventFacts, MemoryWorld, Person
from bench.eval.table import Row, show
from fabula.retrieval.retriever import GraphRetriever

ENTITIES, QUICK_ENTITIES = 50_000, 5_000
KINDS = ("ally", "enemy", "parent", "sibling", "mentors", "owns", "knows", "师父", "belongs_to")
QUESTIONS = ("{}的死对头", "{}的师父是谁", "{}最近做了什么", "{}和谁结了仇")
SURNAMES = "赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜谢苏潘葛范彭鲁韦马方任袁柳唐薛雷贺"


def report(quick: bool) -> list[Row]:
    """Measure and print: questions, and scenes of two thousand characters that name forty."""
    size = QUICK_ENTITIES if quick else ENTITIES
    chance = random.Random(5)
    world = _world(size, chance)
    gc.collect()
    gc.freeze()
    names = [person.name for person in world.people[:size]]
    questions = [chance.choice(QUESTIONS).format(names[_skewed(size, chance)]) for _ in range(100)]
    scenes = ["".join(_scene(names, chance)) for _ in range(50)]
    rows = [_timed("questions", world, questions), _timed("scenes", world, scenes)]
    gc.unfreeze()
    show(f"Retrieval with {size:,} entities, CPU milliseconds", rows)
    return rows


def _skewed(size: int, chance: random.Random) -> int:
    return int(size * chance.random() ** 3)


def _word(chance: random.Random) -> str:
    return "".join(chr(0x4E00 + chance.randrange(3_000)) for _ in range(2))


def _scene(names: list[str], chance: random.Random) -> Iterable[str]:
    for _ in range(40):
        filler = "，".join(_word(chance) for _ in range(12))
        yield f"{names[_skewed(len(names), chance)]}走进屋子。{filler}。\n"


def _world(size: int, chance: random.Random) -> MemoryWorld:
    names = [f"{chance.choice(SURNAMES)}{_word(chance)}" for _ in range(size)]
    people = [
        Person(
            f"{slot:06}",
            name,
            f"{'，'.join(_word(chance) for _ in range(10))}。{names[_skewed(size, chance)]}的朋友。",
        )
        for slot, name in enumerate(names)
    ]
    relations = [
        (_skewed(size, chance), chance.choice(KINDS), chance.randrange(size), ())
        for _ in range(size * 12 // 5)
    ]
    events = {}
    for number in range(size // 5):
        crowd = tuple({_skewed(size, chance) for _ in range(4)})
        events[size + number] = EventFacts(crowd, number, size // 5 - number, chance.random())
        people.append(Person(f"e{number:06}", f"事件{number}", _word(chance)))
    return MemoryWorld(people, [link for link in relations if link[0] != link[2]], events)


def _timed(name: str, world: MemoryWorld, texts: list[str]) -> Row:
    retriever, allowed = GraphRetriever(world), world.everybody()
    taken = []
    for text in texts:
        retriever.retrieve(text, allowed)  # the world keeps what it is asked: looking it up is its own work
        began = time.process_time()
        retriever.retrieve(text, allowed)
        taken.append(1000 * (time.process_time() - began))
    taken.sort()
    figures = {"p50": taken[len(taken) // 2], "p95": taken[int(len(taken) * 0.95)], "max": taken[-1]}
    return Row(name, len(texts), figures)
