"""The clock: later at every look, whatever happens to the computer's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from fabula.memory import Memory, SystemClock
from fabula.model.clock import later, seconds_between

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


class JumpingWall:
    """A time of the computer that is set at will."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@given(st.lists(st.integers(-400_000, 400_000), min_size=1))
def test_it_only_goes_forward_and_never_behind_the_computer(jumps: list[int]) -> None:
    wall = JumpingWall()
    clock = SystemClock(wall)
    told = [clock.now()]
    for jump in jumps:
        wall.now += timedelta(seconds=jump)
        told.append(clock.now())
        assert datetime.fromisoformat(told[-1]) >= wall.now
    assert told == sorted(set(told))


def test_set_back_it_goes_on_at_the_same_pace() -> None:
    wall = JumpingWall()
    clock = SystemClock(wall)
    elapsed = iter((5.0, 65.0))
    before = clock.now()
    wall.now -= timedelta(hours=1)
    clock._at, clock.monotonic = 5.0, lambda: next(elapsed)  # type: ignore[method-assign]
    assert 0 <= seconds_between(before, clock.now()) < 1
    assert 60 <= seconds_between(before, clock.now()) < 61


def test_a_job_that_waits_for_a_time_long_set_back_is_done(memory: Memory) -> None:
    call, story = memory.call(), memory.story("题").id
    asked = {"text": "林惊羽推开门。", "extractor": "local"}
    job = call.jobs.queue(call, "extraction", story, "", "", asked, delay=86_400)
    soon = call.jobs.queue(call, "extraction", story, "1", "", asked, delay=300)
    now = call.clock.now()
    memory.work(after_saving=False)
    assert call.jobs.job(soon.id).run_after > later(now, 200), "what was meant stays"
    assert call.jobs.job(job.id).run_after < later(now, 60)
