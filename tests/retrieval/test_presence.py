from __future__ import annotations

from bench.eval.presence import on_stage

from plain_world import PlainWorld, Somebody

WORLD = PlainWorld(
    [Somebody("Levin"), Somebody("Kitty"), Somebody("Dolly"), Somebody("林逸"), Somebody("苏瑶")]
)


def present(text: str) -> list[str]:
    return sorted(WORLD.people[slot].name for slot in on_stage(WORLD, text, WORLD.everybody()))


def test_who_acts_or_speaks_is_on_stage() -> None:
    assert present("Levin walked in. Kitty was silent. “Come,” said Dolly.") == ["Dolly", "Kitty", "Levin"]


def test_who_is_only_spoken_or_thought_of_is_not() -> None:
    told = "Levin sat down. “Have you seen Kitty? Kitty was here.” He thought of Dolly."
    assert present(told) == ["Levin"]
    assert present("林逸推开门。「苏瑶呢？苏瑶去哪了？」他问。") == ["林逸"]


def test_the_forbidden_are_not_present() -> None:
    found = on_stage(WORLD, "Levin walked in. Kitty sat down.", WORLD.all_but("Kitty"))
    assert [WORLD.people[slot].name for slot in found] == ["Levin"]
