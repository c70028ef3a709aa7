from __future__ import annotations

from bench.eval.presence import presences

from plain_world import PlainWorld, Somebody

WORLD = PlainWorld(
    [Somebody("Levin"), Somebody("Kitty"), Somebody("Dolly"), Somebody("林逸"), Somebody("苏瑶")]
)


def on_stage(text: str) -> list[str]:
    found = presences(WORLD, text, WORLD.everybody())
    return sorted(WORLD.people[one.slot].name for one in found if one.on_stage)


def test_who_acts_or_is_told_of_twice_is_on_stage() -> None:
    assert on_stage("Levin walked in. He looked at Kitty, and Kitty was silent.") == ["Kitty", "Levin"]
    assert on_stage("“Come,” said Dolly.") == ["Dolly"]


def test_who_is_only_spoken_of_is_not() -> None:
    assert on_stage("Levin sat down. “Have you seen Kitty? Kitty was here.” He thought of Dolly.") == [
        "Levin"
    ]


def test_chinese_speech_is_told_apart() -> None:
    assert on_stage("林逸推开门。「苏瑶呢？苏瑶去哪了？」他问。") == ["林逸"]
    assert on_stage("林逸推开门，看见苏瑶。苏瑶笑了。") == sorted(["林逸", "苏瑶"])


def test_the_forbidden_are_not_present() -> None:
    found = presences(WORLD, "Levin walked in. Kitty sat down.", WORLD.all_but("Kitty"))
    assert WORLD.names(found) == ["Levin"]
