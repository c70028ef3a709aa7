"""When a projection catches up with a story."""

from __future__ import annotations

from fabula.projections.schedule import FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS, Schedule
from fabula.store.reader import Edition

QUIET, LONGEST = 1.0, 10.0


def test_a_story_is_due_when_it_is_left_alone() -> None:
    schedule = Schedule(QUIET, LONGEST)
    assert schedule.due(0, {"a": Edition("x", 1)}) == ["a"]  # not known yet: looked at once
    schedule.done("a")
    assert schedule.due(1, {"a": Edition("x", 2)}) == []
    assert schedule.due(1 + QUIET, {"a": Edition("x", 2)}) == ["a"]
    schedule.done("a")
    assert schedule.due(50, {"a": Edition("x", 2)}) == []


def test_a_story_that_is_never_left_alone_is_due_too() -> None:
    schedule = Schedule(QUIET, LONGEST)
    schedule.due(0, {"a": Edition("x", 0)})
    schedule.done("a")
    now, step = 1.0, QUIET / 2
    waited = 0
    while not schedule.due(now + waited * step, {"a": Edition("x", 1 + waited)}):
        waited += 1
    assert waited * step == LONGEST


def test_without_patience_a_change_is_due_at_once_and_no_other_story_with_it() -> None:
    schedule = Schedule()
    schedule.know({"a": Edition("x", 1), "b": Edition("y", 1)})
    assert schedule.due(0, {"a": Edition("x", 2), "b": Edition("y", 1)}) == ["a"]


def test_what_fails_is_tried_again_later_and_later_and_keeps_nothing_else_waiting() -> None:
    schedule = Schedule()
    now, pauses = 0.0, []
    for failures in range(1, 10):
        assert schedule.due(now, {"a": Edition("x", 1), "b": Edition("y", failures)}) == ["a", "b"]
        assert schedule.failed("a", now) == failures
        schedule.done("b")
        begun, now = now, now + FIRST_RETRY_SECONDS
        while not schedule.due(now, {}):
            now += FIRST_RETRY_SECONDS
        pauses.append(now - begun)
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, LONGEST_RETRY_SECONDS]
    schedule.done("a")
    assert schedule.failed("a", now) == 1


def test_a_story_that_is_gone_is_forgotten_and_one_made_again_under_its_id_is_due() -> None:
    schedule = Schedule(QUIET, LONGEST)
    schedule.due(0, {"a": Edition("x", 3)})
    schedule.failed("a", 0)
    schedule.keep(())
    assert schedule.due(100, {}) == []
    assert schedule.due(100, {"a": Edition("later", 3)}) == ["a"]
