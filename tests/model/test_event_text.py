"""What a model is told of an event."""

from __future__ import annotations

import pytest

from fabula.model.event import Event, Part, blank_event, event_text

FOG = Event(
    id="e",
    project_id="p",
    event="空船入港",
    time_anchor="入秋第一场雾",
    logic=("舵是绑着的",),
    causality="有人解了缆。",
    level=1,
)
CAST = [Part("place", "雾港", ""), Part("role", "江离", "发现者"), Part("role", "沈潮", "")]


def test_title_time_place_people_summary_cause_in_this_order() -> None:
    assert event_text("空船", "船漂近雾港。", {"时段": "夜"}, FOG, CAST, "zh").splitlines() == [
        "空船（空船入港）",
        "时间：入秋第一场雾",
        "地点：雾港",
        "人物：",
        "- 江离（发现者）",
        "- 沈潮",
        "船漂近雾港。",
        "因果：有人解了缆。",
        "时段: 夜",
    ]


def test_the_words_are_those_of_the_story() -> None:
    told = event_text("Empty Ship", "She drifts in.", {}, FOG, CAST, "en").splitlines()
    assert told[0] == "Empty Ship (空船入港)"
    assert told[1:4] == ["Time: 入秋第一场雾", "Place: 雾港", "Who:"]
    assert told[-1] == "Cause: 有人解了缆。"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_not_said_takes_no_line(language: str) -> None:
    assert event_text("空船", " 船来了。 ", {}, blank_event("p", "e"), [], language) == "空船\n船来了。"
    same = blank_event("p", "e").model_copy(update={"event": "空船"})
    assert event_text("空船", "", {}, same, [], language) == "空船"
