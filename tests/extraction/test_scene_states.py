"""How people are at the end of a scene, word by word."""

from __future__ import annotations

import pytest

from fabula.extraction.port import KnownEntity
from fabula.extraction.scene_states import carried_on
from fabula.extraction.short_summary import short_summary
from fabula.extraction.summary import CharacterState
from fabula.model.relation import Language

PEOPLE = [
    KnownEntity("林惊羽", "character"),
    KnownEntity("苏瑶", "character"),
    KnownEntity("Shen", "character"),
]


def states(text: str, language: Language = "zh") -> dict[str, tuple[str | None, str | None]]:
    told = short_summary(text, PEOPLE, language).character_states
    return {one.name: (one.current_state, one.emotional_state) for one in told}


@pytest.mark.parametrize(
    ("text", "who", "state"),
    [
        ("林惊羽被苏瑶刺伤。", "林惊羽", "受伤"),
        ("苏瑶把林惊羽打伤了。", "林惊羽", "受伤"),
        ("林惊羽昏了过去。", "林惊羽", "昏迷"),
        ("林惊羽受伤。林惊羽醒来，已经痊愈。", "林惊羽", ""),
    ],
)
def test_a_word_tells_a_state_of_the_right_one(text: str, who: str, state: str) -> None:
    assert states(text)[who][0] == state


@pytest.mark.parametrize(
    "text", ["林惊羽没有受伤。", "林惊羽说：“苏瑶死了。”", "如果林惊羽受伤，就糟了。", "林惊羽险些受伤。"]
)
def test_what_is_denied_said_or_supposed_is_no_state(text: str) -> None:
    assert {state for state, _ in states(text).values()} <= {None}


def test_english_states() -> None:
    assert states("Shen was wounded at dawn. Nobody came.", "en")["Shen"][0] == "wounded"
    assert states("Shen was not wounded.", "en").get("Shen", (None, None))[0] is None


def test_a_mood_belongs_to_whom_the_sentence_is_about() -> None:
    assert states("苏瑶哭了，泪流满面。林惊羽走了。")["苏瑶"][1] == "悲伤"


def test_states_are_carried_on_where_nothing_is_said() -> None:
    before = {"甲": CharacterState(name="甲", current_state="受伤", emotional_state="悲伤")}
    said = [
        CharacterState(name="甲", emotional_state="喜悦"),
        CharacterState(name="乙", current_state="睡着"),
    ]
    assert carried_on(["甲", "乙"], said, before) == (
        CharacterState(name="甲", current_state="受伤", emotional_state="喜悦"),
        CharacterState(name="乙", current_state="睡着", emotional_state=""),
    )
    cured = [CharacterState(name="甲", current_state="")]
    assert carried_on(["甲"], cured, before)[0].current_state == ""
