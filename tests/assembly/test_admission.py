from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabula.assembly.sections import characters, snapshots
from fabula.assembly.sections.characters import CharacterCandidate
from fabula.assembly.sections.lore import LoreCandidate
from fabula.assembly.sections.relations import weigh
from fabula.assembly.sections.snapshots import SnapshotCandidate
from fabula.assembly.sentences import RelationCandidate
from fabula.assembly.setting import SceneSetting
from fabula.model.activation import ActivationRules, judge
from fabula.model.audience import Withheld
from fabula.model.context import MatchPlace
from fabula.model.level import AiContextLevel
from fabula.model.lore import Category, InsertionPosition
from fabula.model.moment import Moment, first_instant
from fabula.tokens import counter

NOW = first_instant(Moment(chapter=3, scene=2))
WORDS = counter("gpt-4o")
HIT = (MatchPlace(term="林逸", kind="name", start=0, end=2),)
ENTRY = LoreCandidate(
    id="e1",
    entity_id="x1",
    entry_key="林逸",
    display_name="林逸 - 主角",
    category=Category.CHARACTER,
    content="剑修。",
    priority=10,
    position=InsertionPosition.BEFORE_SCENE,
    token_budget=500,
    level=AiContextLevel.WHEN_DETECTED,
)
NEVER, MANUAL, ALWAYS = AiContextLevel.NEVER, AiContextLevel.MANUAL_ONLY, AiContextLevel.ALWAYS
EXCLUDING = ActivationRules(exclude_keywords=("梦",))
LATER, EARLIER = Moment(chapter=3, scene=3), Moment(chapter=3, scene=1)
RELATION = RelationCandidate("r", "a", "甲", "b", "乙", "ally", "盟友")


def at(text: str = "") -> SceneSetting:
    return SceneSetting(NOW, "zh", WORDS, text)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, None),
        ({"matches": HIT}, (True, "detected")),
        ({"level": ALWAYS}, (True, "always")),
        ({"pinned": True}, (True, "pinned")),
        ({"pinned": True, "level": MANUAL}, (True, "pinned")),
        ({"pinned": True, "level": ALWAYS}, (True, "pinned")),
        ({"level": NEVER}, (False, "level_never")),
        ({"level": NEVER, "pinned": True, "matches": HIT}, (False, "level_never")),
        ({"level": NEVER, "since": LATER, "enabled": False}, (False, "level_never")),
        ({"since": LATER, "matches": HIT}, (False, "not_yet")),
        ({"since": LATER, "pinned": True}, (False, "not_yet")),
        ({"until": EARLIER, "level": ALWAYS}, (False, "no_longer")),
        ({"until": Moment(chapter=2)}, (False, "no_longer")),
        ({"until": Moment(chapter=3), "matches": HIT}, (True, "detected")),
        ({"since": Moment(chapter=3, scene=2), "matches": HIT}, (True, "detected")),
        ({"until": Moment(chapter=3, scene=2), "matches": HIT}, (True, "detected")),
        ({"since": LATER, "level": MANUAL}, (False, "not_yet")),
        ({"level": MANUAL, "matches": HIT}, (False, "level_manual_only")),
        ({"level": MANUAL, "enabled": False}, (False, "level_manual_only")),
        ({"enabled": False, "pinned": True}, (False, "disabled")),
        ({"enabled": False, "level": ALWAYS}, (False, "disabled")),
        ({"enabled": False, "content": ""}, (False, "disabled")),
        ({"content": " \n", "pinned": True}, (False, "empty")),
        ({"content": "", "withheld": Withheld.SENTENCES}, (False, "names_a_secret")),
        ({"withheld": Withheld.SENTENCES, "matches": HIT}, (True, "detected")),
        ({"withheld": Withheld.WHOLE, "pinned": True}, (False, "names_a_secret")),
        ({"withheld": Withheld.WHOLE, "enabled": False}, (False, "disabled")),
        ({"rules": EXCLUDING, "matches": HIT}, (False, "excluded_keyword")),
        ({"rules": EXCLUDING, "pinned": True}, (True, "pinned")),
        ({"rules": EXCLUDING, "level": ALWAYS}, (True, "always")),
    ],
)
def test_the_first_check_that_speaks_decides(changes: dict, expected: tuple[bool, str] | None) -> None:
    assert judge(replace(ENTRY, **changes), at("他做了一个梦。")) == expected


@pytest.mark.parametrize(
    ("logic", "hits", "passes"),
    [
        ("and_any", set(), False),
        ("and_any", {"BLADES"}, True),
        ("and_all", {"BLADES"}, False),
        ("and_all", {"BLADES", "剑"}, True),
        ("not_any", set(), True),
        ("not_any", {"剑"}, False),
        ("not_all", {"剑"}, True),
        ("not_all", {"BLADES", "剑"}, False),
    ],
)
def test_secondary_keywords_are_compared_as_names_are(logic: str, hits: set[str], passes: bool) -> None:
    rules = ActivationRules(secondary_keywords=("Ｂlade", "剑"), secondary_logic=logic)
    entry, scene = replace(ENTRY, rules=rules), at(" ".join(sorted(hits)))
    assert judge(entry, scene) is None
    verdict = judge(replace(entry, matches=HIT), scene)
    assert verdict == ((True, "detected") if passes else (False, "secondary_keywords"))


def test_relations_are_told_while_they_are_true() -> None:
    def dropped(**period: Moment) -> list[str]:
        return [one.reason for one in weigh([replace(RELATION, **period)], at()).dropped]

    assert [one.reason for one in weigh([RELATION], at()).kept] == ["related"]
    assert dropped(since=LATER) == ["not_yet"]
    assert dropped(until=EARLIER) == ["no_longer"]


def test_only_scenes_before_this_one_are_told() -> None:
    assert snapshots.verdict(SnapshotCandidate("s", 3, 1, "雨。"), at()) == (True, "recent_scene")
    assert snapshots.verdict(SnapshotCandidate("s", 3, 2, "雨。"), at()) == (False, "not_yet")
    assert snapshots.verdict(SnapshotCandidate("s", 4, 0, "雨。"), at()) == (False, "not_yet")
    assert snapshots.verdict(SnapshotCandidate("s", 3, 1, " "), at()) == (False, "empty")


def test_people_are_on_stage_when_a_scene_left_them_there_or_the_text_names_them() -> None:
    def verdict(**more: Any) -> Any:
        return characters.verdict(CharacterCandidate("甲", **more), at())

    assert verdict() == (True, "active")
    assert verdict(active=False) is None
    assert verdict(active=False, matches=HIT) == (True, "active")
    assert verdict(withheld=Withheld.WHOLE) == (False, "level_never")
