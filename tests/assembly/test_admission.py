from __future__ import annotations

from dataclasses import replace

import pytest

from fabula.assembly.admission import judge_character, judge_lore, judge_relation, judge_snapshot
from fabula.assembly.candidates import (
    CharacterCandidate,
    LoreCandidate,
    RelationCandidate,
    SnapshotCandidate,
)
from fabula.model.context import MatchPlace
from fabula.model.level import AiContextLevel
from fabula.model.lore import ActivationRules, Category, InsertionPosition
from fabula.model.moment import Moment, first_instant

NOW = first_instant(Moment(chapter=3, scene=2))
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
LATER, EARLIER = Moment(chapter=3, scene=3), Moment(chapter=3, scene=1)
RELATION = RelationCandidate("r", "a", "甲", "b", "乙", "ally", "盟友")


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
        ({"excluded_hit": True, "matches": HIT}, (False, "excluded_keyword")),
        ({"excluded_hit": True, "pinned": True}, (True, "pinned")),
        ({"excluded_hit": True, "level": ALWAYS}, (True, "always")),
    ],
)
def test_the_first_check_that_speaks_decides(changes: dict, expected: tuple[bool, str] | None) -> None:
    assert judge_lore(replace(ENTRY, **changes), NOW) == expected


@pytest.mark.parametrize(
    ("logic", "hits", "passes"),
    [
        ("and_any", set(), False),
        ("and_any", {"blade"}, True),
        ("and_all", {"blade"}, False),
        ("and_all", {"blade", "剑"}, True),
        ("not_any", set(), True),
        ("not_any", {"剑"}, False),
        ("not_all", {"剑"}, True),
        ("not_all", {"blade", "剑"}, False),
    ],
)
def test_secondary_keywords_are_compared_as_names_are(logic: str, hits: set[str], passes: bool) -> None:
    rules = ActivationRules(secondary_keywords=("Ｂlade", "剑"), secondary_logic=logic)
    entry = replace(ENTRY, rules=rules, secondary_hits=frozenset(hits))
    assert judge_lore(entry, NOW) is None
    verdict = judge_lore(replace(entry, matches=HIT), NOW)
    assert verdict == ((True, "detected") if passes else (False, "secondary_keywords"))


def test_relations_are_told_while_they_are_true_and_no_secret() -> None:
    assert judge_relation(RELATION, NOW) == (True, "related")
    assert judge_relation(replace(RELATION, secret=True), NOW) == (False, "level_never")
    assert judge_relation(replace(RELATION, since=LATER), NOW) == (False, "not_yet")
    assert judge_relation(replace(RELATION, until=EARLIER), NOW) == (False, "no_longer")


def test_only_scenes_before_this_one_are_told() -> None:
    assert judge_snapshot(SnapshotCandidate("s", 3, 1, "雨。"), NOW) == (True, "recent_scene")
    assert judge_snapshot(SnapshotCandidate("s", 3, 2, "雨。"), NOW) == (False, "not_yet")
    assert judge_snapshot(SnapshotCandidate("s", 4, 0, "雨。"), NOW) == (False, "not_yet")
    assert judge_snapshot(SnapshotCandidate("s", 3, 1, " "), NOW) == (False, "empty")


def test_people_are_on_stage_when_a_scene_left_them_there_or_the_text_names_them() -> None:
    assert judge_character(CharacterCandidate("甲")) == (True, "active")
    assert judge_character(CharacterCandidate("甲", active=False)) is None
    assert judge_character(CharacterCandidate("甲", active=False, matches=HIT)) == (True, "active")
    assert judge_character(CharacterCandidate("甲", secret=True)) == (False, "level_never")
