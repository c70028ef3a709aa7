"""Laws of the levels: a secret never reaches an answer that is meant for a model."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

SHARED_FILE = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LEVELS = ["always", "when_detected", "manual_only", "never"]
OPEN_WORDS = ["渡口", "harbour", "守夜人", "lantern"]

levels = st.sampled_from(LEVELS)
people = st.lists(
    st.fixed_dictionaries({"level": levels, "said": st.sampled_from(OPEN_WORDS)}), min_size=1, max_size=6
)


def secrets_of(number: int) -> list[str]:
    """Words that nobody else has: for the name, an alias, the description and the attributes."""
    return [f"{stem}{chr(0x4E8C + 7 * number)}密" for stem in ("名甲", "别乙", "述丙", "性丁", "键戊")]


def told(story: StoryMemory, **request: Any) -> Any:
    return story.query.relevant(max_entities=50, **request)


def peopled(story: StoryMemory, cast: list[dict[str, Any]]) -> list[Any]:
    made = []
    for number, one in enumerate(cast):
        name, alias, description, value, key = secrets_of(number)
        made.append(
            story.entity.create(
                type="character",
                name=name,
                aliases=[alias, f"Secret{number}x"],
                description=f"{description}，{one['said']}。",
                attributes={key: value, "place": [{"of": one["said"]}]},
                ai_context_level=one["level"],
            )
        )
    # Who stands beside a secret must not give it away either.
    for one, other in pairwise(made):
        story.relation.create(source_entity_id=one.id, target_entity_id=other.id, relation_type="ally")
    return made


@SHARED_FILE
@given(people, st.data())
def test_what_is_never_told_is_in_no_answer(
    memory: Memory, cast: list[dict[str, Any]], data: st.DataObject
) -> None:
    story = StoryMemory(memory, str(uuid4()))
    made = peopled(story, cast)
    every_word = [*OPEN_WORDS, *(word for number in range(len(cast)) for word in secrets_of(number))]
    every_word += [f"secret{number}X" for number in range(len(cast))]
    excerpt = data.draw(st.lists(st.sampled_from(every_word), max_size=12).map("，".join))
    named = data.draw(st.none() | st.lists(st.sampled_from([entity.id for entity in made]), max_size=6))
    for request in ({"excerpt": excerpt}, {"excerpt": "，".join(every_word)}, {"excerpt": ""}):
        answer = told(story, entity_ids=named, **request)
        text = answer.model_dump_json(by_alias=True)
        ids = {item.id for item in answer.items}
        for number, entity in enumerate(made):
            if cast[number]["level"] == "never":
                assert entity.id not in text
                assert not [word for word in (*secrets_of(number), f"ecret{number}") if word in text]
            elif cast[number]["level"] == "manual_only" and entity.id not in (named or ()):
                assert entity.id not in ids
        if named is not None:
            assert ids <= set(named)
    delete_story(memory.call(), project_id=story.id)


@SHARED_FILE
@given(people)
def test_everybody_else_is_told_when_the_text_speaks_of_them(
    memory: Memory, cast: list[dict[str, Any]]
) -> None:
    story = StoryMemory(memory, str(uuid4()))
    made = peopled(story, cast)
    excerpt = "，".join(entity.name for entity in made)
    unasked = {entity.id for entity, one in zip(made, cast, strict=True) if one["level"] in LEVELS[:2]}
    asked = {entity.id for entity, one in zip(made, cast, strict=True) if one["level"] != "never"}
    assert {item.id for item in told(story, excerpt=excerpt).items} == unasked
    everybody = [entity.id for entity in made]
    assert {item.id for item in told(story, excerpt=excerpt, entity_ids=everybody).items} == asked
    delete_story(memory.call(), project_id=story.id)


@SHARED_FILE
@given(levels, levels)
def test_a_merged_secret_is_as_secret_as_the_stricter_of_both(memory: Memory, kept: str, other: str) -> None:
    story = StoryMemory(memory, str(uuid4()))
    one, two = peopled(story, [{"level": kept, "said": "渡口"}, {"level": other, "said": "lantern"}])
    merged = story.entity.merge(target_entity_id=one.id, source_entity_ids=[two.id]).entity
    secrecy = {"always": 0, "when_detected": 0, "manual_only": 1, "never": 2}
    assert secrecy[merged.ai_context_level] == max(secrecy[kept], secrecy[other])
    if secrecy[kept] >= secrecy[other]:
        assert merged.ai_context_level == kept
    found = {item.id for item in told(story, excerpt=f"{one.name}，{two.name}，lantern").items}
    assert (one.id in found) is (secrecy[merged.ai_context_level] == 0)
    story.history.undo()
    assert [story.entity.read(id=key).ai_context_level for key in (one.id, two.id)] == [kept, other]
    delete_story(memory.call(), project_id=story.id)


@SHARED_FILE
@given(st.lists(levels, min_size=2, max_size=5))
def test_a_changed_level_counts_from_the_next_question_on(memory: Memory, changes: list[str]) -> None:
    story = StoryMemory(memory, str(uuid4()))
    (entity,) = peopled(story, [{"level": "always", "said": "渡口"}])
    for level in changes:
        story.entity.update(
            id=entity.id,
            expected_version=story.entity.read(id=entity.id).version,
            patch={"ai_context_level": level},
        )
        for request in ({"excerpt": entity.name}, {"excerpt": "渡口"}, {"excerpt": ""}):
            assert bool(told(story, **request).items) is (level in LEVELS[:2])
            assert bool(told(story, entity_ids=[entity.id], **request).items) is (level != "never")
    delete_story(memory.call(), project_id=story.id)
