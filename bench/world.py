"""A made-up world of any size, the same for the same seed; small worlds are the beginning of large ones.

N entities and 4N relations: three of four are local (to somebody at most 50 places away), one of four goes
to a hub, drawn with Zipf's law (exponent 0.9) over all entities.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bench.vocabulary import Language, Vocabulary, Zipf

SEED = 20
NEAR = 50
TEXT_LENGTH = 10_000
MENTIONS = 60
MENTIONED_AMONG = 500
TYPES = ("character", "character", "character", "location", "item", "faction", "event", "concept")
RELATION_TYPES = ("ally", "enemy", "parent", "sibling", "belongs_to", "owns", "located_at", "knows", "rivals")
_ATTRIBUTES = {
    "zh": ("身份", "年龄", "兵器", "出身", "心愿", "性情"),
    "en": ("role", "age", "weapon", "origin", "wish", "temper"),
}


@dataclass(frozen=True)
class Passage:
    """A text, its language, and whom it mentions by name."""

    language: Language
    text: str
    mentioned: tuple[str, ...]


class World:
    """Entities and relations as a client would send them."""

    def __init__(self, size: int, seed: int = SEED) -> None:
        self.size = size
        self.seed = seed
        self._languages = {"zh": Vocabulary("zh", seed), "en": Vocabulary("en", seed)}
        self._rng = random.Random(f"entities:{seed}")
        self._named: set[tuple[str, str]] = set()
        self.entities = [self._entity(number) for number in range(size)]

    @cached_property
    def relations(self) -> list[dict[str, Any]]:
        """Four relations for every entity."""
        rng = random.Random(f"relations:{self.seed}:{self.size}")
        zipf = Zipf(self.size, 0.9)
        hubs = list(range(self.size))
        rng.shuffle(hubs)
        seen: set[tuple[int, int, str]] = set()
        relations: list[dict[str, Any]] = []
        while len(relations) < 4 * self.size:
            source = rng.randrange(self.size)
            if rng.random() < 0.75:
                target = source + rng.choice((-1, 1)) * rng.randint(1, NEAR)
            else:
                target = hubs[zipf.draw(rng)]
            word = rng.choice(RELATION_TYPES)
            if not 0 <= target < self.size or target == source or (source, target, word) in seen:
                continue
            seen.add((source, target, word))
            relations.append(self._relation(rng, len(relations), source, target, word))
        return relations

    @cached_property
    def degrees(self) -> Counter[str]:
        """How many relations each entity has."""
        ends = ("sourceEntityId", "targetEntityId")
        return Counter(relation[end] for relation in self.relations for end in ends)

    def vocabulary(self, language: Language) -> Vocabulary:
        """The words of a language, as the world uses them."""
        return self._languages[language]

    def more_entities(self, count: int) -> list[dict[str, Any]]:
        """Entities that the world does not hold yet."""
        return [self._entity(self.size + number) for number in range(count)]

    def passages(self, count: int) -> list[Passage]:
        """Texts of 10,000 characters, in turn Chinese and English, the same at every size of the world."""
        return [self._passage(number) for number in range(count)]

    def _entity(self, number: int) -> dict[str, Any]:
        rng = self._rng
        language: Language = "zh" if number % 2 == 0 else "en"
        words = self._languages[language]
        kind = rng.choice(TYPES)
        name = words.name(rng, kind == "location")
        while (kind, name) in self._named:
            name = words.name(rng, kind == "location")
        self._named.add((kind, name))
        keys = rng.sample(_ATTRIBUTES[language], rng.randint(0, 4))
        return {
            "id": f"e{number:06d}",
            "type": kind,
            "name": name,
            "description": words.prose(rng, rng.randint(30, 120)),
            "attributes": {
                key: rng.randint(8, 90) if key in ("年龄", "age") else words.word(rng) for key in keys
            },
            "aliases": [words.name(rng, False) for _ in range(rng.choice((0, 0, 1, 1, 2)))],
            "significance": round(rng.random(), 3),
        }

    def _relation(
        self, rng: random.Random, number: int, source: int, target: int, word: str
    ) -> dict[str, Any]:
        words = self._languages["zh" if source % 2 == 0 else "en"]
        relation: dict[str, Any] = {
            "id": f"r{number:07d}",
            "sourceEntityId": f"e{source:06d}",
            "targetEntityId": f"e{target:06d}",
            "relationType": word,
        }
        if rng.random() < 0.3:
            relation["description"] = words.prose(rng, rng.randint(15, 40))
        if rng.random() < 0.1:
            relation["since"] = {"chapter": rng.randint(0, 200), "scene": rng.randint(0, 9)}
        return relation

    def _passage(self, number: int) -> Passage:
        rng = random.Random(f"passage:{self.seed}:{number}")
        language: Language = "zh" if number % 2 == 0 else "en"
        own = self.entities[: min(self.size, MENTIONED_AMONG)][number % 2 :: 2]
        mentioned = rng.sample(own, min(MENTIONS, len(own)))
        sentences = []
        length = 0
        while length < TEXT_LENGTH - 14 * MENTIONS:
            sentences.append(self._languages[language].sentence(rng))
            length += len(sentences[-1])
        gap = " " if language == "en" else ""
        for place, entity in zip(rng.sample(range(len(sentences)), len(mentioned)), mentioned, strict=True):
            sentences[place] = f"{entity['name']}{gap}{sentences[place]}"
        text = "".join(sentences)
        text += self._languages[language].prose(rng, max(0, TEXT_LENGTH - len(text)))
        names = tuple(entity["id"] for entity in mentioned if entity["name"] in text[:TEXT_LENGTH])
        return Passage(language, text[:TEXT_LENGTH], names)
