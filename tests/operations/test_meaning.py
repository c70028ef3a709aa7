"""Vectors as a help: used where they are, seen to where they are behind, and never waited for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from fabula.errors import InvalidInput, JobInProgress, LlmUnavailable
from fabula.llm.embedder import EmbeddingKind
from fabula.memory import Memory
from fabula.operations.search.embedding import JOB, embed_story, embedding_status, start_embedding
from fabula.projections.meaning import NO_MEANING, PAUSE_S, VectorMeaning
from fabula.story_memory import StoryMemory
from plain_embedder import PlainEmbedder
from postgres import place_at
from theme_embedder import ThemeEmbedder
from waiting import PATIENCE


@contextmanager
def opened(path: Path, embedder: ThemeEmbedder | None) -> Iterator[tuple[Memory, StoryMemory]]:
    with Memory(place_at(path / "fabula.db"), vectors_by=embedder) as memory:
        yield memory, memory.story("题", language="zh")


def people(story: StoryMemory) -> None:
    for name, said in (("甲", "他在浪里行船。"), ("乙", "他守着烧红的炉。"), ("丙", "他磨墨抄经。")):
        story.entity.create(type="character", name=f"{name}君", description=said)
    story.scene(0, 0, "浪头一个接一个打上船板。")
    story.scene(0, 1, "石阶一直通到岭上。")


def embed(memory: Memory, story: StoryMemory) -> None:
    embed_story(memory.call(), story.id, lambda done, total: True)


def meanings(story: StoryMemory, question: str) -> dict[str, float]:
    found = story.query.retrieve(query=question, max_entities=50)
    return {one.name: one.reasons.meaning for one in found.entities}


def wait_for_jobs() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("job-"):
            thread.join(PATIENCE)


@pytest.mark.scenario("MEMORY-GOAL-RETRIEVAL")
def test_vectors_find_what_shares_no_word(tmp_path: Path) -> None:
    with opened(tmp_path, ThemeEmbedder()) as (memory, story):
        people(story)
        assert meanings(story, "海") == {}
        wait_for_jobs()
        embed(memory, story)
        found = story.query.retrieve(query="海")
        assert [anchor.name for anchor in found.anchors] == ["甲君"]
        assert found.anchors[0].way == "meant"
        assert found.entities[0].reasons.meaning > 0.5
        assert [(hit.chapter, hit.scene) for hit in found.passages][:1] == [(0, 0)]
        assert [hit.title for hit in story.search("海", kinds=["entity"]).items] == ["甲君"]
        assert story.search("海").items[0].why == "text"


def test_without_vectors_names_and_words_count_alone(tmp_path: Path) -> None:
    with opened(tmp_path, None) as (memory, story):
        people(story)
        assert memory.call().meaning is NO_MEANING
        assert meanings(story, "乙君磨墨") == {"乙君": 0.0, "丙君": 0.0}
        assert story.search("海").items == ()
        assert embedding_status(memory.call(), project_id=story.id).model is None
        for ask in (
            lambda call, key: start_embedding(call, project_id=key),
            lambda call, key: embed_story(call, key, lambda done, total: True),
        ):
            with pytest.raises(InvalidInput):
                ask(memory.call(), story.id)


def test_a_story_whose_texts_changed_is_said_to_be_behind_and_its_old_vectors_count(tmp_path: Path) -> None:
    behind: list[str] = []
    with opened(tmp_path, ThemeEmbedder()) as (memory, story):
        people(story)
        embed(memory, story)
        meaning = VectorMeaning(ThemeEmbedder(), behind.append, perf_counter)

        def nearest(question: str) -> str:
            call = memory.call()
            with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
                everybody = np.arange(len(index.roster.ids))
                scores = meaning.of_entities(reader, index, question, everybody)
                passages = meaning.of_passages(reader, index, question)
                assert scores is not None
                assert passages is not None
                assert len(passages) == 2
                ids = index.roster.ids
                return str(story.entity.read(id=ids[int(np.argmax(scores))]).name)

        assert nearest("焰") == "乙君"
        assert behind == []
        (second,) = (one for one in story.entity.list().items if one.name == "乙君")
        patch = {"description": "他在书里夹着纸。"}
        story.entity.update(id=second.id, expected_version=1, patch=patch)
        assert nearest("焰") == "乙君"
        assert set(behind) == {story.id}
        behind.clear()
        embed(memory, story)
        assert nearest("纸") in ("乙君", "丙君")
        assert nearest("焰") != "乙君" or meanings(story, "焰").get("乙君", 0.0) == 0.0
        assert behind == []


def test_a_question_sees_to_missing_vectors_in_the_background(tmp_path: Path) -> None:
    with opened(tmp_path, ThemeEmbedder()) as (memory, story):
        people(story)
        assert embedding_status(memory.call(), project_id=story.id).up_to_date is False
        story.search("海")
        wait_for_jobs()
        status = embedding_status(memory.call(), project_id=story.id)
        assert (status.model, status.vector_count, status.up_to_date) == ("themes", 5, True)
        assert {hit.title for hit in story.search("海").items} == {"甲君", "0.0"}


def test_memories_of_a_context_do_not_outlive_the_vectors_they_were_found_without(tmp_path: Path) -> None:
    with opened(tmp_path, ThemeEmbedder()) as (memory, story):
        people(story)
        story.event.create(name="沉船", summary="船沉了。", roles=["甲君"], moment={"chapter": 0, "scene": 0})
        before = story.context(1, 0, "远处的海。")
        wait_for_jobs()
        embed(memory, story)
        after = story.context(1, 0, "远处的海。")
        assert [one.label for one in before.recollections] == []
        assert "沉船" in [one.label for one in after.recollections]


def test_an_embedder_that_does_not_answer_stops_nobody(tmp_path: Path) -> None:
    def fail(kind: EmbeddingKind) -> None:
        if kind == "query":
            raise LlmUnavailable("Nobody is there.")

    with opened(tmp_path, ThemeEmbedder(fail)) as (memory, story):
        people(story)
        embed(memory, story)
        assert [hit.title for hit in story.search("甲君", kinds=["entity"]).items] == ["甲君"]
        assert meanings(story, "甲君") == {"甲君": 0.0}
        assert story.context(1, 0, "甲君上了船。").trace


def test_closing_stops_the_jobs_and_waits_for_them(tmp_path: Path) -> None:
    began, go_on = threading.Event(), threading.Event()

    def slowly(kind: EmbeddingKind) -> None:
        began.set()
        assert go_on.wait(PATIENCE)

    memory = Memory(place_at(tmp_path / "fabula.db"), vectors_by=ThemeEmbedder(slowly))
    story = memory.story("题")
    people(story)
    job = start_embedding(memory.call(), project_id=story.id)
    assert began.wait(PATIENCE)
    with pytest.raises(JobInProgress):
        start_embedding(memory.call(), project_id=story.id)
    jobs = memory.call().jobs
    closing = threading.Thread(target=memory.close)
    closing.start()
    closing.join(0.2)
    assert closing.is_alive()
    assert jobs.job(job.id).status == "processing"
    go_on.set()
    closing.join(PATIENCE)
    assert not closing.is_alive()
    assert [thread for thread in threading.enumerate() if thread.name == f"job-{JOB}"] == []
    with opened(tmp_path, ThemeEmbedder()) as (again, _):
        handed_back = again.call().jobs.job(job.id)
        assert (handed_back.kind, handed_back.status, handed_back.attempts) == (JOB, "queued", 0)
        assert again.call().jobs.crew.run_due() == 1
        assert again.call().jobs.job(job.id).status == "done"


def test_an_embedder_that_failed_is_left_alone_for_a_while(tmp_path: Path) -> None:
    asked: list[EmbeddingKind] = []

    def fail(kind: EmbeddingKind) -> None:
        if kind == "query":
            asked.append(kind)
            raise LlmUnavailable("Nobody is there.")

    now = [1000.0]
    with opened(tmp_path, ThemeEmbedder(fail)) as (memory, story):
        people(story)
        embed(memory, story)
        meaning = VectorMeaning(ThemeEmbedder(fail), lambda _: None, lambda: now[0])
        call = memory.call()
        with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
            for question in ("浪", "浪", "炉"):
                assert meaning.of_passages(reader, index, question) is None
            assert len(asked) == 1
            now[0] += PAUSE_S
            assert meaning.of_passages(reader, index, "炉") is None
            assert len(asked) == 2


def test_a_memory_that_closes_closes_its_embedder(tmp_path: Path) -> None:
    embedder = PlainEmbedder()
    with Memory(place_at(tmp_path / "fabula.db"), vectors_by=embedder):
        assert not embedder.is_closed
    assert embedder.is_closed
