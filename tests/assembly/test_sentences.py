"""The expected sentences were written by hand, not printed from the code."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.assembly.sentences import RelationCandidate, sentences
from fabula.model.ontology import DEFAULT_RELATION_TYPES

LABELS = {
    "zh": {t.key: t.zh for t in DEFAULT_RELATION_TYPES},
    "en": {t.key: t.en for t in DEFAULT_RELATION_TYPES},
}


def bond(source: str, key: str, target: str, language: str = "zh", **more: Any) -> RelationCandidate:
    id = more.pop("id", f"{source}-{key}-{target}")
    label = more.pop("label", LABELS[language].get(key, key))
    return RelationCandidate(id, source, source, target, target, key, label, **more)


def texts(relations: list[RelationCandidate], language: str = "zh") -> list[str]:
    return [sentence.text for sentence in sentences(relations, language)]


def test_one_sentence_says_all_of_one_person() -> None:
    told = texts(
        [
            bond("林逸", "ally", "苏瑶", description="关系亲近"),
            bond("玄清真人", "mentors", "林逸"),
            bond("林逸", "located_at", "青云山"),
            bond("林逸", "owns", "寒霜剑"),
        ]
    )
    assert told == ["林逸与苏瑶是盟友（关系亲近），师从玄清真人，位于青云山，拥有寒霜剑。"]


def test_one_english_sentence_says_all_of_one_person() -> None:
    told = texts(
        [
            bond("Lin Yi", "ally", "Su Yao", "en", description="close"),
            bond("Master Xuanqing", "mentors", "Lin Yi", "en"),
            bond("Lin Yi", "located_at", "Mount Qingyun", "en"),
            bond("Lin Yi", "owns", "the Frost Sword", "en"),
        ],
        "en",
    )
    assert told == [
        "Lin Yi is allied with Su Yao (close), is a student of Master Xuanqing, "
        "is at Mount Qingyun and owns the Frost Sword."
    ]


@pytest.mark.parametrize(
    ("key", "zh", "en"),
    [
        ("ally", "甲与乙是盟友。", "甲 is allied with 乙."),
        ("enemy", "甲与乙为敌。", "甲 is an enemy of 乙."),
        ("parent", "甲育有乙。", "甲 is a parent of 乙."),
        ("sibling", "甲与乙是兄弟姐妹。", "甲 is a sibling of 乙."),
        ("belongs_to", "甲属于乙。", "甲 belongs to 乙."),
        ("owns", "甲拥有乙。", "甲 owns 乙."),
        ("located_at", "甲位于乙。", "甲 is at 乙."),
        ("participates_in", "甲参与乙。", "甲 takes part in 乙."),
        ("knows", "甲认识乙。", "甲 knows 乙."),
        ("mentors", "甲指导乙。", "甲 mentors 乙."),
        ("rivals", "甲与乙是对手。", "甲 is a rival of 乙."),
        ("occurs_at", "甲发生于乙。", "甲 takes place at 乙."),
        ("follows", "甲发生在乙之前。", "甲 comes before 乙."),
        ("located_in", "甲处在乙。", "甲 is in 乙."),
        ("师徒", "甲与乙是师徒。", '甲 is connected with 乙 ("师徒").'),
        ("暗恋", "甲与乙的关系是“暗恋”。", '甲 is connected with 乙 ("暗恋").'),
    ],
)
def test_every_type_has_its_words(key: str, zh: str, en: str) -> None:
    assert texts([bond("甲", key, "乙")]) == [zh]
    assert texts([bond("甲", key, "乙", "en")], "en") == [en]


def test_every_default_type_is_among_those() -> None:
    assert len(DEFAULT_RELATION_TYPES) == 14


def test_a_custom_type_is_said_by_its_label() -> None:
    relation = bond("Ann", "apprentice_of", "Bo", "en", label="apprentice of", description="since the fire")
    assert texts([relation], "en") == ['Ann is connected with Bo ("apprentice of"; since the fire).']


def test_those_of_one_kind_share_a_verb() -> None:
    three = [bond("林逸", "enemy", name) for name in ("苏瑶", "赵无极", "白长老")]
    assert texts(three[:2]) == ["林逸与苏瑶、赵无极为敌。"]
    two = [bond("Lin Yi", "knows", name, "en") for name in ("Su Yao", "Zhao Wuji")]
    assert texts(two, "en") == ["Lin Yi knows Su Yao and Zhao Wuji."]
    more = [*two, bond("Lin Yi", "owns", "a sword", "en")]
    assert texts(more, "en") == ["Lin Yi knows Su Yao and Zhao Wuji; owns a sword."]


def test_a_note_on_one_of_several_stays_with_its_name() -> None:
    told = texts([bond("林逸", "ally", "苏瑶", description="关系亲近"), bond("林逸", "ally", "赵无极")])
    assert told == ["林逸与苏瑶（关系亲近）、赵无极是盟友。"]


@pytest.mark.parametrize("key", ["ally", "enemy", "sibling", "rivals", "knows"])
def test_what_is_mutual_is_said_once(key: str) -> None:
    there, back = bond("林逸", key, "苏瑶", id="1"), bond("苏瑶", key, "林逸", id="2")
    told = sentences([there, back], "zh")
    assert len(told) == 1
    assert told[0].text.count("苏瑶") == 1
    assert set(told[0].relation_ids) == {"1", "2"}


def test_what_is_not_mutual_is_said_of_both() -> None:
    told = "".join(texts([bond("甲", "owns", "乙"), bond("乙", "owns", "甲")]))
    assert "甲拥有乙。" in told
    assert "乙拥有甲。" in told


@pytest.mark.parametrize(
    ("key", "word", "zh"),
    [
        ("knows", "师兄弟", "林逸与苏瑶是师兄弟。"),
        ("ally", "师兄", "林逸是苏瑶的师兄。"),
        ("parent", "父亲", "林逸是苏瑶的父亲。"),
        ("mentors", "师徒", "林逸指导苏瑶（师徒）。"),
        ("belongs_to", "外门弟子", "林逸是苏瑶的外门弟子。"),
        ("owns", "本命法宝", "林逸拥有苏瑶（本命法宝）。"),
    ],
)
def test_the_storys_own_word_is_used(key: str, word: str, zh: str) -> None:
    assert texts([bond("林逸", key, "苏瑶", properties={"relationshipType": word})]) == [zh]


def test_the_storys_own_word_in_english() -> None:
    told = texts([bond("Ann", "parent", "Bo", "en", properties={"relationshipType": "mother"})], "en")
    assert told == ["Ann is the mother of Bo."]
    told = texts([bond("Ann", "knows", "Bo", "en", properties={"relationshipType": "old friends"})], "en")
    assert told == ["Ann knows Bo (old friends)."]


def test_the_word_of_one_direction_serves_both() -> None:
    there = bond("林逸", "knows", "苏瑶", id="1", properties={"relationshipType": "师兄弟"})
    assert texts([there, bond("苏瑶", "knows", "林逸", id="2")]) == ["林逸与苏瑶是师兄弟。"]


def test_a_parent_is_never_told_the_wrong_way_round() -> None:
    told = texts(
        [bond("林震", "parent", "林逸"), bond("林逸", "owns", "寒霜剑"), bond("林逸", "knows", "苏瑶")]
    )
    assert told == ["林逸是林震的孩子，认识苏瑶，拥有寒霜剑。"]


def test_a_description_that_repeats_the_word_is_left_out_and_a_long_one_cut() -> None:
    assert texts([bond("甲", "ally", "乙", description="盟友。")]) == ["甲与乙是盟友。"]
    long = "自从那年冬天在望归塔下一起守过七个昼夜之后，两个人再也没有分开过，直到雾港的钟声重新响起来的那天"
    [told] = texts([bond("甲", "ally", "乙", description=long)])
    assert told == "甲与乙是盟友（自从那年冬天在望归塔下一起守过七个昼夜之后，两个人再也没有分开过…）。"


def test_somebody_with_many_bonds_gets_several_sentences_the_weightiest_first() -> None:
    kinds = [t.key for t in DEFAULT_RELATION_TYPES]
    many = [bond("甲", key, f"乙{n}", score=n / 20) for n, key in enumerate(kinds)]
    told = sentences(many, "zh")
    assert len(told) == 3
    assert [s.score for s in told] == sorted((s.score for s in told), reverse=True)


@given(
    edges=st.lists(
        st.tuples(
            st.sampled_from("甲乙丙丁戊"),
            st.sampled_from([*LABELS["zh"], "暗恋", "师徒"]),
            st.sampled_from("己庚辛壬癸甲乙"),
            st.sampled_from(["", "亲近", "有旧怨"]),
            st.sampled_from(
                [{}, {"relationshipType": "师兄弟"}, {"relationshipType": "师父"}, {"relationshipType": 3}]
            ),
            st.sampled_from([0.0, 0.5, 1.0]),
        ).filter(lambda edge: edge[0] != edge[2]),
        max_size=40,
    ),
    language=st.sampled_from(["zh", "en"]),
    data=st.data(),
)
def test_no_relation_is_lost_or_said_twice_in_whatever_order_they_come(
    edges: list[Any], language: str, data: st.DataObject
) -> None:
    relations = [
        bond(source, key, target, language, id=f"r{n}", description=note, properties=properties, score=score)
        for n, (source, key, target, note, properties, score) in enumerate(edges)
    ]
    told = sentences(relations, language)
    ids = [id for sentence in told for id in sentence.relation_ids]
    assert sorted(ids) == sorted(relation.id for relation in relations)
    assert sentences(data.draw(st.permutations(relations)), language) == told
    by_id = {relation.id: relation for relation in relations}
    for sentence in told:
        for id in sentence.relation_ids:
            assert by_id[id].source_name in sentence.text
            assert by_id[id].target_name in sentence.text
