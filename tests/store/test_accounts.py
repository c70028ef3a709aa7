"""Users, tokens and roles as they are kept, and what a store does for one user only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from doors import rows
from fabula.errors import Conflict, FabulaError, Forbidden, InvalidInput, NotFound, Unauthenticated
from fabula.memory import Memory
from fabula.model.account import LOCAL, Identity, Role
from fabula.operations.access import require
from fabula.operations.accounts import add_user, create_token, list_users, revoke_tokens
from fabula.operations.members import list_members, put_member, remove_member
from fabula.operations.stories import (
    StoryPatch,
    create_story,
    delete_story,
    list_stories,
    update_story,
)
from fabula.story_memory import StoryMemory
from postgres import place_at


def _user(memory: Memory, name: str) -> Identity:
    add_user(memory.call(), name=name)
    return memory.identify(create_token(memory.call(), user_name=name).secret)


def _begin(memory: Memory, who: Identity, title: str = "海港") -> str:
    return create_story(memory.call(who), title=title).id


@pytest.mark.sqlite_only(reason="looks into the bytes of the file")
def test_a_token_is_kept_as_its_hash_only(memory: Memory) -> None:
    user = add_user(memory.call(), name="林远")
    made = create_token(memory.call(), user_name="林远", label="laptop")
    assert made.secret.startswith("fab_")
    assert len(made.secret) == len("fab_") + 43, "32 bytes, url-safe"
    assert memory.identify(made.secret) == Identity(user.id, "林远")
    memory.close()
    for path in memory.place.parent.iterdir():
        assert made.secret.encode() not in path.read_bytes()
        assert made.secret.removeprefix("fab_").encode() not in path.read_bytes()


def test_tokens_are_never_twice_the_same(memory: Memory) -> None:
    add_user(memory.call(), name="lin")
    secrets = {create_token(memory.call(), user_name="lin").secret for _ in range(50)}
    assert len(secrets) == 50
    (account,) = list_users(memory.call())
    assert len(account.tokens) == 50
    assert not any(secret in repr(account) for secret in secrets)


@pytest.mark.parametrize("token", ["", "fab_", "fab_x", "\ud800", "x" * 100_000])
def test_what_is_no_token_identifies_nobody(memory: Memory, token: str) -> None:
    add_user(memory.call(), name="lin")
    create_token(memory.call(), user_name="lin")
    with pytest.raises(Unauthenticated) as refused:
        memory.identify(token)
    assert len(token) < 5 or token not in str(refused.value.as_dict())


def test_the_hash_of_a_token_is_no_token(memory: Memory) -> None:
    _user(memory, "lin")
    (kept,) = rows(memory.place, "SELECT token_hash FROM user_tokens")
    with pytest.raises(Unauthenticated):
        memory.identify(kept)


def test_one_token_is_revoked_and_the_others_stay(memory: Memory) -> None:
    add_user(memory.call(), name="lin")
    first, second, third = (create_token(memory.call(), user_name="lin", label=label) for label in "abc")
    assert revoke_tokens(memory.call(), user_name="lin", token_id=second.token.id) == 1
    with pytest.raises(Unauthenticated):
        memory.identify(second.secret)
    assert memory.identify(first.secret) == memory.identify(third.secret)
    with pytest.raises(NotFound):
        revoke_tokens(memory.call(), user_name="lin", token_id=second.token.id)
    assert revoke_tokens(memory.call(), user_name="lin") == 2
    assert revoke_tokens(memory.call(), user_name="lin") == 0


def test_a_token_of_somebody_else_cannot_be_revoked_under_another_name(memory: Memory) -> None:
    _user(memory, "lin")
    add_user(memory.call(), name="su")
    made = create_token(memory.call(), user_name="su")
    with pytest.raises(NotFound):
        revoke_tokens(memory.call(), user_name="lin", token_id=made.token.id)
    assert memory.identify(made.secret).name == "su"


@pytest.mark.parametrize("name", ["Lin", "LIN", "ｌｉｎ"])
def test_a_name_is_taken_in_any_spelling(memory: Memory, name: str) -> None:
    add_user(memory.call(), name="lin")
    with pytest.raises(Conflict):
        add_user(memory.call(), name=name)
    assert create_token(memory.call(), user_name=name).secret


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a/b", "a\nb", "a\x00", "\u200b", "长" * 65, "a?b", "a%2Fb"]
)
def test_a_name_that_is_none_is_refused(memory: Memory, name: str) -> None:
    with pytest.raises(InvalidInput):
        add_user(memory.call(), name=name)
    assert list_users(memory.call()) == ()


def test_nobody_has_tokens_or_roles(memory: Memory, story: StoryMemory) -> None:
    for refused in (
        lambda: create_token(memory.call(), user_name="nobody"),
        lambda: revoke_tokens(memory.call(), user_name="nobody"),
        lambda: put_member(memory.call(), project_id=story.id, user_name="nobody", role=Role.READER),
        lambda: put_member(memory.call(), project_id="nowhere", user_name="nobody", role=Role.READER),
    ):
        with pytest.raises(NotFound):
            refused()


@pytest.mark.parametrize("held", Role)
@pytest.mark.parametrize("needed", Role)
def test_a_role_covers_those_below_it(memory: Memory, story: StoryMemory, held: Role, needed: Role) -> None:
    lin = _user(memory, "lin")
    put_member(memory.call(), project_id=story.id, user_name="lin", role=held)
    order = ["reader", "editor", "owner"]
    if order.index(held) >= order.index(needed):
        require(memory.call(lin), story.id, needed)
        return
    with pytest.raises(Forbidden) as refused:
        require(memory.call(lin), story.id, needed)
    assert refused.value.details == {"projectId": story.id, "requiredRole": needed, "role": held}
    assert needed in (refused.value.suggestion or "")


def test_the_local_caller_may_do_everything_with_every_story(memory: Memory) -> None:
    story = _begin(memory, _user(memory, "lin"))
    for role in Role:
        require(memory.call(LOCAL), story, role)
    assert [kept.id for kept in list_stories(memory.call())] == [story]
    delete_story(memory.call(), project_id=story)
    assert rows(memory.place, "SELECT * FROM story_members") == []


def test_a_story_of_the_local_caller_has_no_owner(memory: Memory, story: StoryMemory) -> None:
    lin = _user(memory, "lin")
    assert list_members(memory.call(), project_id=story.id).members == ()
    with pytest.raises(Forbidden):
        require(memory.call(lin), story.id, Role.READER)


def test_a_store_for_one_user_refuses_writes_by_itself(memory: Memory, story: StoryMemory) -> None:
    """Even an operation that nobody guarded cannot change a story of somebody else."""
    lin = _user(memory, "lin")
    for role in (None, Role.READER):
        if role is not None:
            put_member(memory.call(), project_id=story.id, user_name="lin", role=role)
        with pytest.raises(Forbidden):
            update_story(memory.call(lin), project_id=story.id, patch=StoryPatch(title="夺"))
        with pytest.raises(Forbidden):
            delete_story(memory.call(lin), project_id=story.id)
        with pytest.raises(Forbidden):
            put_member(memory.call(lin), project_id=story.id, user_name="lin", role=Role.OWNER)
        with pytest.raises(Forbidden):
            remove_member(memory.call(lin), project_id=story.id, user_name="lin")
    assert rows(memory.place, "SELECT title FROM stories") == ["测试"]
    with pytest.raises(NotFound):
        update_story(memory.call(lin), project_id="nowhere", patch=StoryPatch(title="夺"))


def test_of_two_who_begin_a_story_at_once_one_owns_it_and_the_other_wrote_nothing(memory: Memory) -> None:
    people = [_user(memory, name) for name in ("a", "b", "c", "d")]

    def write(who: Identity, story: str) -> str:
        payload = {"projectId": story, "type": "item", "name": who.name}
        try:
            memory.answer("knowledge:entity:create", payload, identity=who)
            return "ok"
        except FabulaError as refused:
            return refused.code

    with ThreadPoolExecutor(len(people)) as pool:
        for number in range(20):
            story = f"s{number}"
            said = list(pool.map(lambda who, story=story: write(who, story), people))
            assert sorted(said) == ["FORBIDDEN"] * 3 + ["ok"]
            winner = people[said.index("ok")]
            assert rows(memory.place, "SELECT name FROM kg_entities WHERE project_id=?", story) == [
                winner.name
            ]
            kept = "SELECT user_id, role FROM story_members WHERE project_id=?"
            assert rows(memory.place, kept, story) == [(winner.id, "owner")]


def test_the_last_owner_stays(memory: Memory) -> None:
    lin, su = _user(memory, "lin"), _user(memory, "su")
    story = _begin(memory, lin)
    with pytest.raises(Conflict):
        remove_member(memory.call(lin), project_id=story, user_name="lin")
    put_member(memory.call(lin), project_id=story, user_name="su", role=Role.OWNER)
    remove_member(memory.call(su), project_id=story, user_name="lin")
    with pytest.raises(Forbidden):
        require(memory.call(lin), story, Role.READER)
    with pytest.raises(Conflict):
        put_member(memory.call(), project_id=story, user_name="su", role=Role.EDITOR)


def test_accounts_are_not_under_the_change_log(memory: Memory, story: StoryMemory) -> None:
    before = rows(memory.place, "SELECT count(*) FROM story_steps")
    _user(memory, "lin")
    put_member(memory.call(), project_id=story.id, user_name="lin", role=Role.EDITOR)
    assert rows(memory.place, "SELECT count(*) FROM story_steps") == before
    assert all(not report.differing for report in memory.audit())


def test_the_log_names_the_user_by_id(memory: Memory) -> None:
    lin = _user(memory, "lin")
    story = _begin(memory, lin)
    assert set(rows(memory.place, "SELECT actor FROM story_steps WHERE project_id=?", story)) == {lin.id}


def test_accounts_outlive_the_process(tmp_path: Path) -> None:
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        add_user(memory.call(), name="lin")
        secret = create_token(memory.call(), user_name="lin").secret
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        assert memory.identify(secret).name == "lin"
