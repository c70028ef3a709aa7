from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fabula.assembly.cutting import cut_to, shorten
from fabula.assembly.prose import sentences, without
from fabula.tokens import counter

WORDS = counter("o200k_base")
ALPHABET = "林逸走上青云山，。！？；…「」“”（） abc DEF Mr. J. 3.5 ,;:'\"\n😀👍🏽é"
TEXTS = st.text(alphabet=st.sampled_from(ALPHABET), max_size=120)


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他走了。雨停了！真的？", ["他走了。", "雨停了！", "真的？"]),
        ("「你来晚了。」她笑道。", ["「你来晚了。」", "她笑道。"]),
        ("“走！”他喊。", ["“走！”", "他喊。"]),
        ("He left. She stayed.", ["He left.", " She stayed."]),
        ("Mr. Smith met Dr. J. Brown. They spoke.", ["Mr. Smith met Dr. J. Brown.", " They spoke."]),
        ("It cost 3.5 crowns. Too much!", ["It cost 3.5 crowns.", " Too much!"]),
        ('"Go." He went.', ['"Go."', " He went."]),
        ("So did I. He ran.", ["So did I.", " He ran."]),
        ("Well... he ran. Yes.", ["Well... he ran.", " Yes."]),
        ("one\ntwo", ["one\n", "two"]),
        ("没有句号", ["没有句号"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_says(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@given(text=TEXTS)
def test_sentences_together_are_the_text(text: str) -> None:
    assert "".join(split(text)) == text
    assert all(split(text))


def test_a_sentence_that_touches_a_secret_is_dropped_as_a_whole() -> None:
    text = "林逸上山。他遇见了影子。雨停了。"
    start = text.index("影子")
    assert without(text, [(start, start + 2)]) == "林逸上山。雨停了。"
    assert without(text, []) == text
    assert without("影子来了", [(0, 2)]) == ""
    assert without(text, [(start, start)]) == "林逸上山。雨停了。"


@given(text=TEXTS, data=st.data())
def test_nothing_of_a_hidden_span_is_left(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text)))
    hidden = text[:place] + "秘密词" + text[place:]
    assert "秘密词" not in without(hidden, [(place, place + 3)])
    assert "秘" not in without(hidden, [(place, place + 3)])


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("林逸上山。苏瑶在门下等他，手里撑着一把旧伞。", 12, "林逸上山。"),
        ("He left. She stayed behind with the old umbrella.", 5, "He left."),
        ("Mr. Smith went up the long stone stairs.", 6, "Mr. Smith went up…"),
        ("long", 0, ""),
        ("short", 10, "short"),
    ],
)
def test_a_cut_ends_with_a_sentence_else_with_a_word(text: str, limit: int, expected: str) -> None:
    assert cut_to(text, limit, WORDS).text == expected


def test_without_a_whole_sentence_the_cut_is_at_a_clause() -> None:
    text = "林逸一个人慢慢地走上青云山的石阶，雨还没有停下来的意思也没有人来接他回家"
    kept = cut_to(text, 22, WORDS)
    assert kept.text == "林逸一个人慢慢地走上青云山的石阶…"
    assert kept.cut


def test_a_quotation_is_not_left_open() -> None:
    text = "她说：「你又来晚了。」然后转身走进雨里，再也没有回头看他一眼。"
    for limit in range(1, WORDS.count(text)):
        kept = cut_to(text, limit, WORDS).text
        assert not kept.endswith("。") or kept.count("「") == kept.count("」")


@given(text=TEXTS, limit=st.integers(-1, 80))
@example(text="a" * 400, limit=3)
@example(text="👍🏽👍🏽👍🏽👍🏽👍🏽", limit=4)
def test_a_cut_is_a_beginning_and_never_over_the_limit(text: str, limit: int) -> None:
    kept = cut_to(text, limit, WORDS)
    assert kept.tokens == WORDS.count(kept.text) <= max(limit, 0)
    assert text.startswith((kept.text, kept.text.removesuffix("…")))
    assert kept.cut == (kept.text != text)
    assert kept.text not in ("…",) or text.startswith("…")


@given(text=TEXTS)
def test_a_text_that_fits_is_left_alone(text: str) -> None:
    assert cut_to(text, WORDS.count(text), WORDS) == (text, WORDS.count(text), False)


def test_a_character_made_of_several_is_not_torn() -> None:
    family = "👨‍👩‍👧"
    kept = cut_to(family * 6, 20, WORDS).text.removesuffix("…")
    assert kept.replace(family, "") == ""


@given(text=TEXTS, size=st.integers(1, 60))
def test_a_shortened_text_is_not_longer(text: str, size: int) -> None:
    short = shorten(text, size)
    assert len(short) <= size or short == "…"
    assert text.startswith((short, short.removesuffix("…")))
