"""Whether an id belongs to another story: asked once, by an index, however many stories there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event

from fabula.errors import NotFound, ScopeViolation
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.members import put_member
from fabula.operations.stories import create_story
from fabula.story_memory import StoryMemory
from postgres import place_at

# Stories are listed by their last change: the first that was written is the last that is looked at.
STORIES = 1200


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory(place_at(tmp_path_factory.mktemp("many") / "fabula.db")) as opened:
        yield opened


@pytest.fixture(scope="module")
def stranger(memory: Memory) -> str:
    """Somebody of the oldest of many stories."""
    made = memory.story("oldest", id="oldest").entity.create(type="character", name="外人").id
    for number in range(STORIES):
        create_story(memory.call(), title=f"{number}", id=f"s{number}")
    return str(made)


@pytest.fixture(scope="module")
def newest(memory: Memory, stranger: str) -> StoryMemory:
    return memory.story("newest", id="newest")


@pytest.mark.long
def test_an_id_of_the_oldest_of_many_stories_is_known_to_be_foreign(
    newest: StoryMemory, stranger: str
) -> None:
    with pytest.raises(ScopeViolation) as refused:
        newest.entity.read(id=stranger)
    assert refused.value.details == {"foreignEntityIds": [stranger]}
    with pytest.raises(NotFound):
        newest.entity.read(id="nobody")


def test_a_user_is_told_only_of_stories_they_may_see(
    memory: Memory, newest: StoryMemory, stranger: str
) -> None:
    add_user(memory.call(), name="lin")
    lin = memory.call(memory.identify(create_token(memory.call(), user_name="lin").secret)).store
    put_member(memory.call(), project_id=newest.id, user_name="lin", role=Role.EDITOR)
    with lin.read() as reader:
        assert reader.in_other_stories(newest.id, [stranger]) == set()
    put_member(memory.call(), project_id="oldest", user_name="lin", role=Role.READER)
    with lin.read() as reader:
        assert reader.in_other_stories(newest.id, [stranger]) == {stranger}
        assert reader.in_other_stories("oldest", [stranger]) == set()


def test_it_is_one_query_by_the_primary_key(memory: Memory, newest: StoryMemory, stranger: str) -> None:
    asked: list[tuple[str, object]] = []

    def note(_c: object, _cursor: object, statement: str, values: object, *_: object) -> None:
        asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        with memory.call().store.read() as reader:
            asked.clear()
            assert reader.in_other_stories(newest.id, [stranger]) == {stranger}
            ((statement, values),) = asked
            if reader.connection.dialect.name == "sqlite":
                plan = reader.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
                assert any("SEARCH kg_entities" in row[-1] for row in plan), plan
                assert not any("SCAN kg_entities" in row[-1] for row in plan), plan
    finally:
        event.remove(Engine, "before_cursor_execute", note)
