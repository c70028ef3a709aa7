"""A book read in blocks: people are those who speak, and blocks join to one reading."""

from __future__ import annotations

from fabula.extraction.found import Found, FoundName
from fabula.extraction.mentions import Mention
from fabula.extraction.whole_book import Block, joined, packed, unpacked, weighed


def book(*told: tuple[str, str], times: int = 10, kind: str = "character") -> tuple[str, Found]:
    """A text in which each name stands before what is told of it, so many times; all are believed alike."""
    text, mentions = "", []
    for _ in range(times):
        for name, rest in told:
            mentions.append(Mention(len(text), len(text) + len(name), name, kind, 0.95))
            text += f"{name}{rest}\n"
    return text, Found(mentions, [FoundName(name, kind, times, 0.95) for name, _ in told])


def confidence(found: Found) -> dict[str, float]:
    return {name.text: name.confidence for name in found.names}


def test_who_never_speaks_and_what_is_only_said_is_doubted() -> None:
    text, found = book(
        ("袭人", "笑道：“来了。”"), ("袭人", "走了。"), ("胡涂", "得很。"), ("嚷着", "道：“好。”")
    )
    sure = confidence(weighed(found, text, "zh"))
    assert sure["袭人"] == 0.95
    assert sure["胡涂"] < 0.8
    assert sure["嚷着"] < 0.5


def test_whoever_speaks_is_somebody_whatever_the_name_looks_like() -> None:
    text, found = book(("八戒", "道：“饿了。”"), ("八戒", "走了。"), kind="item")
    after = weighed(found, text, "zh")
    assert {name.type for name in after.names} == {"character"}
    assert {mention.type for mention in after.mentions} == {"character"}


def test_a_full_name_need_not_speak_and_a_common_word_may() -> None:
    text, found = book(("王熙凤", "来了。"), ("那婆子", "说道：“是。”"), ("那婆子", "走了。"))
    sure = confidence(weighed(found, text, "zh"))
    assert sure["王熙凤"] == 0.95
    assert sure["那婆子"] < 0.8


def test_places_of_two_characters_and_positions_are_doubted() -> None:
    text, found = book(("大观园", "里有人。"), ("炕沿上", "坐着。"), ("大路", "很长。"), kind="location")
    sure = confidence(weighed(found, text, "zh"))
    assert sure["大观园"] == 0.95
    assert max(sure["炕沿上"], sure["大路"]) < 0.8


def test_english_people_are_known_by_said_before_and_after() -> None:
    def judged(text: str) -> FoundName:
        places = [place for place in range(len(text)) if text.startswith("Salt", place)]
        mentions = [Mention(place, place + 4, "Salt", "item", 0.9) for place in places]
        (name,) = weighed(Found(mentions, [FoundName("Salt", "item", 8, 0.9)]), text, "en").names
        return name

    assert judged('Salt said, "No." "Yes," said Salt. ' * 4).confidence < 0.9  # nothing but speech
    somebody = judged('Salt went away. "Yes," said Salt. ' * 4)
    assert (somebody.type, somebody.confidence) == ("character", 0.9)


def test_blocks_join_to_one_and_survive_being_kept() -> None:
    _, first = book(("袭人", "笑道。"), times=2)
    _, second = book(("袭人", "走了。"), times=6)
    second = Found(second.mentions, [FoundName("袭人", "location", 6, 0.5)])
    blocks = [Block(0, unpacked(packed(first))), Block(100, unpacked(packed(second)))]
    found = joined(blocks)
    assert [mention.start for mention in found.mentions[:3]] == [0, 6, 100]
    (name,) = found.names
    assert (name.type, name.times) == ("location", 8)
    assert 0.5 < name.confidence < 0.95
