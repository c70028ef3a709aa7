"""One broken job holds up no other: whatever its work raises, and whatever the database says to its end."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from doors import rows
from fabula.jobs import crew as job_crew
from fabula.jobs.ledger import FAILED, STALE_S
from fabula.jobs.task import HoldLost, Task
from fabula.memory import Memory
from fabula.model.job import Job
from fabula.store import job_writer
from fabula.store.place import DatabasePlace, PostgresPlace
from office import Office
from postgres import ask, blank_at
from still_clock import StillClock
from waiting import eventually


@pytest.fixture
def place(tmp_path: Path) -> DatabasePlace:
    # Not one that another test gets afterwards: what is forbidden in it stays so.
    return blank_at(tmp_path / "jobs.db")


@pytest.fixture
def house(place: DatabasePlace) -> Iterator[Memory]:
    with Memory(place, clock=StillClock()) as memory:
        yield memory


@pytest.fixture
def office(house: Memory) -> Office:
    return Office(house, StillClock(), house.story("题").id)


@pytest.fixture
def neighbour(house: Memory, office: Office) -> Office:
    """The same crew, asked for by another story."""
    other = Office(house, office.clock, house.story("邻").id)
    other.crew, other.board = office.crew, office.board
    return other


def tell(place: DatabasePlace, *statements: str) -> None:
    if isinstance(place, PostgresPlace):
        ask(place.conninfo, *statements)
        return
    with closing(sqlite3.connect(place)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def forbid(place: DatabasePlace, event: str, table: str, when: str) -> None:
    """Let the database refuse something from now on."""
    if isinstance(place, PostgresPlace):
        tell(
            place,
            "CREATE FUNCTION no() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'no'; END $$ LANGUAGE plpgsql",
            f"CREATE TRIGGER no BEFORE {event} ON {table} FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION no()",
        )
    else:
        refusing = "BEGIN SELECT RAISE(ABORT, 'no'); END"
        tell(place, f"CREATE TRIGGER no BEFORE {event} ON {table} WHEN {when} {refusing}")


def allow(place: DatabasePlace, table: str) -> None:
    tell(place, f"DROP TRIGGER no{f' ON {table}' if isinstance(place, PostgresPlace) else ''}")


def left_over(place: DatabasePlace) -> list[int]:
    """The parts of jobs that have ended."""
    return rows(
        place,
        "SELECT part FROM job_parts JOIN jobs ON jobs.id = job_parts.job_id WHERE finished_at IS NOT NULL",
    )


def test_no_part_is_kept_of_a_job_that_has_ended(house: Memory, office: Office, place: DatabasePlace) -> None:
    elsewhere = Office(house, office.clock, office.story)
    kept: list[bool] = []

    def work(task: Task) -> None:
        kept.append(task.keep_part(0, b"before"))
        elsewhere.board.cancel(task.job.id)
        kept.append(task.keep_part(1, b"after"))
        kept.append(task.report(0.5, ""))

    office.work = work
    job = office.queue()
    office.crew.run_due()
    assert kept == [True, False, False]
    assert (office.status(job), left_over(place)) == ("cancelled", [])


def test_no_step_is_written_by_a_job_that_has_ended(house: Memory, office: Office) -> None:
    elsewhere = Office(house, office.clock, office.story)
    refused: list[bool] = []

    def work(task: Task) -> None:
        elsewhere.board.cancel(task.job.id)
        try:
            with office.writing() as writer:
                task.insist(writer)
        except HoldLost:
            refused.append(True)
            raise

    office.work = work
    job = office.queue()
    office.crew.run_due()
    assert (office.status(job), refused) == ("cancelled", [True])


def test_old_jobs_are_forgotten_with_what_is_left_of_them(
    office: Office, place: DatabasePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_writer, "KEPT_JOBS", 2)
    old = office.queue("old")
    office.board.cancel(old.id)
    blob = "'\\x00'::bytea" if isinstance(place, PostgresPlace) else "x'00'"
    tell(place, f"INSERT INTO job_parts VALUES ('{office.story}', '{old.id}', 7, {blob})")
    assert left_over(place) == [7]
    jobs = [office.queue(f"{number}/0") for number in range(4)]
    assert office.crew.run_due() == 4
    assert {office.status(job) for job in jobs[2:]} == {"done"}
    assert rows(place, "SELECT count(*) FROM jobs") == [2]
    assert rows(place, "SELECT count(*) FROM job_parts") == [0]


class PanicError(BaseException):
    """What a library raises that is not written in Python."""


@pytest.mark.parametrize(
    "error", [PanicError, SystemExit, GeneratorExit, RecursionError, MemoryError, KeyError]
)
def test_whatever_work_raises_ends_that_job_only(
    house: Memory, office: Office, neighbour: Office, error: type[BaseException]
) -> None:
    def work(task: Task) -> None:
        if task.job.subject == "broken":
            raise error

    office.work = neighbour.work = work
    queued = [office.queue("broken"), office.queue("broken"), office.queue("1/0"), neighbour.queue("0/0")]
    office.crew.stand_by(1)
    ends = [eventually(lambda job=job: _end(office, job)) for job in queued]
    office.crew.close()
    assert [(one.status, one.message) for one in ends] == [
        ("failed", FAILED),
        ("failed", FAILED),
        ("done", ""),
        ("done", ""),
    ]


def _end(office: Office, job: Job) -> Job | None:
    seen = office.board.job(job.id)
    return seen if seen.finished_at else None


FORBIDDEN = {
    "it cannot be taken": ("UPDATE", "jobs", "NEW.id = '{id}' AND NEW.status = 'processing'", "failed"),
    "its end cannot be noted": ("UPDATE", "jobs", "NEW.id = '{id}' AND NEW.status = 'done'", "processing"),
    "its parts cannot be cleared away": ("DELETE", "job_parts", "OLD.job_id = '{id}'", "done"),
    "it cannot be forgotten": ("DELETE", "jobs", "OLD.id = '{id}'", "done"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_what_the_database_says_to_one_job_is_said_to_no_other(
    place: DatabasePlace, office: Office, neighbour: Office, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_writer, "KEPT_JOBS", 1 if what == "it cannot be forgotten" else 9)
    done: list[str] = []

    def work(task: Task) -> None:
        done.append(task.job.subject)
        task.keep_part(0, b"a part")

    office.work = neighbour.work = work
    broken = office.queue("broken")
    event, table, when, status = FORBIDDEN[what]
    forbid(place, event, table, when.format(id=broken.id))
    office.queue("1/0")
    neighbour.queue("0/0")
    office.queue("2/0")
    office.crew.run_due()
    assert office.status(broken) == status
    assert set(rows(place, "SELECT id FROM jobs WHERE finished_at IS NULL")) <= {broken.id}
    assert done[-3:] == ["1/0", "0/0", "2/0"]
    allow(place, table)
    office.clock.pass_seconds(STALE_S + 1)
    office.queue("3/0")
    office.crew.run_due()
    assert rows(place, "SELECT count(*) FROM jobs WHERE finished_at IS NULL") == [0]
    assert left_over(place) == []


def test_a_job_whose_row_cannot_be_read_has_failed(
    place: DatabasePlace, office: Office, neighbour: Office
) -> None:
    broken, next_one, other = office.queue("broken"), office.queue("1/0"), neighbour.queue("0/0")
    tell(place, f"UPDATE jobs SET payload_json = '{{' WHERE id = '{broken.id}'")
    office.crew.run_due()
    assert [office.status(job) for job in (broken, next_one, other)] == ["failed", "done", "done"]
    assert office.board.page(office.story, 0, 10).total == 2
    assert office.board.cancel(broken.id).status == "failed"


def test_a_job_that_is_at_work_with_nobody_is_taken_up(place: DatabasePlace, office: Office) -> None:
    job = office.queue()
    tell(place, "UPDATE jobs SET status = 'processing', worker = NULL, heartbeat_at = NULL")
    office.crew.ledger.release_gone()
    office.crew.run_due()
    assert office.status(job) == "done"


def test_a_worker_shows_life_for_what_it_is_at_only(
    place: DatabasePlace, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_crew, "HEARTBEAT_S", 0.02)
    left = office.queue("left")
    seen = "SELECT heartbeat_at FROM jobs WHERE id = '{}'"
    forbid(place, "UPDATE", "jobs", f"NEW.id = '{left.id}' AND NEW.status = 'done'")
    office.crew.run_due()
    before = rows(place, seen.format(left.id))

    def work(task: Task) -> None:
        first = rows(place, seen.format(task.job.id))
        eventually(lambda: rows(place, seen.format(task.job.id)) != first)

    office.work = work
    office.queue("1/0")
    office.crew.run_due()
    assert rows(place, seen.format(left.id)) == before


def test_a_job_that_was_tried_too_often_is_tried_when_somebody_asks(office: Office) -> None:
    job = office.queue()
    for _ in range(9):
        assert office.crew.ledger.taken(office.story, job.id) is not None
        office.clock.pass_seconds(STALE_S + 1)
    assert (
        office.board.do(office.call, job.kind, office.story, job.subject, "", lambda *_: None).status
        == "done"
    )
