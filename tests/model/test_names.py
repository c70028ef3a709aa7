"""When two names are the same name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.model.entity import aliases_beside, distinct_names
from fabula.model.fiction import FICTION
from fabula.model.names import name_key, relation_key
from fabula.model.ontology import relation_type

SPACES = ["", " ", "\u3000", "\t", "\u00a0", "  \n "]
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(texts)
def test_a_key_is_its_own_key(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


@given(texts, st.sampled_from(SPACES), st.sampled_from(SPACES))
def test_whitespace_around_a_name_is_ignored(text: str, before: str, after: str) -> None:
    assert name_key(f"{before}{text}{after}") == name_key(text)


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=12))
def test_width_is_ignored(text: str) -> None:
    assert name_key(text.translate(WIDE)) == name_key(text)


@given(texts)
def test_composition_is_ignored(text: str) -> None:
    assert name_key(unicodedata.normalize("NFD", text)) == name_key(text)


@given(st.text("abzÄßéΣЖ", max_size=12))
def test_case_is_ignored(text: str) -> None:
    assert name_key(text.upper()) == name_key(text.lower())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("林远", " 林远\u3000"),
        ("Ａｌｉｃｅ", "alice"),
        ("Straße", "STRASSE"),
        ("Mary  Ann", "mary\u3000ann"),
        ("ﾄﾞﾗｺﾞﾝ", "ドラゴン"),
        ("１号", "1号"),
    ],
)
def test_variants_are_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("林远", "林遠"), ("Ann", "Anne"), ("MaryAnn", "Mary Ann")])
def test_other_names_stay_other_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_names_are_kept_once_in_their_order_and_as_written() -> None:
    assert distinct_names(["林远", "Alice", "ＡＬＩＣＥ", " 林远", "b"]) == ("林远", "Alice", "b")
    assert aliases_beside("alice", ["Ａlice", "阿丽", "阿丽 "]) == ("阿丽",)


@pytest.mark.parametrize("word", ["KNOWS", " knows ", "ｋｎｏｗｓ", "Knows"])
def test_a_relation_word_is_one_key(word: str) -> None:
    assert relation_type(word) == "knows"


def test_relation_words_join_with_one_kind_of_stroke() -> None:
    assert relation_key("located at") == relation_key("Located-At") == "located_at"
    assert relation_type("POSSESSES") == "owns"


@pytest.mark.parametrize(
    ("word", "key"),
    [("char", "character"), ("LOC", "location"), ("Ｉtem", "item"), ("Character", "character")],
)
def test_type_words_are_normalised(word: str, key: str) -> None:
    assert FICTION.entity_type(word) == key
