"""Jobs: done once, by whoever is there; put off, begun anew, tried again, taken over, handed back."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabula.call import Call
from fabula.errors import InvalidInput, JobInProgress, LlmRateLimited, LlmUnavailable, RateLimited
from fabula.jobs.board import MOST_DELAYS, JobBoard
from fabula.jobs.crew import Crew
from fabula.jobs.ledger import FAILED, MAX_ATTEMPTS, STALE_S
from fabula.jobs.task import HoldLost, Task
from fabula.jobs.workers import HERE
from fabula.memory import Memory
from fabula.store import job_writer
from fabula.story_memory import StoryMemory
from office import KIND, Office
from postgres import place_at
from still_clock import StillClock
from waiting import PATIENCE


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def house(tmp_path: Path, clock: StillClock) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "jobs.db"), clock=clock) as memory:
        yield memory


@pytest.fixture
def office(house: Memory, clock: StillClock) -> Office:
    return Office(house, clock, house.story("题").id)


def another(office: Office, house: Memory) -> Office:
    """The crew of another process on the same database."""
    return Office(house, office.clock, office.story)


def test_a_job_waits_its_time_and_is_done_once(office: Office, house: Memory) -> None:
    done: list[dict[str, object]] = []
    office.work = lambda task: done.append(task.payload)
    job = office.queue(delay=5, page=1)
    assert (job.status, job.subject, job.attempts) == ("queued", "0/0", 0)
    assert (office.crew.run_due(), done) == (0, [])
    office.clock.pass_seconds(5)
    assert office.crew.run_due() == 1
    assert another(office, house).crew.run_due() == 0
    assert done == [{"page": 1}]
    after = office.board.job(job.id)
    assert (after.status, after.progress, after.attempts) == ("done", 1.0, 1)
    assert after.finished_at is not None


def test_asking_again_puts_off_what_waits_but_not_for_ever(office: Office) -> None:
    seen: list[object] = []
    office.work = lambda task: seen.append(task.payload["page"])
    first = office.queue(delay=5, page=0)
    for page in range(1, 40):
        office.clock.pass_seconds(4)
        office.crew.run_due()
        if seen:
            break
        assert office.queue(delay=5, page=page).id == first.id
    assert page * 4 == pytest.approx(MOST_DELAYS * 5, abs=5)
    assert seen == [page - 1]


def test_asking_again_lets_running_work_stop_and_begin_anew(office: Office) -> None:
    seen: list[object] = []

    def work(task: Task) -> None:
        seen.append(task.payload["page"])
        if len(seen) == 1:
            office.queue(page=2)
            assert not task.report(0.5, "")
            with pytest.raises(HoldLost), office.writing() as writer:
                task.insist(writer)

    office.work = work
    job = office.queue(page=1)
    assert office.crew.run_due() == 2
    assert seen == [1, 2]
    assert (office.status(job), office.board.job(job.id).attempts) == ("done", 1)


def test_work_that_ends_without_looking_is_done_again_with_the_newest(office: Office) -> None:
    seen: list[object] = []

    def work(task: Task) -> None:
        seen.append(task.payload["page"])
        if len(seen) == 1:
            office.queue(page=2)

    office.work = work
    office.queue(page=1)
    office.crew.run_due()
    assert seen == [1, 2]


def test_another_subject_is_another_job(office: Office) -> None:
    assert len({office.queue("0/0").id, office.queue("0/1").id, office.queue("0/0").id}) == 2
    assert office.board.page(office.story, 0, 10, unfinished=True).total == 2


def test_cancelled_work_stops_wherever_it_is_done(office: Office, house: Memory) -> None:
    elsewhere = another(office, house)
    went_on: list[bool] = []

    def work(task: Task) -> None:
        elsewhere.board.cancel(task.job.id)
        went_on.append(task.report(0.5, ""))

    office.work = work
    job = office.queue()
    office.crew.run_due()
    assert went_on == [False]
    assert office.status(job) == "cancelled"
    waiting = office.queue("0/1")
    assert office.board.cancel(waiting.id).status == "cancelled"
    assert office.crew.run_due() == 0
    assert office.board.cancel(waiting.id).status == "cancelled"


@pytest.mark.parametrize(
    ("refusal", "pauses"),
    [
        (LlmUnavailable("Nobody is there."), [10, 30, 90, 270]),
        (LlmRateLimited("Later.", details={"retryAfterSeconds": 7}), [7, 7, 7, 7]),
    ],
)
def test_a_model_that_does_not_answer_is_asked_again_later(
    office: Office, refusal: Exception, pauses: list[int]
) -> None:
    tried: list[bool] = []

    def work(task: Task) -> None:
        tried.append(task.is_last_attempt)
        raise refusal

    office.work = work
    job = office.queue()
    assert office.crew.run_due() == 1
    for pause in pauses:
        office.clock.pass_seconds(pause - 0.1)
        assert office.crew.run_due() == 0
        assert office.board.job(job.id).message == str(refusal)
        office.clock.pass_seconds(0.2)
        assert office.crew.run_due() == 1
    assert tried == [False] * (MAX_ATTEMPTS - 1) + [True]
    assert (office.status(job), office.board.job(job.id).message) == ("failed", str(refusal))


def test_who_asked_too_much_in_a_minute_waits_and_has_not_failed(office: Office) -> None:
    waited: list[int] = []

    def work(task: Task) -> None:
        waited.append(task.job.attempts)
        if len(waited) < 2 * MAX_ATTEMPTS:
            raise RateLimited("Wait.", details={"retryAfterSeconds": 20})

    office.work = work
    job = office.queue()
    for _ in range(2 * MAX_ATTEMPTS):
        assert office.crew.run_due() == 1
        office.clock.pass_seconds(20)
    assert (office.status(job), set(waited)) == ("done", {1})


def test_a_refusal_is_told_and_a_fault_is_not(office: Office) -> None:
    def refuse(task: Task) -> None:
        raise InvalidInput("Not so.")

    def fail(task: Task) -> None:
        raise RuntimeError("the inside")

    office.work = refuse
    refused = office.queue()
    office.crew.run_due()
    office.work = fail
    failed = office.queue("0/1")
    office.crew.run_due()
    ends = [(office.status(job), office.board.job(job.id).message) for job in (refused, failed)]
    assert ends == [("failed", "Not so."), ("failed", FAILED)]


def test_a_job_of_somebody_who_is_gone_is_taken_over(office: Office, house: Memory) -> None:
    job = office.queue()
    gone = another(office, house)
    assert gone.crew.ledger.taken(office.story, job.id) is not None
    assert office.crew.ledger.taken(office.story, job.id) is None
    office.clock.pass_seconds(STALE_S - 1)
    assert office.crew.run_due() == 0
    with pytest.raises(JobInProgress):
        office.board.claimed(office.call, KIND, office.story, "0/0", "")
    office.clock.pass_seconds(2)
    assert office.crew.run_due() == 1
    assert (office.status(job), office.board.job(job.id).attempts) == ("done", 2)


@pytest.mark.parametrize(("machine", "status"), [(HERE, "queued"), ("elsewhere", "processing")])
def test_a_job_of_a_process_of_this_machine_that_is_gone_need_not_wait(
    office: Office, machine: str, status: str
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait(PATIENCE)
    job, now = office.queue(), office.clock.now()
    with office.call.store.write_jobs() as jobs:
        assert jobs.claim(office.story, job.id, f"{machine}/{gone.pid}/name", now, now) is not None
    office.crew.ledger.release_gone()
    assert office.status(job) == status


def test_a_job_that_ends_every_process_is_given_up(office: Office, house: Memory) -> None:
    job = office.queue()
    for _ in range(MAX_ATTEMPTS):
        assert another(office, house).crew.ledger.taken(office.story, job.id) is not None
        office.clock.pass_seconds(STALE_S + 1)
    office.work = lambda task: pytest.fail("it is tried once more")
    office.crew.run_due()
    assert office.status(job) == "failed"


def test_parts_outlive_an_attempt_and_go_with_the_job(office: Office) -> None:
    found: list[dict[int, bytes]] = []

    def work(task: Task) -> None:
        found.append(task.parts())
        if len(found) == 1:
            task.keep_part(0, b"so far")
            raise LlmUnavailable("Nobody is there.")

    office.work = work
    job = office.queue()
    office.crew.run_due()
    office.clock.pass_seconds(60)
    office.crew.run_due()
    assert found == [{}, {0: b"so far"}]
    with office.call.store.read() as reader:
        assert reader.jobs.parts(office.story, job.id) == {}


def test_standing_threads_do_what_is_queued_and_hand_it_back_at_the_end(
    tmp_path: Path,
) -> None:
    began, over = threading.Event(), threading.Event()
    with Memory(place_at(tmp_path / "fabula.db")) as memory:
        story, call = memory.story("题"), memory.call()

        def work(call: Call, task: Task) -> None:
            began.set()
            assert over.wait(PATIENCE)
            assert not task.report(1, "")

        crew = Crew(call.store, call.clock, {KIND: work}, memory.call)
        board = JobBoard(call.store, call.clock, crew)
        crew.stand_by()
        job = board.queue(call, KIND, story.id, "", "")
        assert began.wait(PATIENCE)
        closing = threading.Thread(target=crew.close)
        closing.start()
        crew._change.acquire()  # until it is closing, the work must not go on
        crew._change.wait_for(lambda: crew._is_closing, PATIENCE)
        crew._change.release()
        over.set()
        closing.join(PATIENCE)
        assert not closing.is_alive()
        left = board.job(job.id)
        assert (left.status, left.attempts) == ("queued", 0)


def test_two_processes_do_each_job_once(office: Office, house: Memory) -> None:
    done: list[str] = []
    crews = [another(office, house) for _ in range(2)]
    for one in crews:
        one.work = lambda task: done.append(task.job.subject)
    subjects = [f"{number}/0" for number in range(20)]
    for subject in subjects:
        office.queue(subject)
    threads = [threading.Thread(target=one.crew.run_due) for one in crews]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(done) == sorted(subjects)


def test_only_the_last_jobs_are_remembered(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_writer, "KEPT_JOBS", 4)
    jobs = []
    for number in range(7):
        jobs.append(office.queue(f"{number}/0"))
        office.crew.run_due()
    kept = office.board.page(office.story, 0, 1000).items
    assert [job.id for job in kept] == [job.id for job in reversed(jobs[-4:])]


def test_jobs_go_with_their_story(house: Memory, office: Office) -> None:
    from fabula.operations.stories import delete_story

    office.queue()
    delete_story(office.call, project_id=office.story)
    assert office.crew.run_due() == 0


def test_a_library_has_no_threads_of_its_own(memory: Memory, story: StoryMemory) -> None:
    story.scene(0, 0, "江离来了。")
    assert memory.call().jobs.page(story.id, 0, 10).total == 0
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("jobs")]
