from __future__ import annotations

from dataclasses import replace

import pytest

from fabula.retrieval.reasons import Retrieved
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import DEFAULT
from plain_world import PlainWorld, Somebody

LABELS = {"friend": ("朋友", "Friend"), "enemy": ("敌人", "Enemy")}
RELATIONS = [("Alice", "friend", "Bob"), ("Alice", "enemy", "Carol"), ("Bob", "knows", "Dan")]
ENGLISH = PlainWorld(
    [Somebody("Alice", "A duelist."), Somebody("Bob", "A baker."), Somebody("Carol"), Somebody("Dan")],
    RELATIONS,
    labels=LABELS,
)
_ZH = {"Alice": "爱丽丝", "Bob": "鲍勃", "Carol": "卡萝尔", "Dan": "丹尼"}
CHINESE = PlainWorld(
    [Somebody(_ZH[person.name]) for person in ENGLISH.people],
    [(_ZH[source], kind, _ZH[target]) for source, kind, target in RELATIONS],
    labels=LABELS,
)
TOLD = PlainWorld(
    [
        Somebody("Alice", "A duelist. Bob has been her friend since childhood. Her sworn enemy is Carol."),
        *map(Somebody, ("Bob", "Carol", "Dan")),
    ]
)


def found(world: PlainWorld, query: str) -> Retrieved:
    return GraphRetriever(world).retrieve(query, world.everybody())


@pytest.mark.parametrize(
    ("world", "query", "kept", "dropped"),
    [
        (ENGLISH, "Alice's sworn enemy", "Carol", "Bob"),
        (ENGLISH, "Who is the nemesis of Alice?", "Carol", "Bob"),
        (ENGLISH, "Alice's best friend", "Bob", "Carol"),
        (CHINESE, "爱丽丝的死对头", "卡萝尔", "鲍勃"),
        (CHINESE, "谁是爱丽丝的宿敌？", "卡萝尔", "鲍勃"),
        (CHINESE, "爱丽丝的挚友", "鲍勃", "卡萝尔"),
        (TOLD, "Alice's enemy", "Carol", "Bob"),
        (TOLD, "Alice's friend", "Bob", "Carol"),
    ],
)
def test_who_stands_in_the_relation_asked_for_stays_and_others_go(
    world: PlainWorld, query: str, kept: str, dropped: str
) -> None:
    answer = found(world, query)
    assert kept in world.names(answer.targets)
    assert dropped not in world.names(answer.targets)
    assert dropped in world.names(answer.dropped)


def test_a_drop_says_why_and_a_target_shows_its_path() -> None:
    answer = found(ENGLISH, "Alice's sworn enemy")
    losses = {ENGLISH.people[one.slot].name: one.loss for one in answer.dropped}
    assert losses["Bob"] == "other_relation"
    carol = next(target for target in answer.targets if ENGLISH.people[target.slot].name == "Carol")
    assert [(step.kind, step.asked) for step in carol.path] == [("enemy", ("enemy",))]
    assert carol.parts.relation > 0.9


def test_without_a_question_all_neighbours_stay() -> None:
    assert set(ENGLISH.names(found(ENGLISH, "Alice").targets)) >= {"Alice", "Bob", "Carol"}


def test_a_sentence_of_a_story_drops_nobody_for_a_relation() -> None:
    answer = found(CHINESE, "爱丽丝走进酒馆，看见一个敌人")
    assert {"鲍勃", "卡萝尔"} <= set(CHINESE.names(answer.targets))


def test_the_end_of_a_chain_stands_before_its_middle() -> None:
    world = PlainWorld(
        [*map(Somebody, ("贾宝玉", "贾政", "贾敏", "王夫人"))],
        [("贾政", "父亲", "贾宝玉"), ("贾敏", "妹妹", "贾政"), ("王夫人", "母亲", "贾宝玉")],
    )
    names = world.names(found(world, "贾宝玉的父亲的妹妹").targets)
    assert names.index("贾敏") < names.index("贾政")
    assert "王夫人" not in names


@pytest.mark.scenario("ENGRAM-STAGE-3-MEANING")
def test_meaning_alone_can_tell_neighbours_apart() -> None:
    world = replace(ENGLISH, relations=[("Alice", "knows", "Bob"), ("Alice", "knows", "Carol")])
    near = replace(world, meanings={"Carol": 0.9, "Bob": 0.1})
    assert ENGLISH.names(found(world, "Alice fears her").targets)[1] == "Bob"
    assert ENGLISH.names(found(near, "Alice fears her").targets)[1] == "Carol"


def test_nobody_named_is_ever_dropped_for_being_weaker() -> None:
    answer = found(ENGLISH, "Alice's enemy, says Dan, is Bob")
    assert {"Alice", "Bob", "Dan"} <= set(ENGLISH.names(answer.targets))


def test_more_room_only_adds_at_the_end() -> None:
    wide = found(ENGLISH, "Alice and Bob").targets
    for size in range(1, len(wide)):
        narrow = GraphRetriever(ENGLISH, replace(DEFAULT, targets=size))
        assert narrow.retrieve("Alice and Bob", ENGLISH.everybody()).targets == wide[:size]
