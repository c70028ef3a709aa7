"""Random stories full of private facts, each with a mark that stands nowhere else, and who knows it."""

from __future__ import annotations

from random import Random
from typing import Any

from fabula.memory import Memory
from fabula.model.fact import FactRef
from fabula.operations.evidence import attach_evidence
from fabula.operations.manuscript.manuscript import read_scene

PEOPLE = ("Jiang Li", "Shen Chao", "苏瑶", "林逸", "Ann Grey")
SECRETS = ("Mr Salt", "盐先生", "The Hollow", "影子", "Dr. Brine")
SCENES = 4


class PrivateStory:
    """A story of people with private facts; `facts` has the marks of each."""

    def __init__(self, memory: Memory, seed: int, *, speaks_of_it: bool = True) -> None:
        self.memory, self.random, self._speaks = memory, Random(seed), speaks_of_it
        language = self.random.choice(("zh", "en"))
        self.story = memory.story(f"Private {seed}", language=language)
        self.facts: dict[FactRef, set[str]] = {}
        self.open_marks: set[str] = set()
        self._count = 0
        self._related: set[tuple[str, str]] = set()
        self.people = [
            self.story.entity.create(type="character", name=name, description=self._open())
            for name in self.random.sample(PEOPLE, 4)
        ]
        self.guild = self.story.entity.create(type="faction", name="Salt Guild of the East")
        self._write()
        for _ in range(self.random.randint(3, 7)):
            self.random.choice((self._entity, self._entry, self._relation, self._state, self._event))()
        self._let_know()

    @property
    def id(self) -> str:
        return self.story.id

    def _mark(self) -> str:
        self._count += 1
        return f"zq{self._count:04d}"

    def _open(self) -> str:
        self._count += 1
        mark = f"ok{self._count:04d}"
        self.open_marks.add(mark)
        return f"There is {mark} here."

    def _keep(self, kind: str, one: Any, *marks: str) -> None:
        self.facts[FactRef(kind=kind, id=one.id)] = set(marks)

    def _write(self) -> None:
        for scene in range(SCENES):
            self.story.scene(0, scene, f"{self._open()} {self.people[0].name} waits. {self._open()}")
            on_stage = self.random.sample(self.people, self.random.randint(1, 3))
            cast = [{"name": one.name, "characterId": one.id} for one in on_stage]
            self.story.snapshot(0, scene, self._open(), active_characters=cast)

    def _since(self) -> dict[str, int] | None:
        pick = self.random
        return None if pick.random() < 0.5 else {"chapter": 0, "scene": pick.randrange(SCENES)}

    def _entity(self) -> None:
        name = self.random.choice(SECRETS)
        if any(one.name == name for one in self.story.entity.list().items):
            return
        marks = [self._mark() for _ in range(4)]
        made = self.story.entity.create(
            type=self.random.choice(("character", "location", "item")),
            name=name,
            description=f"{marks[0]}.",
            attributes={"is": marks[1]},
            aliases=[f"{name} {marks[2]}"],
            secrecy="private",
            ai_context_level=self.random.choice(("always", "when_detected")),
        )
        self._keep("entity", made, *marks)
        if not self._speaks:
            return
        open_one = self.random.choice(self.people)
        text = f"{self._open()} {marks[3]} fears {name}."
        self.story.state.create(entity_id=open_one.id, description=text)
        scene = self.random.randrange(SCENES)
        kept = read_scene(self.memory.call(), project_id=self.id, chapter=0, scene=scene)
        self.story.scene(0, scene, f"{kept.text} {marks[3]} met {name}.")

    def _entry(self) -> None:
        mark = self._mark()
        made = self.story.entry(
            f"Lore{self._count}",
            f"{mark}.",
            category="custom",
            secrecy="private",
            ai_context_level=self.random.choice(("always", "when_detected")),
            keywords=[self.people[0].name],
        )
        self._keep("entry", made, mark)

    def _relation(self) -> None:
        one, other = self.random.sample(self.people, 2)
        if (one.id, other.id) in self._related:
            return
        self._related.add((one.id, other.id))
        marks = [self._mark() for _ in range(3)]
        made = self.story.relation.create(
            source_entity_id=one.id,
            target_entity_id=other.id,
            # A word for a relation stays in the story's vocabulary when the relation goes.
            relation_type=f"bond{marks[2]}" if self._speaks else "enemy",
            description=f"{marks[0]}.",
            properties={"relationshipType": marks[1]},
            secrecy="private",
        )
        self._quote("relation", made, marks)

    def _state(self) -> None:
        marks = [self._mark() for _ in range(2)]
        made = self.story.state.create(
            entity_id=self.random.choice(self.people).id,
            description=f"{marks[0]}.",
            attributes={"now": marks[1], "eyes": f"green {marks[1]}", "brothers": [marks[1]]},
            since=self._since(),
            secrecy="private",
        )
        self._quote("state", made, marks)

    def _event(self) -> None:
        marks = [self._mark() for _ in range(3)]
        cast = self.random.sample(self.people, self.random.randint(0, 2))
        told = [{"kind": fact.kind, "id": fact.id} for fact in self.facts][:2]
        made = self.story.event.create(
            name=f"Night {marks[0]}",
            summary=f"{marks[1]}.",
            causality=f"{marks[2]}.",
            roles=[one.name for one in cast],
            moment=self._since(),
            tells=told if self.random.random() < 0.4 else [],
            secrecy="private",
        )
        self._quote("event", made, marks)

    def _quote(self, kind: str, made: Any, marks: list[str]) -> None:
        """Let a sentence of the manuscript show the fact."""
        if not self._speaks:
            self._keep(kind, made, *marks)
            return
        mark, name, scene = self._mark(), self.people[0].name, self.random.randrange(SCENES)
        # Some of it is what checks compare a passage with.
        shapes = (
            f"Then everybody saw {mark} happen.",
            f"{name} had green eyes in the light of {mark}.",
            f"{name} was ninety years old, {mark} said.",
            f"{name}有两个妹妹，{mark}。",
        )
        quotation = self.random.choice(shapes)
        kept = read_scene(self.memory.call(), project_id=self.id, chapter=0, scene=scene)
        self.story.scene(0, scene, f"{kept.text} {quotation} {self._open()}")
        fields = {"kind": kind, "id": made.id, "scene_id": kept.id, "quotation": quotation}
        attach_evidence(self.memory.call(), project_id=self.id, **fields)
        self._keep(kind, made, *marks, mark)

    def _let_know(self) -> None:
        pick = self.random
        if pick.random() < 0.5:
            member = pick.choice(self.people)
            self.story.relation.create(
                source_entity_id=member.id, target_entity_id=self.guild.id, relation_type="belongs_to"
            )
        for fact in self.facts:
            for knower in pick.sample([*self.people, self.guild], pick.randint(0, 2)):
                way = pick.random()
                fields: dict[str, Any] = {"knows": False} if way < 0.2 else {}
                if 0.2 <= way < 0.4:
                    fields = {"belief": "It was the wind.", "how": "believes"}
                given = {"kind": fact.kind, "id": fact.id}
                self.story.knowing.create(fact=given, knower_id=knower.id, since=self._since(), **fields)

    def unknown_to(self, knower: Any, place: tuple[int, int]) -> list[FactRef]:
        """The private facts of which somebody knows and believes nothing at a moment."""
        moment = {"chapter": place[0], "scene": place[1]}
        asked = {fact: {"kind": fact.kind, "id": fact.id, **moment} for fact in self.facts}
        answers = {fact: self.story.ask("knowledge.of_fact", **one).items for fact, one in asked.items()}
        return [fact for fact, found in answers.items() if all(one.knower_id != knower.id for one in found)]

    def known_marks(self, knower: Any, place: tuple[int, int] | None) -> set[str]:
        """The marks of all private facts that somebody knows at a moment, by who knows each fact."""
        moment = {} if place is None else {"chapter": place[0], "scene": place[1]}
        known = set()
        for fact, marks in self.facts.items():
            found = self.story.ask("knowledge.of_fact", kind=fact.kind, id=fact.id, **moment)
            if any(one.knower_id == knower.id and one.knows for one in found.items):
                known |= marks
        return known
