import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.extraction.port import KnownEntity
from fabula.extraction.short_summary import short_summary
from fabula.extraction.summary import SceneSummary, summary_of
from fabula.extraction.summary_by_model import summary_by_model
from fabula.extraction.summary_prompts import SceneToSum
from fabula.llm.scripted import ScriptedChatModel

SCENE = """\
黄昏，林惊羽回到望归塔。塔里没有点灯。“你去了哪里？”苏瑶问道。
林惊羽没有回答，只把断潮剑放在桌上，剑上有血。苏瑶的手颤抖起来。她听说了，赵无极死了。
林惊羽说：“不是我。”外面传来脚步声，有人在敲望归塔的门。苏瑶握紧断潮剑，吹灭了灯。"""
KNOWN = [
    KnownEntity("林惊羽", "character"),
    KnownEntity("苏瑶", "character"),
    KnownEntity("望归塔", "location"),
    KnownEntity("断潮剑", "item"),
]


WHEN_AND_WHAT = '"timelinePosition": "黄昏", "emotionalTone": "紧张", "keyEvents": ["敲门"]'


@pytest.mark.scenario("MEMORY-SUMMARY-ANSWER")
@pytest.mark.parametrize(
    "answer",
    [
        "林惊羽带着血回到望归塔。\n\n---METADATA---\n"
        '{"activeCharacters": ["林惊羽", "苏瑶", "魔王"], "activeLocations": ["望归塔"], '
        f"{WHEN_AND_WHAT}}}",
        "**摘要**：林惊羽带着血回到望归塔。\n--- metadata ---\n```json\n"
        '{"activeCharacters": "林惊羽、苏瑶", "activeLocations": ["望归塔",], '
        f"{WHEN_AND_WHAT},}}\n```",
        '{"summary": "林惊羽带着血回到望归塔。", "activeLocations": [{"name": "望归塔"}], '
        f'"activeCharacters": [{{"name": "林惊羽"}}, {{"name": "苏瑶"}}], {WHEN_AND_WHAT}}}',
    ],
)
def test_a_summary_is_read_however_the_model_wrote_it(answer: str) -> None:
    assert summary_of(answer, SCENE) == SceneSummary(
        summary="林惊羽带着血回到望归塔。",
        active_characters=("林惊羽", "苏瑶"),
        active_locations=("望归塔",),
        timeline_position="黄昏",
        emotional_tone="紧张",
        key_events=("敲门",),
    )


def test_prose_without_the_structured_part_is_a_summary_too() -> None:
    assert summary_of("林惊羽回来了。", SCENE) == SceneSummary(summary="林惊羽回来了。")


def test_an_answer_without_a_summary_is_asked_for_once_more() -> None:
    scene = SceneToSum("潮声", 3, 1, SCENE)

    summary = summary_by_model(ScriptedChatModel(["---METADATA---{}", "林惊羽回来了。"]), scene, "zh")

    assert summary.summary == "林惊羽回来了。"


def test_a_model_is_given_the_scene_and_what_came_before() -> None:
    chat = ScriptedChatModel(["x"])

    summary_by_model(chat, SceneToSum("潮声", 3, 1, SCENE, "前一晚下了雪。"), "zh")

    said = chat.requests[0].messages[-1].content
    assert SCENE in said
    assert "前一晚下了雪。" in said


def test_without_a_model_the_scene_is_told_in_its_own_sentences() -> None:
    summary = short_summary(SCENE, KNOWN, "zh", limit=60)

    assert 0 < len(summary.summary) <= 60
    assert all(part in SCENE for part in summary.summary.split("。"))
    assert set(summary.active_characters) >= {"林惊羽", "苏瑶"}
    assert summary.active_locations == ("望归塔",)
    assert summary.timeline_position == "黄昏"
    assert summary.emotional_tone.startswith(("紧张", "恐惧"))
    assert summary.key_events


def test_an_english_scene_is_told_under_main_names_and_titles_end_no_sentence() -> None:
    text = "The next morning Mr. Thorne met Ada Hale at the mill. Ada laughed. Mr. Thorne gave Ada the key."

    summary = short_summary(text, [KnownEntity("Ada Hale", "character", ("Ada",))], "en")

    assert summary.active_characters == ("Ada Hale", "Mr. Thorne")
    assert summary.timeline_position.lower() == "the next morning"
    assert not any(event.endswith("Mr.") for event in summary.key_events)


@settings(max_examples=examples(40), deadline=None)
@given(st.text(max_size=300), st.integers(20, 200))
def test_a_summary_is_never_longer_than_asked_for(text: str, limit: int) -> None:
    assert len(short_summary(text, [], "zh", limit=limit).summary) <= limit
