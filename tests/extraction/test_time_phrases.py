"""Phrases at the head of a scene that say when it plays."""

from __future__ import annotations

import pytest

from fabula.extraction.time_phrases import time_phrase


@pytest.mark.parametrize(
    ("text", "phrase", "days"),
    [
        ("三天后，他回来了。", "三天后", 3),
        ("却说次日天明，众人起身。", "次日", 1),
        ("十年前，林远还是学徒。", "十年前", -3650),
        ("当夜三更，有人敲门。", "当夜", 0),
        ("又过了两个月，雨停了。", "又过了两个月", 60),
        ("半年之后，她走了。", "半年之后", 182.5),
        ("几日后，信到了。", "几日后", 3),
        ("前一晚，他没有睡。", "前一晚", -1),
        ("Three days later, he came back.", "Three days later", 3),
        ("The night before the ball, she wept.", "The night before", -1),
        ("Ten years earlier, in the same house.", "Ten years earlier", -3650),
        ("On the following day he left.", "the following day", 1),
        ("That night nobody slept.", "That night", 0),
        ("A few weeks had passed.", "A few weeks had passed", 21),
    ],
)
def test_a_phrase_says_when_a_scene_plays(text: str, phrase: str, days: float) -> None:
    found = time_phrase(text)
    assert found is not None
    assert (found.text, found.days) == (phrase, days)
    assert text[found.start : found.end] == phrase


@pytest.mark.parametrize(
    "text",
    [
        "他三天后回来。",
        "十年前的事，他不想再提。",
        "“三年前我在这里。”他说。",
        "三人前来投宿。",
        "He came three days later.",
        "Three days after the quarrel they met.",
        "One day he left.",
        "",
    ],
)
def test_other_beginnings_say_nothing(text: str) -> None:
    assert time_phrase(text) is None
