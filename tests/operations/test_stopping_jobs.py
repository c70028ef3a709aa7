"""A job that is to stop does not wait for a model that thinks, and is as if nobody had begun it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabula.errors import LlmUnavailable
from fabula.jobs import crew as job_crew
from fabula.llm.cancel_token import CancelToken
from fabula.llm.chat import ChatAnswer, ChatRequest, ChatStream
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.model.job import Job
from fabula.operations.proposals.extraction import KIND
from postgres import place_at
from waiting import PATIENCE

ASKED = {"text": "林惊羽推开门。", "extractor": "model"}


class ThinkingModel:
    """Thinks until somebody cancels the call."""

    name = "thinking"

    def __init__(self) -> None:
        self.is_asked = threading.Event()
        self.is_let_go = threading.Event()

    def complete(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatAnswer:
        assert cancel_token is not None, "a job can always be stopped"
        over = threading.Event()
        cancel_token.on_cancel(over.set)
        self.is_asked.set()
        assert over.wait(PATIENCE), "nobody cancelled the call"
        self.is_let_go.set()
        raise LlmUnavailable("The call was cancelled.")

    def stream(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatStream:
        raise NotImplementedError

    def close(self) -> None:
        pass


@pytest.fixture
def model() -> ThinkingModel:
    return ThinkingModel()


@pytest.fixture
def house(tmp_path: Path, model: ThinkingModel) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "fabula.db"), chat=model) as memory:
        memory.story("题", id="story")
        yield memory


def begun(house: Memory, model: ThinkingModel) -> Job:
    call = house.call()
    job = call.jobs.start(call, KIND, "story", "", ASKED)
    assert model.is_asked.wait(PATIENCE)
    return job


def test_closing_cuts_the_line_and_hands_the_job_to_whoever_comes_next(
    tmp_path: Path, house: Memory, model: ThinkingModel
) -> None:
    job = begun(house, model)
    house.close()
    with Memory(place_at(tmp_path / "fabula.db"), chat=ScriptedChatModel(lambda _: "[]")) as other:
        board = other.call().jobs
        left = board.job(job.id)
        assert (left.status, left.attempts) == ("queued", 0)
        board.crew.run_due()
        assert board.job(job.id).status == "done"


def test_cancelling_cuts_the_line(house: Memory, model: ThinkingModel) -> None:
    job = begun(house, model)
    assert house.call().jobs.cancel(job.id).status == "cancelled"
    house.close()


def test_cancelling_where_the_job_is_not_done_cuts_the_line_too(
    tmp_path: Path, house: Memory, model: ThinkingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_crew, "HEARTBEAT_S", 0.02)
    job = begun(house, model)
    with Memory(place_at(tmp_path / "fabula.db")) as other:
        assert other.call().jobs.cancel(job.id).status == "cancelled"
        assert model.is_let_go.wait(PATIENCE)
        house.close()
        assert other.call().jobs.job(job.id).status == "cancelled"


def test_a_library_that_does_no_jobs_is_not_ready_and_a_server_is(house: Memory) -> None:
    crew = house.call().jobs.crew
    assert not crew.is_standing
    house.work()
    assert crew.is_standing
    house.close()
    assert not crew.is_standing
