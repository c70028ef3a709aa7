"""What the rules leave open, answered by a model: asked in batches, applied in one step, priced before."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from desk import Desk, with_model
from fabula.errors import LlmUnavailable
from fabula.extraction.open_questions import BATCH, OpenQuestion, answers_of, batches_of
from fabula.extraction.port import Reading
from fabula.extraction.sloppy_json import NoJson
from fabula.llm.chat import ChatRequest
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.model.proposal import LOCAL_READER, Draft, ProposalKind
from fabula.operations.manuscript.open_questions import ask_open_questions, list_open_questions
from fabula.operations.proposals.extraction import propose_reading
from fabula.operations.proposals.sorting import ProposalOrigin
from fabula.operations.proposals.values import TextPlace
from fabula.store.log import EXTRACT
from fabula.story_memory import StoryMemory
from postgres import place_at
from still_clock import StillClock
from waiting import PATIENCE

SCENES = (
    "行者笑道：“师父莫怕。”孙悟空是石猴，人称行者。",
    "沙僧挑着担子，对八戒道：“二哥快走。”八戒道：“沙僧，等等。”",
    "沙僧与八戒同行，八戒走得慢，沙僧不言。",
)


def asked_numbers(request: ChatRequest) -> dict[str, int]:
    """The questions of a request by their names."""
    said = request.messages[-1].content
    return {found[2]: int(found[1]) for found in re.finditer(r"^(\d+)\. (.+)$", said, re.M)}


def replies(verdicts: dict[str, dict[str, Any]]) -> Any:
    """A model that answers by the names in a question, and nothing else."""

    def reply(request: ChatRequest) -> str:
        numbers = asked_numbers(request)
        told = [{"number": numbers[names], **verdicts[names]} for names in numbers if names in verdicts]
        return json.dumps({"answers": told})

    return reply


def fill(desk: Desk) -> dict[str, str]:
    """A story with two waiting names and two people without a relation; the ids of the proposals."""
    desk.set(autoExtract=False, autoSnapshot=False)
    story = desk.story
    for scene, text in enumerate(SCENES):
        story.scene(0, scene, text)
    for name in ("孙悟空", "沙僧", "八戒"):
        story.entity.create(type="character", name=name, description=f"{name}。")
    drafts = [
        Draft(
            kind=ProposalKind.ALIAS,
            entity_name=name,
            entity_type="character",
            attributes={"aliasOf": "孙悟空"},
            confidence=0.6,
        )
        for name in ("行者", "石猴")
    ]
    origin = ProposalOrigin(TextPlace(), LOCAL_READER, "")
    found = propose_reading(desk.memory.call(), story.id, EXTRACT, Reading(drafts), origin)
    return {one.entity_name: one.id for one in found.extractions}


def run(desk: Desk) -> None:
    ask_open_questions(desk.memory.call(), project_id=desk.story.id)
    desk.settle()


def test_answers_are_applied_in_one_step_that_can_be_undone(tmp_path: Path) -> None:
    verdicts = {
        "行者 / 孙悟空": {"answer": "same"},
        "石猴 / 孙悟空": {"answer": "different"},
        "沙僧 / 八戒": {"answer": "sibling", "reversed": False},
        "八戒 / 沙僧": {"answer": "sibling", "reversed": False},
    }
    memory, desk, chat = with_model(tmp_path, replies(verdicts))
    with memory:
        ids = fill(desk)
        run(desk)
        actions = {one.id: one.review_action for one in desk.story.proposals(reviewed=True)}
        assert (actions[ids["行者"]], actions[ids["石猴"]]) == ("approved", "rejected")
        (hero,) = [one for one in desk.story.entity.list().items if one.name == "孙悟空"]
        assert hero.aliases == ("行者",)
        (tie,) = desk.story.proposals()
        assert (tie.kind, tie.attributes["type"], tie.extractor) == ("relation", "sibling", "model:scripted")
        assert {tie.entity_name, tie.attributes["target"]} == {"沙僧", "八戒"}
        assert len(chat.requests) == 2
        # What waits for review is not asked, and paid for, a second time.
        left = list_open_questions(memory.call(), project_id=desk.story.id)
        assert (left.same_count, left.tie_count) == (0, 0)
        revision = desk.story.history.list().items[0].revision
        desk.story.history.undo(revision=revision)
        assert {one.entity_name for one in desk.story.proposals()} == {"行者", "石猴"}


def test_the_price_is_told_before_and_after(tmp_path: Path) -> None:
    desks: list[Desk] = []

    def slowly(request: ChatRequest) -> str:
        desks[0].clock.pass_seconds(1)
        return json.dumps({"answers": []})

    memory, desk, chat = with_model(tmp_path, slowly)
    desks.append(desk)
    with memory:
        fill(desk)
        price = list_open_questions(memory.call(), project_id=desk.story.id)
        assert (price.same_count, price.tie_count, price.request_count) == (2, 1, 2)
        run(desk)
        prompts = sum(memory.call().tokens.count(m.content) for r in chat.requests for m in r.messages)
        assert price.prompt_tokens == prompts
        (job,) = [one for one in desk.jobs() if one.kind == "open-questions"]
        answers = 2 * memory.call().tokens.count(json.dumps({"answers": []}))
        assert (job.status, job.message) == ("done", f"3 / {prompts + answers:,}")
        assert {one.entity_name for one in desk.story.proposals()} == {"行者", "石猴"}


def test_what_was_answered_before_a_failure_is_not_asked_again(tmp_path: Path) -> None:
    spoken: list[str] = []

    def once_down(request: ChatRequest) -> Any:
        spoken.append(request.messages[-1].content)
        return LlmUnavailable("down") if len(spoken) == 2 else json.dumps({"answers": []})

    memory, desk, _ = with_model(tmp_path, once_down)
    with memory:
        fill(desk)
        run(desk)
        desk.clock.pass_seconds(3600)
        desk.settle()
        assert len(spoken) == 3
        assert spoken[1] == spoken[2] != spoken[0]


def test_what_was_settled_meanwhile_does_not_make_the_rest_be_asked_again(tmp_path: Path) -> None:
    spoken: list[str] = []

    def once_down(request: ChatRequest) -> Any:
        spoken.append(request.messages[-1].content)
        return LlmUnavailable("down") if len(spoken) == 2 else json.dumps({"answers": []})

    memory, desk, _ = with_model(tmp_path, once_down)
    with memory:
        ids = fill(desk)
        run(desk)
        desk.story.review(ids["石猴"], "rejected")
        desk.clock.pass_seconds(3600)
        desk.settle()
        assert len(spoken) == 3
        assert not any("孙悟空" in said for said in spoken[1:])


_DIES = """
import json, os, sys
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory

asked = []

def reply(request):
    asked.append(request)
    if len(asked) == 2:
        os._exit(9)
    return json.dumps({"answers": []})

memory = Memory(sys.argv[1], chat=ScriptedChatModel(reply), model_calls_per_minute=0)
memory.call().jobs.crew.stand_by(0)
memory.call().jobs.crew.run_due()
"""


def test_a_process_that_is_killed_loses_no_answer_that_was_paid_for(tmp_path: Path) -> None:
    db = tmp_path / "fabula.db"
    with Memory(place_at(db)) as memory:
        fill(Desk(memory, StillClock()))
        story = memory.stories()[0].id
        call = memory.call()
        # Asked for here, done elsewhere: nobody is woken.
        with call.store.write_jobs(story) as jobs:
            call.jobs.queue(call, "open-questions", story, "", "", {}, writer=jobs)
    command = [sys.executable, "-c", _DIES, str(place_at(db))]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    assert subprocess.run(command, env=environment, check=False, timeout=PATIENCE).returncode == 9
    chat = ScriptedChatModel(lambda request: json.dumps({"answers": []}))
    with Memory(place_at(db), chat=chat, model_calls_per_minute=0) as memory:
        memory.call().jobs.crew.stand_by(0)
        memory.call().jobs.crew.run_due()
        jobs_of = memory.call().jobs.page(story, 0, 10).items
        (job,) = [one for one in jobs_of if one.kind == "open-questions"]
        assert (job.status, job.message.split(" / ")[0]) == ("done", "3")
        (request,) = chat.requests
        assert "沙僧" in request.messages[-1].content
        assert "孙悟空" not in request.messages[-1].content


def test_nothing_secret_is_asked(tmp_path: Path) -> None:
    memory, desk, chat = with_model(tmp_path, replies({}))
    with memory:
        fill(desk)
        (hero,) = [one for one in desk.story.entity.list().items if one.name == "孙悟空"]
        desk.story.entity.update(id=hero.id, expected_version=1, patch={"aiContextLevel": "never"})
        run(desk)
        assert chat.requests
        assert all("孙悟空" not in m.content for r in chat.requests for m in r.messages)


def test_a_type_of_relation_that_names_a_secret_is_not_offered(tmp_path: Path) -> None:
    memory, desk, chat = with_model(tmp_path, replies({}))
    with memory:
        fill(desk)
        desk.story.entity.create(type="character", name="Moriarty", ai_context_level="never")
        text = desk.story.ontology.read().text + "\n"
        edge = "  MoriartySpy: {from: Character, to: Character}\n"
        assert "edges:\n" in text
        desk.story.ontology.write(text=text.replace("edges:\n", f"edges:\n{edge}", 1))
        run(desk)
        asked = str([(r.json_schema, [m.content for m in r.messages]) for r in chat.requests])
        assert "sibling" in asked
        assert "moriarty" not in asked.casefold()


def test_without_a_model_there_is_nobody_to_ask(memory: Memory, story: StoryMemory) -> None:
    with pytest.raises(LlmUnavailable):
        ask_open_questions(memory.call(), project_id=story.id)


QUESTIONS = tuple(OpenQuestion("same", str(n), f"甲{n}", "乙", ()) for n in range(1, BATCH + 3))


def test_batches_are_of_one_kind_and_no_longer_than_agreed() -> None:
    ties = [question._replace(kind="tie") for question in QUESTIONS[:2]]
    assert [len(batch) for batch in batches_of([*ties, *QUESTIONS])] == [BATCH, 2, 2]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"answers": [{"number": 2, "answer": "same"}]}', [("2", "same")]),
        ('```json\n[{"number": 1, "answer": "different"}]\n```', [("1", "different")]),
        ('{"answers": [{"number": 1, "answer": "maybe"}, {"number": 99, "answer": "same"}]}', []),
        ('{"answers": [{"number": 1, "answer": "same"}, {"number": 1, "answer": "different"}]}', []),
        ('{"answers": [7, null, {"number": "1", "answer": "same"}]}', []),
    ],
)
def test_only_answers_to_what_was_asked_count(text: str, told: list[tuple[str, str]]) -> None:
    found = answers_of(text, QUESTIONS[:BATCH], ())
    assert [(one.id, one.answer) for one in found] == told


def test_no_answer_at_all_is_told_apart() -> None:
    with pytest.raises(NoJson):
        answers_of("I do not know.", QUESTIONS[:BATCH], ())
