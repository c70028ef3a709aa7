"""An embedder at another place hears no secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doors import serving
from effort import examples
from endpoints import Connected, connected
from fabula.memory import Memory
from fabula.operations.search.embedding import embedding_status
from fabula.operations.stories import delete_story
from fabula.projections.embeddings import BATCH
from fabula.story_memory import StoryMemory
from plain_embedder import PlainEmbedder
from postgres import place_at
from remote_embedder import answering, embed, opened, person, tell

SECRET_LEVELS = ("never", "manual_only")
DIMENSIONS = 4


def sent(house: Connected) -> list[str]:
    """Every text that the endpoint has got, but for the question how long its vectors are."""
    texts = [text for body in house.played.bodies for text in body["input"]]
    return [text for text in texts if text != "?"]


@pytest.fixture
def house() -> Iterator[Connected]:
    with connected() as running:
        running.played.plays(answering(running))
        yield running


def set_level(story: StoryMemory, key: str, level: str) -> None:
    version = story.entity.read(id=key).version
    story.entity.update(id=key, expected_version=version, patch={"ai_context_level": level})


SECRET_WORDS = ("盐先生", "老盐", "陶婆婆", "海盗", "灯塔下", "月圆", "第七页", "潮信", "禁书", "铜钥匙")


def test_an_endpoint_is_sent_no_secret_and_no_sentence_that_names_one(
    tmp_path: Path, house: Connected
) -> None:
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        embed(memory, story)
    said = "\n".join(sent(house))
    assert [word for word in SECRET_WORDS if word in said] == []
    for told in ("望归塔的守灯人。", "初一点灯。", "雾起了。", "江离没有回头。", "许多年后，塔倒了。"):
        assert told in said, "what is no secret is sent, of later chapters, too"


def test_the_built_in_embedder_reads_everything(tmp_path: Path) -> None:
    embedder = PlainEmbedder()
    with Memory(place_at(tmp_path / "fabula.db"), vectors_by=embedder) as memory:
        story = memory.story("雾港", language="zh")
        tell(story)
        embed(memory, story)
    said = "\n".join(embedder.asked)
    assert [word for word in SECRET_WORDS if word not in said] == ["禁书"], "keys are no texts"


@pytest.mark.long
def test_the_setting_lets_secrets_be_sent_and_taken_back(tmp_path: Path, house: Connected) -> None:
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        embed(memory, story)
        held = embedding_status(memory.call(), project_id=story.id).vector_count
    house.played.asked.clear()
    with opened(tmp_path, house, embedding_secrets=True) as (memory, story):
        assert not embedding_status(memory.call(), project_id=story.id).up_to_date
        embed(memory, story)
        assert embedding_status(memory.call(), project_id=story.id).vector_count > held
    assert {"灯塔下藏着钥匙。", "月圆之夜开门。"} <= set(sent(house))
    house.played.asked.clear()
    with opened(tmp_path, house) as (memory, story):
        embed(memory, story)
        assert embedding_status(memory.call(), project_id=story.id).vector_count == held
    said = "\n".join(sent(house))
    assert [word for word in SECRET_WORDS if word in said] == []


@pytest.mark.parametrize("level", SECRET_LEVELS)
def test_what_becomes_a_secret_is_sent_no_more_and_sent_again_when_it_is_none(
    tmp_path: Path, house: Connected, level: str
) -> None:
    with opened(tmp_path, house) as (memory, story):
        key = person(story, "盐先生", "灯塔下藏着钥匙。")
        person(story, "江离", "望归塔的守灯人。她怕盐先生。")
        story.scene(0, 0, "雾起了。盐先生来了。")
        embed(memory, story)
        assert "灯塔下藏着钥匙。" in sent(house)
        count = embedding_status(memory.call(), project_id=story.id).vector_count

        house.played.asked.clear()
        set_level(story, key, level)
        assert not embedding_status(memory.call(), project_id=story.id).up_to_date
        embed(memory, story)
        assert embedding_status(memory.call(), project_id=story.id).vector_count == count - 1
        assert sorted(sent(house)) == ["望归塔的守灯人。", "雾起了。"]

        house.played.asked.clear()
        set_level(story, key, "when_detected")
        embed(memory, story)
        assert embedding_status(memory.call(), project_id=story.id).vector_count == count
        whole = ["望归塔的守灯人。她怕盐先生。", "灯塔下藏着钥匙。", "雾起了。盐先生来了。"]
        assert sorted(sent(house)) == whole

        house.played.asked.clear()
        story.history.undo()
        embed(memory, story)
        assert not any("盐先生" in text for text in sent(house))


def test_only_what_changed_is_sent(tmp_path: Path, house: Connected) -> None:
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        embed(memory, story)
        house.played.asked.clear()
        story.scene(0, 1, "灯亮了。老盐走了。")
        embed(memory, story)
        assert sent(house) == ["灯亮了。"]
        house.played.asked.clear()
        person(story, "白鹭", "不说话的孩子。")
        embed(memory, story)
        assert sent(house) == ["不说话的孩子。"]


def test_a_name_that_becomes_a_secrets_alias_takes_its_sentences_out(
    tmp_path: Path, house: Connected
) -> None:
    with opened(tmp_path, house) as (memory, story):
        key = tell(story)
        person(story, "白鹭", "不说话的孩子。她见过卖盐人。")
        embed(memory, story)
        assert "不说话的孩子。她见过卖盐人。" in sent(house)
        house.played.asked.clear()
        version = story.entity.read(id=key).version
        story.entity.update(id=key, expected_version=version, patch={"aliases": ["老盐", "卖盐人"]})
        embed(memory, story)
        assert sent(house) == ["不说话的孩子。"]


def test_what_becomes_a_secret_while_others_are_sent_is_not_sent_any_more(
    tmp_path: Path, house: Connected
) -> None:
    with opened(tmp_path, house) as (memory, story):
        people = [
            {"type": "character", "name": f"人{n}", "description": f"第{n}个。"} for n in range(3 * BATCH)
        ]
        story.batch.upsert(entities=people, relations=[])
        ids = {one.name: one.id for one in story.entity.list(limit=1000).items}
        hidden: list[str] = []

        def hide(texts: list[str]) -> None:
            if texts != ["?"] and not hidden:
                waiting = [n for n in range(3 * BATCH) if f"第{n}个。" not in texts]
                hidden.append(f"第{waiting[-1]}个。")
                set_level(story, ids[f"人{waiting[-1]}"], "never")

        house.played.plays(answering(house, hide))
        embed(memory, story)
        assert hidden
        assert hidden[0] not in sent(house)
        assert embedding_status(memory.call(), project_id=story.id).vector_count == 3 * BATCH - 1
        assert len(sent(house)) == 3 * BATCH - 1, "nothing is sent twice"


def test_secrets_are_found_by_their_words(tmp_path: Path, house: Connected) -> None:
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        embed(memory, story)
        assert "盐先生" in [hit.title for hit in story.search("灯塔下的钥匙", kinds=["entity"]).items]


def test_a_question_is_sent_as_it_is(tmp_path: Path, house: Connected) -> None:
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        embed(memory, story)
        house.played.asked.clear()
        story.search("盐先生是谁？")
        story.context(1, 0, "老盐敲门。")
        assert sent(house) == ["盐先生是谁？", "老盐敲门。"]


def test_a_story_without_vectors_sends_no_question(tmp_path: Path, house: Connected) -> None:
    with opened(tmp_path, house) as (memory, story):
        memory.call().meaning.about(memory.call().store, story.id, lambda _: ("谁？",))
        assert sent(house) == []


NAMES = ("盐先生", "Mr Salt", "青云", "Ann")
OPEN_SENTENCES = ("雾起了。", "The lamp is lit. ", "灯亮着。")

persons = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(("always", "when_detected", *SECRET_LEVELS))),
    min_size=1,
    max_size=4,
    unique_by=lambda one: one[0],
)
texts = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(OPEN_SENTENCES), st.booleans()), max_size=6
)


@pytest.mark.long
@settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(cast=persons, told=texts, later=st.lists(st.sampled_from(("always", *SECRET_LEVELS)), max_size=3))
def test_no_sentence_that_names_a_secret_is_ever_sent(
    tmp_path: Path, house: Connected, cast: list[Any], told: list[Any], later: list[str]
) -> None:
    with opened(tmp_path, house) as (memory, _):
        story = memory.story("任", language="zh")
        levels = dict(cast)
        keys = {
            name: person(story, name, f"只有{n}号知道。", ai_context_level=level)
            for n, (name, level) in enumerate(levels.items())
        }
        text = "".join(f"{name}来过这里。{quiet}" if named else quiet for name, quiet, named in told)
        story.scene(0, 0, text or "无。")
        story.entry("见闻", text or "无。")
        for name, level in [("", ""), *zip(levels, later, strict=False)]:
            if name:
                levels[name] = level
                set_level(story, keys[name], level)
            house.played.asked.clear()
            embed(memory, story)
            secrets = [one for one, level in levels.items() if level in SECRET_LEVELS]
            for number, one in enumerate(levels):
                if one in secrets:
                    assert f"只有{number}号知道。" not in sent(house)
            assert not [said for said in sent(house) for one in secrets if one in said]
        delete_story(memory.call(), project_id=story.id)


def test_a_server_sends_no_secrets_unless_its_settings_say_so(tmp_path: Path, house: Connected) -> None:
    named = {"FABULA_EMBEDDING_BASE_URL": house.played.url, "FABULA_EMBEDDING_MODEL": "played"}
    story = ""
    for wish, is_sent in (({}, False), ({"FABULA_EMBEDDING_SECRETS": "on"}, True)):
        with serving(tmp_path, **named, **wish) as server:
            if not story:
                story = server.new_story()
                server.entity(story, "盐先生", description="灯塔下藏着钥匙。", aiContextLevel="never")
                server.entity(story, "江离", description="望归塔的守灯人。她怕盐先生。")
            job = server.client.post(f"/api/v2/stories/{story}/embeddings").json()
            assert server.ended(job["id"])["status"] == "done"
            assert ("灯塔下藏着钥匙。" in sent(house)) is is_sent
            assert any("望归塔的守灯人" in text for text in sent(house))
