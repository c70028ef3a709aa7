"""Stories as hypothesis tells them: many steps through the operations, with names and texts that hurt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hypothesis import strategies as st

from continuity_steps import ContinuitySteps
from every_step import Step
from fabula.canon.entry_values import LorebookEntryPatch
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.parsing import parsed
from fabula.operations.evidence import AttachEvidenceRequest, attach_evidence
from fabula.operations.lorebook.entries import update_entry_of_key
from fabula.operations.manuscript.manuscript import delete_scene, put_chapter, read_scene
from fabula.operations.manuscript.rearranging import (
    ChapterTarget,
    SceneTarget,
    delete_chapter,
    move_chapter,
    move_scene,
)
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory
from knowing_steps import KnowingSteps

TYPES = ("character", "location", "event", "item", "concept")
NAMES = (
    "林远",
    "苏晚",
    "Ann",
    "ANNA",
    "a/b",
    "a_b",
    "CON",
    "..",
    "名: 字",
    "é",
    "e\u0301x",
    "- dash",
    "null",
    "007",
    "😀 smile",
    "A\u200bB",
    ".hidden",
    "trail.",
    "aux.yaml",
    "长" * 120,
    "ß",
    "{x}",
    "林远~0123456789",
)
PROSE = st.one_of(
    st.sampled_from(
        ("", "一句。", "two\nlines\n", "\n\n  lead\r\nCR", "trail  \n\n\n", "---\n", "\u2028\x85\x01", "yes")
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30),
)
SCALAR = st.one_of(
    PROSE,
    st.integers(-(2**63) + 1, 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
)
JSON = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("键", "a b", "y", "<<")), inner, max_size=2)
    ),
    max_leaves=5,
)
OBJECT = st.dictionaries(st.sampled_from(("age", "心情", "null", "a: b", "#", "\u2028x")), JSON, max_size=3)
NAME = st.sampled_from(NAMES)
IN_CHAPTER = st.none() | st.integers(0, 2)
MOMENT = st.none() | st.fixed_dictionaries({"chapter": st.integers(0, 3), "scene": IN_CHAPTER})
DAYS = st.integers(-9, 9) | st.sampled_from((-3650.5, 0.25))
WORLD_TIME = st.none() | st.fixed_dictionaries(
    {"day": DAYS, "label": st.sampled_from(("", "十年前", "a: b"))}
)
VALIDITY = {"valid_from": WORLD_TIME, "told": MOMENT}
PLACE = {"chapter": st.integers(0, 2), "scene": st.integers(0, 2)}
NUMBER = st.integers(0, 30)
SECRECY = st.sampled_from(("public", "private"))


def _step(kind: str, **fields: Any) -> st.SearchStrategy[Step]:
    return st.tuples(st.just(kind), st.fixed_dictionaries(fields))


ENTITY = {
    "description": PROSE,
    "attributes": OBJECT,
    "aliases": st.lists(NAME, max_size=2),
    "aiContextLevel": st.sampled_from(("always", "when_detected", "manual_only", "never")),
    "significance": st.floats(0, 1),
    "since": MOMENT,
    **VALIDITY,
    "secrecy": SECRECY,
}
RULES = {
    "keywords": st.lists(NAME, max_size=2),
    "priority": st.integers(-5, 5),
    "enabled": st.booleans(),
    "insertion_position": st.sampled_from(("system_prompt", "before_scene", "after_scene")),
    "token_budget": st.integers(1, 900),
    "extensions": OBJECT,
    "rules": st.sampled_from(
        ({}, {"caseSensitive": True, "secondaryKeywords": ["x"], "secondaryLogic": "not_any"})
    ),
}
BOOK = {
    "source": st.sampled_from(("global", "character", "chat", "persona")),
    "activation": st.sampled_from(("fabula", "sillytavern")),
    "enabled": st.booleans(),
    "settings": st.sampled_from(({}, {"scanDepth": 4, "recursive": False, "budgetPercent": 12.5})),
    "extensions": OBJECT,
}
STEPS = st.lists(
    st.one_of(
        _step("entity", type=st.sampled_from(TYPES), name=NAME, **ENTITY),
        _step(
            "profile",
            who=NUMBER,
            type=st.sampled_from(("ally", "师从", "a b", "participates_in")),
            target=NAME,
        ),
        _step("rename", who=NUMBER, name=NAME),
        _step("move", who=NUMBER, layoutX=st.none() | st.floats(-9, 9), layoutY=st.none() | st.just(0.0)),
        _step("names", who=NUMBER, other=st.none() | NUMBER, name=NAME, since=MOMENT, until=MOMENT),
        _step("reveal", who=NUMBER, other=NUMBER, **PLACE, known=st.none() | NUMBER),
        _step("unreveal", number=NUMBER),
        _step("remove", who=NUMBER),
        _step("merge", who=NUMBER, other=NUMBER),
        _step(
            "relation",
            who=NUMBER,
            other=NUMBER,
            relationType=st.sampled_from(("ally", "KNOWS", "债主", "PARTICIPATES_IN", "occurs_at")),
            description=PROSE,
            properties=OBJECT,
            since=MOMENT,
            **VALIDITY,
        ),
        _step(
            "state",
            who=NUMBER,
            description=PROSE,
            attributes=OBJECT,
            since=MOMENT,
            secrecy=SECRECY,
            **VALIDITY,
        ),
        _step(
            "event",
            name=NAME,
            summary=PROSE,
            causality=PROSE,
            roles=st.lists(st.fixed_dictionaries({"name": NAME, "role": PROSE}), max_size=3),
            locations=st.lists(st.fixed_dictionaries({"name": NAME}), max_size=1),
            moment=MOMENT,
            world_time=WORLD_TIME,
        ),
        _step("take_part", who=NUMBER, event=NAME, properties=OBJECT, since=MOMENT),
        _step("part", number=NUMBER),
        _step(
            "entry",
            key=NAME,
            category=st.sampled_from(("custom", "character")),
            content=PROSE,
            **RULES,
            **VALIDITY,
        ),
        _step("book", name=NAME, position=st.none() | st.integers(-2, 2), **BOOK),
        _step("rebook", number=NUMBER, **BOOK),
        _step("unbook", number=NUMBER),
        _step("book_entry", number=NUMBER, key=NAME, content=PROSE, **RULES),
        _step("shelve", number=NUMBER, entry=NUMBER),
        _step("display", key=NAME, display_name=NAME),
        _step("scene", **PLACE, text=PROSE, title=PROSE, world_time=WORLD_TIME),
        _step("unscene", **PLACE),
        _step("plan", **PLACE, who=NUMBER, notes=PROSE, word_goal=st.integers(1, 1_000_000)),
        _step(
            "knowing",
            who=NUMBER,
            fact=NUMBER,
            of=st.sampled_from(("entity", "state", "relation", "entry")),
            since=MOMENT,
            how=st.sampled_from(("witnessed", "told", "read", "deduced", "believes")),
            belief=st.sampled_from(("", "错了。")),
            event=st.none() | NUMBER,
        ),
        _step("tells", event=NUMBER, fact=NUMBER, place=st.integers(0, 2)),
        _step("evidence", who=NUMBER, **PLACE, length=st.integers(1, 6)),
        _step(
            "thread",
            title=NAME,
            note=PROSE,
            who=NUMBER,
            **PLACE,
            length=st.integers(1, 6),
            due=MOMENT,
            dropped=st.booleans(),
            secrecy=SECRECY,
        ),
        _step("mark", number=NUMBER, role=st.sampled_from(("advances", "payoffs")), **PLACE),
        _step("unthread", number=NUMBER),
        _step("waive", reason=PROSE, number=NUMBER),
        _step("chapter", number=st.integers(0, 3), title=PROSE),
        _step("snapshot", **PLACE, summary=PROSE, names=st.lists(NAME, max_size=2)),
        _step(
            "propose",
            name=NAME,
            attributes=OBJECT,
            action=st.sampled_from(("approved", "rejected", None)),
            chapter=st.none() | st.integers(0, 2),
        ),
        _step("move_scene", **PLACE, to=st.tuples(st.integers(0, 2), st.integers(0, 3))),
        _step("move_chapter", chapter=st.integers(0, 2), to=st.integers(0, 3)),
        _step("unchapter", chapter=st.integers(0, 2)),
        _step("undo"),
        _step("title", title=NAME, settings=OBJECT, language=st.sampled_from(("zh", "en"))),
    ),
    max_size=14,
)


class Teller(KnowingSteps, ContinuitySteps):
    """Takes steps in a story; what the story refuses is left out."""

    def __init__(self, memory: Memory, story: StoryMemory) -> None:
        self.memory, self.story = memory, story
        story.batch.upsert(
            entities=[
                {"type": "character", "name": "林远", "aliases": ["阿远"]},
                {"type": "character", "name": "苏晚"},
                {"type": "location", "name": "a_b"},
            ],
            relations=[{"sourceName": "林远", "targetName": "苏晚", "relationType": "ally"}],
        )
        story.entry("苏晚", "她来了。", category="character", keywords=["晚"])

    def tell(self, steps: list[Step]) -> None:
        """Take the steps."""
        for kind, fields in steps:
            with suppress(FabulaError):
                take: Callable[..., None] = getattr(self, f"_{kind}")
                take(**fields)

    def _who(self, number: int) -> Any:
        ids = sorted(item.id for item in self.story.entity.list(limit=1000).items)
        return self.story.entity.read(id=ids[number % len(ids)] if ids else "nobody")

    def _take_part(self, who: int, event: str, **said: Any) -> None:
        found = [one for one in self.story.event.list().items if one.name == event]
        self.story.relation.create(
            source_entity_id=self._who(who).id,
            target_entity_id=found[0].id if found else "nobody",
            relation_type="participates_in",
            **said,
        )

    def _part(self, number: int) -> None:
        ids = sorted(item.id for item in self.story.relation.list(limit=1000).items)
        self.story.relation.delete(id=ids[number % len(ids)] if ids else "none")

    def _entity(self, **fields: Any) -> None:
        self.story.entity.create(**fields)

    def _change(self, who: int, **patch: Any) -> None:
        entity = self._who(who)
        self.story.entity.update(id=entity.id, expected_version=entity.version, patch=patch)

    def _profile(self, who: int, type: str, target: str) -> None:
        entity = self._who(who)
        told = {**entity.attributes, "relations": [{"target": target, "type": type}]}
        self._change(who, attributes=told)

    def _rename(self, who: int, name: str) -> None:
        self._change(who, name=name)

    def _move(self, who: int, **place: Any) -> None:
        self._change(who, **place)

    def _names(self, who: int, other: int | None, **name: Any) -> None:
        known = None if other is None else [self._who(other).id]
        self._change(who, names=[{**name, "knownTo": known}, {"name": "灰衣客"}])

    def _reveal(self, who: int, other: int, chapter: int, scene: int, known: int | None) -> None:
        ids = [self._who(who).id, self._who(other).id]
        known_to = None if known is None else [self._who(known).id]
        self.story.reveal.create(entity_ids=ids, at={"chapter": chapter, "scene": scene}, known_to=known_to)

    def _unreveal(self, number: int) -> None:
        ids = sorted(item.id for item in self.story.reveal.list().items)
        self.story.reveal.delete(id=ids[number % len(ids)] if ids else "none")

    def _remove(self, who: int) -> None:
        self.story.entity.delete(id=self._who(who).id)

    def _merge(self, who: int, other: int) -> None:
        self.story.entity.merge(target_entity_id=self._who(who).id, source_entity_ids=[self._who(other).id])

    def _relation(self, who: int, other: int, **fields: Any) -> None:
        ends = {"source_entity_id": self._who(who).id, "target_entity_id": self._who(other).id}
        self.story.relation.create(**ends, **fields)

    def _state(self, who: int, **fields: Any) -> None:
        self.story.state.create(entity_id=self._who(who).id, **fields)

    def _event(self, **fields: Any) -> None:
        self.story.event.create(**fields)

    def _entry(self, key: str, content: str, **fields: Any) -> None:
        self.story.entry(key, content, **fields)

    def _book(self, **fields: Any) -> None:
        self.story.ask("lorebook.book.create", **fields)

    def _book_at(self, number: int) -> str:
        found = self.story.ask("lorebook.book.list").items[1:]
        return sorted(found, key=lambda one: one.name)[number % len(found)].id if found else "none"

    def _rebook(self, number: int, **patch: Any) -> None:
        self.story.ask("lorebook.book.update", id=self._book_at(number), patch=patch)

    def _unbook(self, number: int) -> None:
        self.story.ask("lorebook.book.delete", id=self._book_at(number))

    def _book_entry(self, number: int, **fields: Any) -> None:
        entry = {**fields, "entry_key": fields["key"], "book_id": self._book_at(number)}
        del entry["key"]
        self.story.ask("lorebook.entry.create", entry=entry)

    def _shelve(self, number: int, entry: int) -> None:
        entries = self.story.ask("lorebook.entry.list", size=1000).items
        if entries:
            patch = {"book_id": self._book_at(number)}
            self.story.ask("lorebook.entry.update", entry_id=entries[entry % len(entries)].id, patch=patch)

    def _display(self, key: str, display_name: str) -> None:
        patch = LorebookEntryPatch(display_name=display_name)
        update_entry_of_key(self.memory.call(), project_id=self.story.id, entry_key=key, patch=patch)

    def _unscene(self, chapter: int, scene: int) -> None:
        delete_scene(self.memory.call(), project_id=self.story.id, chapter=chapter, scene=scene)

    def _move_scene(self, chapter: int, scene: int, to: tuple[int, int]) -> None:
        request = SceneTarget(chapter=to[0], scene=to[1])
        move_scene(self.memory.call(), project_id=self.story.id, chapter=chapter, scene=scene, to=request)

    def _move_chapter(self, chapter: int, to: int) -> None:
        move_chapter(
            self.memory.call(), project_id=self.story.id, chapter=chapter, to=ChapterTarget(chapter=to)
        )

    def _unchapter(self, chapter: int) -> None:
        delete_chapter(self.memory.call(), project_id=self.story.id, chapter=chapter)

    def _chapter(self, number: int, title: str) -> None:
        put_chapter(self.memory.call(), project_id=self.story.id, chapter=number, title=title)

    def _snapshot(self, chapter: int, scene: int, summary: str, names: list[str]) -> None:
        self.story.snapshot(chapter, scene, summary, active_characters=[{"name": name} for name in names])

    def _propose(
        self, name: str, attributes: dict[str, Any], action: str | None, chapter: int | None
    ) -> None:
        draft = {"entityName": name, "entityType": "item", "attributes": attributes, "sourceText": "原文。"}
        found = self.story.propose(draft, chapter=chapter).extractions
        if action is not None and found:
            self.story.review(found[0].id, action)

    def _evidence(self, who: int, chapter: int, scene: int, length: int) -> None:
        told = read_scene(self.memory.call(), project_id=self.story.id, chapter=chapter, scene=scene)
        fields = {
            "project_id": self.story.id,
            "kind": "entity",
            "id": self._who(who).id,
            "scene_id": told.id,
            "quotation": told.text[-length:],
            "start": max(0, len(told.text) - length),
        }
        attach_evidence(self.memory.call(), parsed(AttachEvidenceRequest, fields))

    def _ontology(self, text: str) -> None:
        self.memory.answer("knowledge:ontology:write", {"projectId": self.story.id, "text": text})

    def _undo(self) -> None:
        self.story.history.undo()

    def _title(self, **fields: Any) -> None:
        update_story(self.memory.call(), project_id=self.story.id, patch=parsed(StoryPatch, fields))
