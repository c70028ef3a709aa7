"""Hints to jobs: always as the jobs are, asked instead of them, and mended where they are lost."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import Connection, Engine, delete, event, insert

from fabula.errors import LlmUnavailable
from fabula.jobs.crew import MEND_HINTS_S
from fabula.jobs.ledger import STALE_S
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.store.job_tables import job_hints
from office import Office
from postgres import place_at
from still_clock import StillClock


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "jobs.db"), clock=StillClock()) as memory:
        yield memory


@pytest.fixture
def office(house: Memory) -> Office:
    return Office(house, house.call().clock, house.story("题").id)


def misplaced(office: Office) -> set[Any]:
    with office.call.store.read() as reader:
        return set(reader.jobs.misplaced_hints())


def forget(office: Office) -> None:
    """Lose every hint, as a copy made by hand would."""
    with office.call.store.write_jobs() as jobs:
        jobs.connection.execute(delete(job_hints))


class Hints(RuleBasedStateMachine):
    """Jobs of two crews that are queued, run, fail, are cancelled, abandoned and asked for again."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="fabula-hints-")
        self.memory = Memory(place_at(Path(self.folder.name) / "jobs.db"), clock=StillClock())
        story = self.memory.story("题").id
        self.clock = StillClock()
        self.offices = [Office(self.memory, self.clock, story) for _ in range(2)]

    @rule(
        office=st.integers(0, 1),
        subject=st.sampled_from("abc"),
        delay=st.sampled_from([0, 5, 100, 9_999_999]),
    )
    def queue(self, office: int, subject: str, delay: float) -> None:
        self.offices[office].queue(subject, delay)

    @rule(office=st.integers(0, 1), again=st.booleans(), fails=st.booleans())
    def run(self, office: int, again: bool, fails: bool) -> None:
        own = self.offices[office]

        def work(task: Any) -> None:
            if again:
                own.queue(task.job.subject, 50)
            if fails:
                raise LlmUnavailable("down")

        own.work = work
        own.crew._run_next()

    @rule(office=st.integers(0, 1))
    def abandon(self, office: int) -> None:
        """A worker takes a job and is never heard of again."""
        ledger = self.offices[office].crew.ledger
        if due := ledger.due(set()):
            ledger.taken(*due)

    @rule(office=st.integers(0, 1), which=st.integers(0, 5))
    def cancel(self, office: int, which: int) -> None:
        own = self.offices[office]
        waiting = own.board.page(own.story, 0, 10, unfinished=True).items
        if waiting:
            own.board.cancel(waiting[which % len(waiting)].id)

    @rule(seconds=st.sampled_from([1.0, STALE_S, 5_000.0]))
    def wait(self, seconds: float) -> None:
        self.clock.pass_seconds(seconds)

    @rule(office=st.integers(0, 1))
    def look(self, office: int) -> None:
        self.offices[office].crew.ledger.bring_near()

    @invariant()
    def hints_are_as_the_jobs_are(self) -> None:
        assert misplaced(self.offices[0]) == set()

    def teardown(self) -> None:
        # Whatever happened, all of it is done in the end, and no hint stays.
        for own in self.offices:
            own.work = lambda task: None
        self.clock.pass_seconds(20_000_000)
        while sum(own.crew.run_due() for own in self.offices):
            self.clock.pass_seconds(STALE_S)
        own = self.offices[0]
        assert own.board.page(own.story, 0, 10, unfinished=True).total == 0
        assert misplaced(own) == set()
        self.memory.close()
        self.folder.cleanup()


TestHints = Hints.TestCase
TestHints.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)


def test_whoever_looks_for_jobs_asks_for_hints_alone(office: Office) -> None:
    said: list[str] = []

    def hear(_c: Connection, _u: Any, statement: str, *_: Any) -> None:
        said.append(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        assert office.crew.run_due() == 0
        office.crew.ledger.next_time()
        office.crew.ledger.release_gone()
    finally:
        event.remove(Engine, "before_cursor_execute", hear)
    assert any("job_hints" in one for one in said)
    assert not [one for one in said if "FROM jobs" in one or "UPDATE jobs" in one]


def test_a_job_whose_hint_was_lost_is_done_all_the_same(office: Office, house: Memory) -> None:
    job = office.queue()
    forget(office)
    assert (office.crew.run_due(), office.status(job)) == (0, "queued")
    office.crew.stand_by(0)
    assert (office.crew.run_due(), office.status(job)) == (1, "done")


def test_a_hint_that_is_lost_while_a_crew_stands_by_is_found_missing(office: Office) -> None:
    office.crew.stand_by(0)
    job = office.queue()
    forget(office)
    office.crew._look_around()
    assert office.crew.run_due() == 0
    clock = office.clock
    assert isinstance(clock, StillClock)
    clock.pass_seconds(MEND_HINTS_S)
    office.crew._look_around()
    assert (office.crew.run_due(), office.status(job)) == (1, "done")


def test_a_hint_to_nothing_is_followed_once(office: Office) -> None:
    left = {"project_id": office.story, "job_id": "gone", "since": "", "worker": None}
    with office.call.store.write_jobs() as jobs:
        jobs.connection.execute(insert(job_hints), left)
    assert office.crew.ledger.due(set()) == (office.story, "gone")
    assert office.crew.run_due() == 1
    assert office.crew.ledger.due(set()) is None


def test_the_hints_of_a_story_go_with_it(office: Office, house: Memory) -> None:
    office.queue()
    delete_story(house.call(), project_id=office.story)
    assert office.crew.ledger.due(set()) is None
    assert misplaced(office) == set()
