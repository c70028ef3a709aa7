"""Blanks between Latin names and Chinese are for the eye: with and without them a text says the same."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fabula.extraction.kin import KIN
from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.matching import closed_up
from fabula.model.proposal import ProposalKind
from fabula.retrieval.reasons import TermPlace
from fabula.retrieval.relation_words import cues
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.role_question import RoleQuestion, parse_question
from fabula.retrieval.world import MentionLink
from fabula.story_memory import StoryMemory
from plain_world import PlainWorld, Somebody

_ROLES = """
    enemy rival friend ally mentor disciple fellow neighbour spouse wife husband lover parent father mother
    child son daughter sibling brother sister grandparent uncle aunt nephew niece cousin in_law_parent kin
    master servant leader follower member group owner possession place participant maker killer saviour
"""
WORDS = sorted({word for role in _ROLES.split() for word in cues(role) if "\u4e00" <= word[0] <= "\u9fff"})
SINGLE = tuple("父母夫妻子女兄弟姐妹师徒主仆敌友叔姑孙侄嫂")
NAMES = st.sampled_from(["Alice", "Bob Gray", "O'Brien", "Zoë", "K2"])
BLANK = st.sampled_from(["", " ", "  ", "\u3000", "\u00a0"])
QUESTIONS = (
    "{n}{a}的{b}{w}",
    "{n}{a}的{b}{w}{c}是谁？",
    "{n}{a}最好{b}的{c}{w}",
    "谁是{a}{n}{b}的{c}{w}？",
    "{n}{a}{w}{b}是谁",
    "{n}{a}的{b}父亲{c}的{w}",
    "{n}{a}看见{b}{w}",
)


def _asked(question: str, name: str) -> RoleQuestion:
    start = question.index(name)
    found = parse_question(question, [TermPlace(name, "name", start, start + len(name))])
    assert found is not None
    return found


def _said(asked: RoleQuestion) -> tuple[object, ...]:
    return asked.roles, asked.terms, asked.tied


@pytest.mark.scenario("ENGRAM-BLANK")
@given(
    st.sampled_from(QUESTIONS),
    NAMES,
    st.one_of(st.sampled_from(WORDS), st.sampled_from(SINGLE)),
    BLANK,
    BLANK,
    BLANK,
)
@example("{n}{a}的{b}{w}", "Alice", "死对头", " ", "", "")
@example("{n}{a}的{b}{w}{c}是谁？", "Alice", "父", " ", " ", " ")
def test_a_question_asks_the_same_with_blanks_and_without(
    form: str, name: str, word: str, a: str, b: str, c: str
) -> None:
    plain = form.format(n=name, w=word, a="", b="", c="")
    spaced = form.format(n=name, w=word, a=a, b=b, c=c)
    assert _said(_asked(spaced, name)) == _said(_asked(plain, name))


@pytest.mark.scenario("ENGRAM-BLANK")
@given(
    st.sampled_from(
        (
            "她{a}的{w}{b}{n}{c}烧了磨坊。",
            "{n}{a}的{w}{b}是她。",
            "{n}{a}是{b}她{c}的{w}。",
            "她{a}与{n}{b}是{w}。",
        )
    ),
    NAMES,
    st.sampled_from(WORDS),
    BLANK,
    BLANK,
    BLANK,
)
def test_a_sentence_answers_the_same_with_blanks_and_without(
    form: str, name: str, word: str, a: str, b: str, c: str
) -> None:
    question = _asked(f"Ann的{word}", "Ann")

    def answer(text: str) -> tuple[float, bool, tuple[str, ...]]:
        start = text.index(name)
        found = question.mention(MentionLink(1, True, start, start + len(name)), text, 0)
        return round(found.value, 9), found.ends, found.words

    plain = form.format(n=name, w=word, a="", b="", c="")
    assert answer(form.format(n=name, w=word, a=a, b=b, c=c)) == answer(plain)


KNOWN = [
    KnownEntity("Alice", "character"),
    KnownEntity("Bob", "character"),
    KnownEntity("Guild", "faction"),
    KnownEntity("Excalibur", "item"),
]
SENTENCES = (
    "Alice{a}的{b}{w}{c}Bob{d}站在船头。",
    "Alice{a}的{b}{w}是{c}Bob。",
    "Alice{a}是{b}Bob{c}的{d}{w}。",
    "Guild{a}的掌门{b}Alice{c}来了。",
    "Alice{a}是{b}Guild{c}的{d}长老。",
    "Alice{a}手中的{b}Excalibur{c}微微一颤。",
    "Alice{a}拔出了{b}Excalibur。",
)


@pytest.mark.scenario("ENGRAM-BLANK")
@given(st.sampled_from(SENTENCES), st.sampled_from(sorted(KIN["zh"])), BLANK, BLANK, BLANK, BLANK)
def test_a_text_says_the_same_relations_with_blanks_and_without(
    form: str, word: str, a: str, b: str, c: str, d: str
) -> None:
    def relations(text: str) -> set[tuple[str, str, str]]:
        drafts = LocalExtractor().extract(text, KNOWN, "zh")
        found = [draft for draft in drafts if draft.kind is ProposalKind.RELATION]
        return {
            (one.entity_name, str(one.attributes["type"]), str(one.attributes["target"])) for one in found
        }

    plain = relations(form.format(w=word, a="", b="", c="", d=""))
    assert relations(form.format(w=word, a=a, b=b, c=c, d=d)) == plain
    assert plain


@pytest.mark.scenario("ENGRAM-BLANK")
@pytest.mark.parametrize(
    "query",
    ["Alice的死对头", "Alice 的死对头", "Alice 的 死对头", "谁是 Alice 的死对头？", "Alice\u3000的死对头"],
)
def test_the_enemy_stays_and_the_friend_goes(query: str) -> None:
    world = PlainWorld(
        [Somebody("Alice"), Somebody("Bob"), Somebody("Carol")],
        [("Alice", "friend", "Bob"), ("Alice", "enemy", "Carol")],
        labels={"friend": ("朋友", "Friend"), "enemy": ("敌人", "Enemy")},
    )
    found = GraphRetriever(world).retrieve(query, world.everybody())
    assert "Carol" in world.names(found.targets)
    assert "Bob" in world.names(found.dropped)


@pytest.mark.scenario("ENGRAM-BLANK")
@pytest.mark.parametrize("way", ["relation", "own word", "profile", "description", "note"])
def test_the_example_of_the_source_holds_in_every_world(story: StoryMemory, way: str) -> None:
    alice, bob, carol = (
        story.entity.create(type="character", name=name) for name in ("Alice", "Bob", "Carol")
    )
    words = {"relation": ("friend", "enemy"), "own word": ("挚友", "死对头")}
    if way == "description":
        prose = "Bob 是她自幼的朋友。她的死对头 Carol 烧了磨坊。"
        story.entity.update(id=alice.id, expected_version=1, patch={"description": prose})
    elif way == "profile":
        said = [{"target": "Bob", "type": "friend"}, {"target": "Carol", "type": "enemy"}]
        story.entity.update(id=alice.id, expected_version=1, patch={"attributes": {"relations": said}})
    else:
        for other, word, note in zip(
            (bob, carol), words.get(way, ("knows", "knows")), ("朋友", "死对头"), strict=True
        ):
            story.relation.create(
                source_entity_id=alice.id,
                target_entity_id=other.id,
                relation_type=word,
                description=note if way == "note" else "",
            )
    for query in ("Alice的死对头", "Alice 的死对头", "Alice 的 死对头"):
        found = story.query.retrieve(query=query)
        assert {one.name for one in found.entities} == {"Alice", "Carol"}, query


def test_only_blanks_beside_chinese_characters_are_closed_up() -> None:
    assert closed_up("Alice 的 朋友 Bob Gray\n你 好") == "Alice的朋友Bob Gray\n你好"
    assert closed_up("no blank goes") == "no blank goes"
