"""Random operations on a real story and on a plain one: after every step both are the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from effort import examples
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.entity import Entity
from fabula.model.ontology import relation_type
from fabula.model.relation import Relation
from fabula.model.story import Limits
from fabula.operations.stories import StoryPatch, delete_story, read_story, update_story
from faulty import rounds
from plain_rows import BLANK, UNSAID, Row
from plain_story import PlainStory, Refused
from postgres import place_at

MAX_ENTITIES, MAX_RELATIONS = 6, 7
# A busy machine is no reason to give up.
LIMITS = Limits(query_timeout_ms=120_000, max_entities=MAX_ENTITIES, max_relations=MAX_RELATIONS)

# Variants of few names, none part of another, so that collisions happen and a name alone is always found.
NAMES = ["林远", "\u3000林远 ", "Alice", "ＡＬＩＣＥ", "alice", "Straße", "STRASSE", "青云宗", "苏晴"]
TEXTS = ["", "掌管藏书阁", "harbour master", "藏书阁 harbour"]
EXCERPT = "藏书阁。harbour"

names = st.sampled_from(NAMES)
types = st.sampled_from(["character", "concept"])
levels = st.sampled_from(["always", "when_detected", "manual_only", "never"])
picks = st.integers(0, 50)
relation_words = st.sampled_from(["ally", "ALLY", "师徒", "possesses"])
moments = st.none() | st.tuples(st.integers(0, 2), st.none() | st.integers(0, 1))
entity_parts = {
    "description": st.sampled_from(TEXTS),
    "attributes": st.sampled_from([{}, {"a": 1}, {"a": 2, "b": "藏书"}]),
    "aliases": st.lists(names.map(str.strip), max_size=2).map(tuple),
    "ai_context_level": levels,
    "significance": st.sampled_from([0.25, 0.5]),
}
new_entities = st.fixed_dictionaries({"type": types, "name": names}, optional=entity_parts)
entity_patches = st.fixed_dictionaries({}, optional={"type": types, "name": names, **entity_parts})
relation_parts = {
    "description": st.sampled_from(["", "旧识"]),
    "properties": st.sampled_from([{}, {"k": 1}, {"k": True}]),
    "since": moments,
    "until": moments,
}
relation_patches = st.fixed_dictionaries({}, optional={"relation_type": relation_words, **relation_parts})
batch_relations = st.fixed_dictionaries(
    {"source_name": names, "target_name": names, "relation_type": relation_words}
)
revisions = st.none() | picks


def on_the_wire(fields: Row) -> Row:
    """Moments as the channels take them."""
    moments = {
        name: None if value is None else {"chapter": value[0], "scene": value[1]}
        for name, value in fields.items()
        if name in ("since", "until")
    }
    return {**fields, **moments}


def entity_content(entity: Entity) -> Row:
    fields = ("type", "name", *BLANK)
    return {name: getattr(entity, name) for name in fields}


def relation_content(relation: Relation) -> Row:
    found: Row = {name: getattr(relation, name) for name in (*UNSAID, "relation_type")}
    for name in ("since", "until"):
        found[name] = None if found[name] is None else (found[name].chapter, found[name].scene)
    return {**found, "source": relation.source_entity_id, "target": relation.target_entity_id}


class StoryMachine(RuleBasedStateMachine):
    """Drives one story of a shared file."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self.memory = memory
        self.real = memory.story("开端", id=str(uuid4()))
        self.plain = PlainStory("开端", max_entities=MAX_ENTITIES, max_relations=MAX_RELATIONS)
        self.versions: dict[str, int] = {}
        self.highest: dict[str, int] = {}
        self.births: dict[str, str] = {}
        self.revision = 1

    def teardown(self) -> None:
        delete_story(self.memory.call(), project_id=self.real.id)

    def both(self, real: Callable[[], Any], plain: Callable[[Any], Any]) -> Any:
        """Do it in both; a refusal of one must be the refusal of the other."""
        answer = expected = None
        code: str | None = None
        codes: tuple[str | None, ...] = (None,)
        try:
            answer = real()
        except FabulaError as error:
            code = error.code if error.suggestion else "no suggestion"
        try:
            expected = plain(answer)
        except Refused as refused:
            codes = refused.codes
        assert code in codes
        return (answer, expected) if code is None else None

    def pick(self, kind: str, number: int) -> str:
        """One of the rows, or now and then one that is gone or never was."""
        known = list(self.plain.of(kind))
        if known and number % 10 < 9:
            return known[number % len(known)]
        return ([key for key in self.births if key not in known] or ["nobody"])[-1]

    @initialize()
    def begin(self) -> None:
        people = [{"type": "character", "name": name} for name in ("林远", "Alice", "苏晴")]
        bonds = [
            {"source_name": "林远", "target_name": "Alice", "relation_type": "ally"},
            {"source_name": "Alice", "target_name": "苏晴", "relation_type": "师徒"},
            {"source_name": "林远", "target_name": "苏晴", "relation_type": "ally"},
        ]
        self.batch("create", people, bonds)

    @rule(fields=new_entities)
    def create_entity(self, fields: Row) -> None:
        self.both(
            lambda: self.real.entity.create(**fields),
            lambda made: self.plain.create_entity(
                made.id if made else "", {**BLANK, **fields, "name": fields["name"].strip()}
            ),
        )

    @rule(number=picks, patch=entity_patches.filter(bool), late=st.booleans())
    def update_entity(self, number: int, patch: Row, late: bool) -> None:
        entity_id = self.pick("entity", number)
        version = self.versions.get(entity_id, 1)
        # An old version, also one from before an undo, must never pass.
        expected = version - 1 if late and version > 1 else version
        if "name" in patch:
            patch = {**patch, "name": patch["name"].strip()}
        self.both(
            lambda: self.real.entity.update(id=entity_id, expected_version=expected, patch=patch),
            lambda _: self.plain.update_entity(entity_id, patch, stale=expected != version),
        )

    @rule(number=picks)
    def delete_entity(self, number: int) -> None:
        entity_id = self.pick("entity", number)
        done = self.both(
            lambda: self.real.entity.delete(id=entity_id), lambda _: self.plain.delete_entity(entity_id)
        )
        if done:
            assert done[0].deleted_relation_count == done[1]

    @rule(number=picks, others=st.lists(picks, min_size=1, max_size=2))
    def merge(self, number: int, others: list[int]) -> None:
        target, sources = self.pick("entity", number), [self.pick("entity", n) for n in others]
        self.both(
            lambda: self.real.entity.merge(target_entity_id=target, source_entity_ids=sources),
            lambda _: self.plain.merge(target, sources),
        )

    @rule(
        one=picks,
        other=picks,
        word=relation_words,
        fields=st.fixed_dictionaries({}, optional={**relation_parts, "until": st.none()}),
    )
    def create_relation(self, one: int, other: int, word: str, fields: Row) -> None:
        source, target = self.pick("entity", one), self.pick("entity", other)
        self.both(
            lambda: self.real.relation.create(
                source_entity_id=source, target_entity_id=target, relation_type=word, **on_the_wire(fields)
            ),
            lambda made: self.plain.create_relation(
                made.id if made else "",
                {**UNSAID, **fields, "source": source, "target": target, "relation_type": word},
            ),
        )

    @rule(number=picks, patch=relation_patches.filter(bool))
    def update_relation(self, number: int, patch: Row) -> None:
        relation_id = self.pick("relation", number)
        self.both(
            lambda: self.real.relation.update(id=relation_id, patch=on_the_wire(patch)),
            lambda _: self.plain.update_relation(relation_id, patch),
        )

    @rule(number=picks)
    def delete_relation(self, number: int) -> None:
        relation_id = self.pick("relation", number)
        self.both(
            lambda: self.real.relation.delete(id=relation_id),
            lambda _: self.plain.delete_relation(relation_id),
        )

    @rule(
        mode=st.sampled_from(["create", "upsert", "upsert"]),
        entities=st.lists(new_entities, max_size=3),
        relations=st.lists(batch_relations, max_size=3),
    )
    def batch(self, mode: str, entities: list[Row], relations: list[Row]) -> None:
        trimmed = [{**fields, "name": fields["name"].strip()} for fields in entities]
        self.both(
            lambda: self.real.batch.upsert(mode=mode, entities=entities, relations=relations),
            lambda made: self.plain.batch(
                mode,
                list(zip(made.entity_ids if made else range(9), trimmed, strict=made is not None)),
                list(zip(made.relation_ids if made else range(9), relations, strict=made is not None)),
            ),
        )

    @rule(number=revisions)
    def undo(self, number: int | None) -> None:
        revision = None if number is None else 1 + number % (self.revision + 1)
        done = self.both(
            lambda: self.real.history.undo(revision=revision), lambda _: self.plain.undo(revision)
        )
        if done:
            assert done[0].reverted_revision == done[1]

    @rule(number=revisions)
    def redo(self, number: int | None) -> None:
        revision = None if number is None else 1 + number % (self.revision + 1)
        done = self.both(
            lambda: self.real.history.redo(revision=revision), lambda _: self.plain.redo(revision)
        )
        if done:
            assert done[0].restored_revision == done[1]

    @rule()
    def undo_the_newest(self) -> None:
        self.undo(None)

    @rule(title=st.sampled_from(["开端", "长夜"]))
    def rename(self, title: str) -> None:
        self.both(
            lambda: update_story(self.memory.call(), project_id=self.real.id, patch=StoryPatch(title=title)),
            lambda _: self.plain.rename(title),
        )

    @invariant()
    def same_rows(self) -> None:
        entities, relations = self.real.entity.list(), self.real.relation.list()
        assert {item.id: entity_content(item) for item in entities.items} == self.plain.of("entity")
        assert {item.id: relation_content(item) for item in relations.items} == self.plain.of("relation")
        words = {kind.key for kind in self.real.relationtype.list().items}
        assert words == set(self.plain.of("relation_type"))
        story = read_story(self.memory.call(), project_id=self.real.id)
        assert (story.title, story.entity_count, story.relation_count, story.revision) == (
            self.plain.title,
            entities.total_count,
            relations.total_count,
            len(self.plain.steps) - 1,
        )
        self._versions_grow([*entities.items, *relations.items], story.revision)
        (report,) = self.memory.audit()
        assert report.differing == ()

    def _versions_grow(self, items: list[Entity | Relation], revision: int) -> None:
        touched = {key for _, key in self.plain.touched} if revision > self.revision else set()
        for item in items:
            assert self.births.setdefault(item.id, item.created_at) == item.created_at
            if item.id in touched:
                assert item.version > self.highest.get(item.id, 0)
            else:
                assert item.version == self.versions[item.id]
        self.versions = {item.id: item.version for item in items}
        self.highest |= self.versions
        self.revision = revision

    @invariant()
    def same_answers(self) -> None:
        entities = sorted(self.plain.of("entity"))
        for source, target in zip(entities[:2], entities[-2:], strict=True):
            for hops in (1, 2):
                found = self.real.query.subgraph(center_entity_id=source, k=hops)
                nodes, links = self.plain.around(source, hops)
                assert {entity.id for entity in found.entities} == nodes
                assert {relation.id for relation in found.relations} == links
                assert {e.id: entity_content(e) for e in found.entities}.items() <= self.plain.of(
                    "entity"
                ).items()
            for directed in (False, True):
                path = self.real.query.path(
                    source_entity_id=source, target_entity_id=target, directed=directed
                )
                distance = self.plain.distance(source, target, directed=directed)
                assert len(path.path_entity_ids) == (0 if distance is None else distance + 1)
        excerpt = f"Alice，林远，{EXCERPT}"
        told = self.real.query.relevant(excerpt=excerpt, max_entities=50)
        expected = self.plain.relevant(["Alice", "林远"], excerpt)
        direct = {item.id: item.score for item in told.items if not item.path}
        assert direct == pytest.approx(expected, abs=0.001)
        near = [item for item in told.items if item.path]
        assert all(item.path[-1].target == item.name and item.id not in expected for item in near)


def run(folder: Path, full: int, steps: int, without: tuple[Phase, ...] = ()) -> None:
    chosen = settings(
        max_examples=examples(full),
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[phase for phase in Phase if phase not in without],
    )
    with Memory(place_at(folder / "fabula.db"), limits=LIMITS) as memory:
        run_state_machine_as_test(lambda: StoryMachine(memory), settings=chosen)


@pytest.mark.long
def test_a_story_is_what_a_plain_story_is(tmp_path: Path) -> None:
    assert relation_type("possesses") == "owns"
    # A failing story is shown as it is; to see the shortest one, run the slow test.
    run(tmp_path, full=10, steps=25, without=(Phase.shrink, Phase.explain))


@pytest.mark.slow
def test_a_story_is_what_a_plain_story_is_for_long(tmp_path: Path) -> None:
    run(tmp_path, full=rounds(15, 300), steps=50)
