import pytest

from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.extraction.tagger_weights import installed_tagger
from fabula.model.proposal import Draft, ProposalKind

# Our own prose, in the manner of a web novel.
SCENE = """\
清晨，林惊羽推开窗，望见远处的落霞峰。“惊羽，你又起晚了。”苏瑶笑道。
林惊羽的师父玄清真人站在门口，手里拿着寒霜剑。
“林惊羽，随我去青云宗。”玄清真人沉声道。苏瑶是青云宗的弟子，她的妹妹也在那里。
林惊羽点了点头，跟着苏瑶走下山去。到了青云宗，赵无极拔出寒霜剑，冷冷地看着林惊羽。
苏瑶连忙拦在林惊羽身前。赵无极哼道：“苏瑶，让开！”苏瑶道：“赵无极，你疯了？”
玄清真人叹了口气。林惊羽握住了苏瑶的手。赵无极收起寒霜剑，转身离开青云宗。"""

RULES = LocalExtractor(rules_only=True)


def entities(drafts: list[Draft]) -> dict[str, str]:
    return {draft.entity_name: draft.entity_type for draft in drafts if draft.kind is ProposalKind.ENTITY}


def relations(drafts: list[Draft]) -> set[tuple[str, str, str]]:
    return {
        (draft.entity_name, draft.attributes["type"], draft.attributes["target"])
        for draft in drafts
        if draft.kind is ProposalKind.RELATION
    }


def test_people_places_groups_and_things_are_found_by_rules_alone() -> None:
    found = entities(RULES.extract(SCENE, [], "zh"))

    assert found == {
        "林惊羽": "character",
        "苏瑶": "character",
        "玄清真人": "character",
        "赵无极": "character",
        "青云宗": "faction",
        "寒霜剑": "item",
    }


@pytest.mark.skipif(installed_tagger() is None, reason="the tagger's weights are not installed")
def test_the_tagger_finds_more_and_leaves_the_types_of_endings_alone() -> None:
    found = entities(LocalExtractor().extract(SCENE, [], "zh"))

    assert {"林惊羽", "苏瑶", "玄清真人", "赵无极", "落霞峰"} <= found.keys()
    assert found["青云宗"] == "faction"
    assert found["寒霜剑"] == "item"


def test_what_the_story_knows_is_mentioned_and_not_proposed() -> None:
    known = [KnownEntity("林惊羽", "character", ("惊羽",)), KnownEntity("青云宗", "faction")]

    drafts = RULES.extract(SCENE, known, "zh")
    mentions = RULES.mentions(SCENE, known, "zh")

    assert not {"林惊羽", "惊羽", "青云宗"} & entities(drafts).keys()
    assert sum(mention.known == "林惊羽" for mention in mentions) == SCENE.count("惊羽")


def test_relations_are_those_that_the_text_says() -> None:
    drafts = RULES.extract(SCENE, [KnownEntity("青云宗", "faction")], "zh")

    assert {
        ("玄清真人", "mentors", "林惊羽"),
        ("苏瑶", "belongs_to", "青云宗"),
    } <= relations(drafts)


@pytest.mark.parametrize(
    ("sentence", "relation"),
    [
        ("陈望的儿子陈小河站在船头。", ("陈望", "parent", "陈小河")),
        ("陈小河的父亲陈望站在船头。", ("陈望", "parent", "陈小河")),
        ("陈小河是陈望的弟弟。", ("陈小河", "sibling", "陈望")),
        ("陈望的妻子陈小河没有说话。", ("陈小河", "妻子", "陈望")),
        ("沉舟帮帮主陈望来了。", ("陈望", "belongs_to", "沉舟帮")),
        ("陈望手中的断潮剑微微一颤。", ("陈望", "owns", "断潮剑")),
    ],
)
def test_a_relation_has_the_right_direction(sentence: str, relation: tuple[str, str, str]) -> None:
    known = [
        KnownEntity("陈望", "character"),
        KnownEntity("陈小河", "character"),
        KnownEntity("沉舟帮", "faction"),
        KnownEntity("断潮剑", "item"),
    ]

    assert relations(RULES.extract(sentence, known, "zh")) == {relation}


def test_a_short_form_is_another_name_of_somebody_known() -> None:
    known = [KnownEntity("林惊羽", "character")]
    text = "“惊羽！”她喊道。惊羽回过头来。惊羽笑道：“怎么了？”惊羽的手很冷。惊羽说完，走了出去。惊羽不见了。"

    aliases = [draft for draft in RULES.extract(text, known, "zh") if draft.kind is ProposalKind.ALIAS]

    assert [(draft.entity_name, draft.attributes, draft.same_as) for draft in aliases] == [
        ("惊羽", {"aliasOf": "林惊羽"}, "林惊羽")
    ]


def test_a_short_form_that_fits_two_belongs_to_nobody() -> None:
    known = [KnownEntity("林惊羽", "character"), KnownEntity("萧惊羽", "character")]
    text = "“惊羽！”她喊道。惊羽回过头来。惊羽笑道：“怎么了？”惊羽的手很冷。惊羽说完，走了出去。惊羽不见了。"

    drafts = RULES.extract(text, known, "zh")

    assert not [draft for draft in drafts if draft.kind is ProposalKind.ALIAS]


def test_common_nouns_are_mentioned_and_never_proposed() -> None:
    text = "老师走进教室，学生们安静下来。老师看了看学生，又看了看窗外。老师笑了。教室里没有人说话。"

    assert {"老师", "教室"} <= {m.text for m in RULES.mentions(text, [], "zh") if not m.named}
    assert RULES.extract(text, [], "zh") == []


def test_traditional_characters_are_read_like_simplified_ones_and_quoted_as_written() -> None:
    text = (
        "蘇瑤笑道：“趙無極，你來了。”趙無極看著蘇瑤，沒有說話。蘇瑤嘆了口氣。趙無極轉身離開，蘇瑤跟了上去。"
    )

    drafts = RULES.extract(text, [], "zh")

    assert {"蘇瑤", "趙無極"} <= entities(drafts).keys()
    assert all(draft.source_text in text for draft in drafts)
