"""Laws of review: it can be taken back, many are as one by one, no stays no, the author's word stays."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.names import name_key
from fabula.model.proposal import proposal_identity
from fabula.operations.proposals.review import review_extractions
from fabula.operations.proposals.values import BatchDecision
from fabula.operations.stories import StoryPatch, update_story
from fabula.store.kinds import KINDS
from fabula.store.reader import EntityFilter
from fabula.story_memory import StoryMemory

pytestmark = pytest.mark.slow
SHARED_FILE = settings(
    max_examples=examples(50),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
_ALL = EntityFilter()
NAMES = ("林逸", "寒霜剑", "Lin", "ｌｉｎ", "阿离")
TYPES = ("character", "item", "unknown")
TEXT = "林逸拔出寒霜剑，阿离退后。Lin laughed."

names = st.sampled_from(NAMES)
values = st.sampled_from(["青", "白", 3])
attributes = st.dictionaries(st.sampled_from(["色", "年", "description"]), values, max_size=2)
confidence = st.sampled_from([0.1, 0.5, 0.9])


@st.composite
def drafts(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["entity", "entity", "entity", "alias", "relation", "event"]))
    said = {
        "entity": attributes,
        "alias": st.fixed_dictionaries({"aliasOf": names}),
        "relation": st.fixed_dictionaries({"target": names, "type": st.sampled_from(["knows", "盟友"])}),
        "event": st.fixed_dictionaries({"role": st.lists(names, max_size=2), "location": names}),
    }[kind]
    return {
        "kind": kind,
        "entity_name": draw(names),
        "entity_type": draw(st.sampled_from(TYPES)),
        "attributes": draw(said),
        "aliases": draw(st.lists(names, max_size=1)) if kind == "entity" else [],
        "same_as": draw(st.none() | names),
        "source_text": draw(st.sampled_from(["", "林逸拔出寒霜剑", "不在文中"])),
        "confidence": draw(confidence),
    }


finds = st.lists(drafts(), min_size=1, max_size=6)
chapters = st.none() | st.integers(0, 2)
authored = st.lists(
    st.tuples(st.sampled_from(TYPES), names, attributes, st.sampled_from(["", "作者写的。"])), max_size=3
)


def begun(memory: Memory) -> StoryMemory:
    return memory.story("审", id=str(uuid4()))


def proposed(story: StoryMemory, found: list[dict[str, Any]], chapter: int | None = None) -> Any:
    return story.propose(*found, text=TEXT, chapter=chapter)


def rows(memory: Memory, story: StoryMemory) -> dict[str, list[str]]:
    """Everything that is kept, without the numbers that only count writes."""
    with memory.call().store.read() as reader:
        return {
            kind.name: sorted(
                json.dumps({k: v for k, v in kind.image(row).items() if k not in ("version", "updated_at")})
                for row in reader.rows_of(kind, story.id)
            )
            for kind in KINDS.values()
            if kind.name != "story"
        }


def world(memory: Memory, story: StoryMemory) -> Any:
    """What the story says, whatever the ids are."""
    with memory.call().store.read() as reader:
        entities = {row.id: row for row in reader.entity_page(story.id, _ALL, 1000, 0).items}
        called = {key: (row.type, row.name) for key, row in entities.items()}
        said = [
            sorted(
                (called[key], row.description, str(sorted(row.attributes.items(), key=str)), row.aliases)
                for key, row in entities.items()
            ),
            sorted(
                (
                    called[row.source_entity_id],
                    called[row.target_entity_id],
                    row.relation_type,
                    str(row.since),
                )
                for row in reader.relations_of(story.id, entities)
            ),
            sorted(str((row.attributes, row.since)) for row in reader.states_of(story.id, entities)),
            sorted(
                (called[row.source_entity_id], row.target_name, row.relation_type)
                for row in reader.events.pending_of(story.id, entities)
            ),
            sorted(row.entry_key for row in reader.lore.entries_of(story.id, entities).values()),
        ]
    outcomes = sorted(
        (str(proposal_identity(row)), row.review_action, str(row.attributes))
        for row in story.proposals(reviewed=None)
    )
    return said, outcomes


def tried(story: StoryMemory, proposal_id: str, action: str, **wishes: Any) -> bool:
    try:
        story.review(proposal_id, action, **wishes)
    except FabulaError:
        return False
    return True


def write(memory: Memory, story: StoryMemory, people: list[Any]) -> list[Any]:
    """What the author wrote: some entities, one entry, one relation."""
    made = []
    for kind, name, said, prose in people:
        if (kind, name_key(name)) not in [(one.type, name_key(one.name)) for one in made]:
            made.append(story.entity.create(type=kind, name=name, attributes=said, description=prose))
    others = [name_key(one.name) for one in made[1:]]
    if made and made[0].type == "item" and name_key(made[0].name) not in others:
        story.entry(made[0].name, "作者的条目。", category="item")
    if len(made) > 1:
        ends = {"source_entity_id": made[0].id, "target_entity_id": made[1].id}
        story.relation.create(**ends, relation_type="knows", description="旧识")
    return list(kept_entities(memory, story, made).values())


def kept_entities(memory: Memory, story: StoryMemory, entities: list[Any]) -> dict[str, Any]:
    with memory.call().store.read() as reader:
        return reader.entities(story.id, [entity.id for entity in entities])


@SHARED_FILE
@given(authored, finds, chapters, st.data())
def test_a_review_that_is_undone_leaves_everything_as_before(
    memory: Memory, people: Any, found: Any, chapter: int | None, data: st.DataObject
) -> None:
    story = begun(memory)
    write(memory, story, people)
    proposed(story, found, chapter)
    for proposal in story.proposals():
        before = rows(memory, story)
        action = data.draw(st.sampled_from(["approved", "rejected", "merged"]))
        if tried(story, proposal.id, action) and data.draw(st.booleans()):
            story.history.undo()
            assert rows(memory, story) == before
            story.history.redo()
            after = rows(memory, story)
            story.history.undo()
            assert rows(memory, story) == before
            story.history.redo()
            assert rows(memory, story) == after
    assert memory.audit()[0].differing == ()


@SHARED_FILE
@given(authored, finds, chapters, st.sampled_from(["approved", "rejected", "merged"]))
def test_many_at_once_are_as_one_by_one_and_a_dry_run_says_so_before(
    memory: Memory, people: Any, found: Any, chapter: int | None, action: Any
) -> None:
    one_by_one, at_once = begun(memory), begun(memory)
    for story in (one_by_one, at_once):
        write(memory, story, people)
        proposed(story, found, chapter)
    call = memory.call()
    request = BatchDecision(action=action, min_confidence=0)
    before = rows(memory, at_once)
    preview = review_extractions(
        call, project_id=at_once.id, decision=request.model_copy(update={"dry_run": True})
    )
    assert rows(memory, at_once) == before
    done = review_extractions(call, project_id=at_once.id, decision=request)
    assert [result.written for result in preview.results] == [result.written for result in done.results]
    assert (preview.counts, preview.errors) == (done.counts, done.errors)
    order = {"entity": 0, "alias": 1, "relation": 2, "event": 3}
    waiting = sorted(one_by_one.proposals(), key=lambda proposal: order[proposal.kind])
    succeeded = [tried(one_by_one, proposal.id, action) for proposal in waiting]
    assert sum(succeeded) == getattr(done.counts, action)
    assert world(memory, one_by_one) == world(memory, at_once)


@SHARED_FILE
@given(authored, finds, st.permutations(range(6)), chapters)
def test_what_was_rejected_is_not_proposed_again(
    memory: Memory, people: Any, found: Any, order: Any, chapter: int | None
) -> None:
    story = begun(memory)
    write(memory, story, people)
    proposed(story, found, chapter)
    refused = story.proposals()
    for proposal in refused:
        story.review(proposal.id, "rejected")
    again = [found[place] for place in order if place < len(found)]
    fresh = proposed(story, again).extractions
    newcomers = {proposal_identity(one) for one in refused if one.suggestion == "new"}
    items = {
        (name_key(one.same_as or one.entity_name), key, str(value))
        for one in refused
        for key, value in one.attributes.items()
    }
    for one in fresh:
        assert one.suggestion != "new" or proposal_identity(one) not in newcomers
        if one.kind == "entity" and one.suggestion != "new":
            whom = name_key(one.same_as or "")
            assert not {(whom, key, str(value)) for key, value in one.attributes.items()} & items


@SHARED_FILE
@given(authored, finds, chapters)
def test_the_same_reading_again_proposes_nothing_and_writes_nothing(
    memory: Memory, people: Any, found: Any, chapter: int | None
) -> None:
    story = begun(memory)
    write(memory, story, people)
    first = proposed(story, found, chapter)
    revision = story.history.list(limit=1).items[0].revision
    again = proposed(story, found, chapter)
    assert again.extractions == ()
    assert sum(again.skipped.model_dump().values()) >= first.total_extracted
    assert story.history.list(limit=1).items[0].revision == revision


@SHARED_FILE
@given(authored, finds, finds, chapters, st.booleans(), st.data())
def test_what_the_author_wrote_stays(
    memory: Memory, people: Any, found: Any, more: Any, chapter: int | None, auto: bool, data: st.DataObject
) -> None:
    story = begun(memory)
    written = write(memory, story, people)
    relations = story.relation.list().items
    threshold = 0.5 if auto else None
    _set(memory, story, autoApprove=threshold)
    for part in (found, more):
        proposed(story, part, chapter)
        for proposal in story.proposals():
            action = data.draw(st.sampled_from(["approved", "merged", "rejected"]))
            tried(story, proposal.id, action)
    kept = kept_entities(memory, story, written)
    for entity in written:
        now = kept[entity.id]
        assert (now.type, now.name) == (entity.type, entity.name)
        assert now.description == entity.description or not entity.description.strip()
        assert {key: now.attributes[key] for key in entity.attributes} == entity.attributes
        assert now.aliases[: len(entity.aliases)] == entity.aliases
        stated = [state.attributes for state in story.state.list(entity_id=entity.id).items]
        assert all(not said.keys() & entity.attributes.keys() for said in stated)
    related = {relation.id: relation for relation in story.relation.list().items}
    assert all(related[relation.id] == relation for relation in relations)


def _set(memory: Memory, story: StoryMemory, **changes: Any) -> None:
    update_story(memory.call(), project_id=story.id, patch=StoryPatch(settings=changes))
