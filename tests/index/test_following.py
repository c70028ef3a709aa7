"""An index that followed the log answers as one built from the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.call import Call
from fabula.errors import FabulaError
from fabula.index.cache import StoryIndexes
from fabula.memory import Memory
from fabula.operations.manuscript.manuscript import delete_scene
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

NAMES = ["林远", "苏晴", "青云宗", "Alice", "harbour"]
TEXTS = ["", "青云宗的弟子", "harbour master of 青云", "守夜人 harbour", "master"]
EXCERPT = "林远在青云宗见到 Alice，harbour master 守夜。"

picks = st.integers(0, 9)
writes = st.tuples(st.sampled_from("cccuuudrrrRmbzyosst"), picks, picks)


def write(story: StoryMemory, deed: str, one: int, other: int) -> None:
    """One write; what is refused is refused."""
    entities = sorted(story.entity.list().items, key=lambda entity: str(entity.name))
    first = entities[one % len(entities)] if entities else None
    second = entities[other % len(entities)] if entities else None
    fields = {
        "description": TEXTS[other % 5],
        "aliases": [NAMES[(one + other) % 5]],
        "ai_context_level": ["always", "when_detected", "manual_only", "never"][other % 4],
        "significance": other / 10,
    }
    moments = {"since": {"chapter": one % 3}, "until": {"chapter": 3 + other % 3}}
    acts: dict[str, Callable[[], Any]] = {
        "c": lambda: story.entity.create(type="character", name=f"{NAMES[one % 5]}{other}", **fields),
        "u": lambda: story.entity.update(
            id=first.id, expected_version=first.version, patch={"name": NAMES[other % 5], **fields}
        ),
        "d": lambda: story.entity.delete(id=first.id),
        "r": lambda: story.relation.create(
            source_entity_id=first.id, target_entity_id=second.id, relation_type="ally", **moments
        ),
        "R": lambda: story.relation.update(
            id=story.relation.list().items[0].id, patch={"relation_type": "enemy", **moments}
        ),
        "m": lambda: story.entity.merge(target_entity_id=first.id, source_entity_ids=[second.id]),
        "b": lambda: story.batch.upsert(
            entities=[{"type": "item", "name": NAMES[n % 5], **fields} for n in (one, one + 1)],
            relations=[
                {
                    "sourceName": NAMES[one % 5],
                    "targetName": NAMES[(one + 1) % 5],
                    "relationType": "owns",
                }
            ],
        ),
        "s": lambda: story.scene(one % 3, other % 2, TEXTS[other % 5] + EXCERPT * (one + 1)),
        "t": lambda: delete_scene(
            story._memory.call(), project_id=story.id, chapter=one % 3, scene=other % 2
        ),
        "z": lambda: story.history.undo(),
        "y": lambda: story.history.redo(),
        "o": lambda: story.history.undo(revision=one + 2),
    }
    try:
        acts[deed]()
    except (FabulaError, AttributeError, IndexError):
        return


def asked(call: Call, story_id: str) -> dict[str, Any]:
    """What the index is good for, asked of every entity."""
    from fabula.operations.catalogue import CHANNELS

    def ask(channel: str, **payload: Any) -> Any:
        operation = CHANNELS[f"knowledge:{channel}"]
        return operation.run(call, operation.parse({"projectId": story_id, **payload}))

    ids = sorted(item.id for item in ask("entity:list").items)
    answers: dict[str, Any] = {}
    for number, entity_id in enumerate(ids):
        for moment in (None, {"chapter": 1}, {"chapter": 4, "scene": 1}):
            found = ask("query:subgraph", centerEntityId=entity_id, k=2, asOf=moment)
            answers[f"around {entity_id} {moment}"] = (
                {entity.id: entity for entity in found.entities},
                {relation.id: relation for relation in found.relations},
            )
            way = ask("query:path", sourceEntityId=entity_id, targetEntityId=ids[number - 1], asOf=moment)
            answers[f"way {entity_id} {moment}"] = len(way.path_entity_ids)
        cut = ask("query:subgraph", centerEntityId=entity_id, k=3, maxNodes=2)
        answers[f"cut {entity_id}"] = ({entity.id for entity in cut.entities}, cut.truncated)
    for most in (1, 2, 50):
        told = ask("query:relevant", excerpt=EXCERPT, maxEntities=most).items
        answers[f"told {most}"] = [(item.id, item.score, item.matches) for item in told]
    answers["named"] = [
        (item.id, item.score)
        for item in ask("query:relevant", excerpt=EXCERPT, entityIds=ids, maxEntities=50).items
    ]
    answers["quiet"] = [item.id for item in ask("query:relevant", excerpt="", maxEntities=3).items]
    answers |= compiled(call, story_id)
    circles = ask("query:validate")
    answers["circles"] = (circles.component_count, circles.entity_count, circles.relation_count)
    return answers


def compiled(call: Call, story_id: str) -> dict[str, Any]:
    """What is compiled for the retrieval."""
    with call.store.read() as reader, call.indexes.lease(reader, story_id) as index:
        roster, mentions = index.roster, index.mentions(reader)
        told = {
            name: {(roster.ids[m.slot], m.start, m.end) for m in mentions.named_by(slot)}
            for name, slot in roster.slot_of.items()
        }
        namers = {
            name: {roster.ids[other] for other in mentions.namers_of(slot)}
            for name, slot in roster.slot_of.items()
        }
        passages = index.passages(reader)
        reading = passages.reading()
        everything = np.ones(len(passages.words.lengths), np.bool_)
        places = passages.words.occurrences(passages.words.asked(EXCERPT).codes, everything)
        order = {slot: number for number, slot in enumerate(reading.slots.tolist())}
        found = sorted(
            (word, order[slot], place)
            for word, slot, place in zip(*(column.tolist() for column in places), strict=True)
        )
        spans = [column.tolist() for column in (reading.instants, reading.starts, reading.ends)]
    return {"told of": told, "namers": namers, "passages": (spans, reading.lengths.tolist()), "words": found}


def anew(call: Call) -> Call:
    """The same call with nothing compiled yet."""
    return Call(
        **{**{name: getattr(call, name) for name in call.__slots__}, "indexes": StoryIndexes(1_000_000_000)}
    )


@settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(writes, min_size=6, max_size=20), st.integers(1, 4))
def test_an_index_that_followed_answers_as_one_built_anew(
    memory: Memory, deeds: list[tuple[str, int, int]], every: int
) -> None:
    story = StoryMemory(memory, str(uuid4()))
    story.entity.create(type="character", name="守夜人", description="harbour master")
    following = memory.call()
    asked(following, story.id)
    for number, deed in enumerate(deeds):
        write(story, *deed)
        if number % every == 0:
            asked(following, story.id)
    assert asked(following, story.id) == asked(anew(following), story.id)
    delete_story(memory.call(), project_id=story.id)


def test_fewer_are_the_first_of_more(story: StoryMemory) -> None:
    for number in range(30):
        story.entity.create(
            type="character", name=f"人{number}", description=TEXTS[number % 5], significance=number % 3 / 2
        )
    excerpt = "人7、人3和人22在 harbour，青云的 master 守夜。"
    every = [(item.id, item.score) for item in story.query.relevant(excerpt=excerpt, max_entities=50).items]
    assert len(every) > 10
    for most in (1, 2, 3, 5, 10):
        some = story.query.relevant(excerpt=excerpt, max_entities=most).items
        assert [(item.id, item.score) for item in some] == every[:most]
