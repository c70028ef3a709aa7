from __future__ import annotations

import pytest

from fabula.retrieval.reasons import TermPlace
from fabula.retrieval.relation_words import folded, label_roles, likeness, opposite, role_words
from fabula.retrieval.role_question import LONGEST_QUESTION, RoleQuestion, parse_question
from fabula.retrieval.world import Link, MentionLink


def asked(query: str, name: str) -> RoleQuestion:
    start = query.index(name)
    found = parse_question(query, [TermPlace(name, "name", start, start + len(name))])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("query", "name", "kind", "outward"),
    [
        ("Alice's sworn enemy", "Alice", "enemy", True),
        ("Who are the foes of Alice?", "Alice", "enemy", False),
        ("爱丽丝的死对头", "爱丽丝", "敌人", True),
        ("愛麗絲的師父是誰", "愛麗絲", "师父", False),
        ("Alice's father", "Alice", "parent", False),
        ("Alice's son", "Alice", "parent", True),
        ("Alice's teacher", "Alice", "mentors", False),
        ("林逸的门派", "林逸", "belongs_to", True),
        ("林逸的徒弟", "林逸", "师父", True),
        ("Alice's rivals", "Alice", "rivals", True),
    ],
)
def test_a_link_of_the_role_asked_for_answers(query: str, name: str, kind: str, outward: bool) -> None:
    answer = asked(query, name).link(Link(1, kind, outward), 0)
    assert answer.value >= 0.7
    assert answer.ends


@pytest.mark.parametrize(
    ("query", "name", "kind", "outward"),
    [
        ("Alice's sworn enemy", "Alice", "friend", True),
        ("爱丽丝的死对头", "爱丽丝", "朋友", True),
        ("Alice's father", "Alice", "mother", False),
        ("林逸的父亲", "林逸", "师父", False),
    ],
)
def test_a_link_of_another_role_does_not_answer(query: str, name: str, kind: str, outward: bool) -> None:
    assert asked(query, name).link(Link(1, kind, outward), 0).value < 0.4


def test_the_direction_of_a_relation_counts() -> None:
    query = asked("林逸的师父", "林逸")
    right, wrong = query.link(Link(1, "师父", False), 0), query.link(Link(1, "师父", True), 0)
    assert right.value == 1.0
    # Kept as a possibility, because authors write such words on either end.
    assert 0 < wrong.value <= 0.5


def test_a_word_of_the_story_for_which_there_is_no_role_answers_word_for_word() -> None:
    query = asked("小青的灵契是谁", "小青")
    assert query.link(Link(1, "灵契", True), 0).value == 1.0
    assert query.link(Link(1, "血契", True), 0).value == 0.0
    assert query.link(Link(1, "soul_bond", True, 1.0, ("灵契",)), 0).value == 1.0


def test_a_chain_asks_hop_by_hop_from_the_name_outwards() -> None:
    for text, name in (("Alice's father's sister", "Alice"), ("爱丽丝的父亲的妹妹", "爱丽丝")):
        query = asked(text, name)
        father, sister = Link(1, "father", False), Link(1, "sister", False)
        assert query.link(father, 0).value > 0.9 > query.link(sister, 0).value
        assert query.link(sister, 1).value > 0.9 > query.link(father, 1).value
        assert not query.link(father, 0).ends
        assert query.link(sister, 1).ends


def test_a_role_made_of_two_is_answered_by_two_hops() -> None:
    query = asked("小明的婆婆", "小明")
    assert query.link(Link(1, "丈夫", False), 0).value > 0.5
    assert query.link(Link(1, "母亲", False), 1).value > 0.5
    assert query.link(Link(1, "母亲", False), 1).ends


def test_the_sentence_around_a_name_answers_the_nearer_the_better() -> None:
    text = "A film of 1931, directed by Bob Gray and starring Cora Lane. Dan Moor saw it."
    query = asked("Who is the director of Night?", "Night")

    def answer(name: str) -> float:
        start = text.index(name)
        return query.mention(MentionLink(1, True, start, start + len(name)), text, 0).value

    assert answer("Bob Gray") > 0.8 > answer("Cora Lane") > answer("Dan Moor") == 0.0


def test_the_sentence_around_a_chinese_name_answers() -> None:
    text = "剑客。鲍勃是她自幼的朋友。她的死对头卡萝尔烧了磨坊。"
    query = asked("爱丽丝的仇人", "爱丽丝")
    bob, carol = MentionLink(1, True, 3, 5), MentionLink(2, True, text.index("卡"), text.index("烧"))
    assert query.mention(carol, text, 0).value > 0.8
    assert query.mention(carol, text, 0).words == ("死对头",)
    assert query.mention(bob, text, 0).value == 0.0


@pytest.mark.parametrize(
    ("text", "mother", "son", "name", "queries"),
    [
        ("Tom, son of Ann Gray, is a smith. His son Ben is ten.", "Ann Gray", "Ben", "Tom", "Tom's {}"),
        ("汤姆是安娜的儿子，铁匠。他的儿子小本十岁。", "安娜", "小本", "汤姆", "汤姆的{}"),
    ],
)
def test_the_sentence_says_who_is_what_to_whom(
    text: str, mother: str, son: str, name: str, queries: str
) -> None:
    mother_word, son_word = ("mother", "son") if text.isascii() else ("母亲", "儿子")

    def answer(role: str, other: str) -> float:
        start = text.index(other)
        mention = MentionLink(1, True, start, start + len(other))
        return asked(queries.format(role), name).mention(mention, text, 0).value

    assert answer(son_word, son) > answer(son_word, mother)
    assert answer(mother_word, mother) > answer(mother_word, son)


def test_a_note_speaks_only_where_the_relation_itself_says_nothing() -> None:
    note = "they stood together against a common enemy for years"
    query = asked("Alice's enemy", "Alice")
    assert query.link(Link(1, "friend", True, 1.0, (note,)), 0).value == 0.0
    assert 0 < query.link(Link(1, "knows", True, 1.0, (note,)), 0).value <= 0.7


def test_only_a_question_about_somebody_named_is_tied() -> None:
    assert asked("Alice's worst enemy", "Alice").tied
    assert asked("the enemy of Alice", "Alice").tied
    assert asked("林逸最好的朋友", "林逸").tied
    assert not asked("Alice met an enemy", "Alice").tied
    assert not asked("林逸看见敌人", "林逸").tied


def test_a_passage_asks_for_nothing() -> None:
    assert parse_question("她的师父来了。" * (LONGEST_QUESTION // 6), []) is None


def test_roles_and_their_opposites_fit_together() -> None:
    for role in ("father", "mentor", "enemy", "servant", "owner", "member", "director"):
        assert likeness(role, opposite(opposite(role))) > 0
    assert opposite("father") == "child"
    assert likeness("parent", "father") > likeness("father", "parent") > likeness("father", "mother")


def test_one_character_is_a_role_only_by_itself() -> None:
    assert label_roles("妻") == {"wife"}
    assert [word.term for word in role_words(folded("贾珍的妻是谁"))] == ["妻"]
    assert role_words(folded("子时三刻")) == []
