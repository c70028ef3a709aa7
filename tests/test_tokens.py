from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import InvalidInput
from fabula.tokens import VOCABULARIES, counter, vocabulary

TEXTS = st.text(
    alphabet=st.sampled_from("林逸青云宗，。！「」 abcdefgh ABC.,'\n\t0123é한글😀👨‍👩‍👧𠮷龘"), max_size=80
)


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("o200k_base", "hello world", 2),
        ("cl100k_base", "hello world", 2),
        ("o200k_base", "", 0),
        ("o200k_base", "林逸", 2),
        ("cl100k_base", "林逸", 4),
        ("deepseek_v3", "林逸", 2),
    ],
)
def test_counts_are_those_of_the_vocabulary(name: str, text: str, tokens: int) -> None:
    assert counter(name).count(text) == tokens


def test_the_name_of_a_control_token_is_ordinary_text() -> None:
    assert counter("gpt-4o").count("<|endoftext|>") > 1


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o-mini", "o200k_base"),
        ("GPT-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-4.1", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("deepseek-chat", "deepseek_v3"),
        ("deepseek/deepseek-chat", "deepseek_v3"),
        ("qwen-plus", "qwen3"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen3"),
        ("llama-3.1-70b", "llama3"),
        ("meta-llama/Meta-Llama-3-8B", "llama3"),
        ("qwen3:8b", "qwen3"),
        *((name, name) for name in VOCABULARIES),
    ],
)
def test_well_known_models_read_their_vocabulary(model: str, expected: str) -> None:
    assert vocabulary(model) == expected


@pytest.mark.parametrize("model", ["claude-3", "", "qwen3.5-plus", "deepseek-v4", "nonsense"])
def test_an_unknown_model_is_refused_and_the_known_ones_are_named(model: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        counter(model)
    assert caught.value.details is not None
    assert "o200k_base" in caught.value.details["vocabularies"]
    assert "deepseek_v3" in str(caught.value.suggestion)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_vocabulary_is_at_hand_and_cuts(name: str) -> None:
    text = "林逸走上青云山的石阶。Lin Yi climbed the steps 👨‍👩‍👧."
    words = counter(name)
    for limit in range(words.count(text) + 2):
        beginning = words.cut(text, limit)
        assert text.startswith(beginning)
        assert words.count(beginning) <= limit
    assert words.cut(text, words.count(text)) == text


def test_the_same_counter_serves_all_names_of_a_vocabulary() -> None:
    assert counter("gpt-4o") is counter("o200k_base")
    assert counter("gpt-4o") is not counter("gpt-4")


@given(text=TEXTS, limit=st.integers(-2, 60), name=st.sampled_from(["o200k_base", "qwen3", "llama2"]))
def test_a_cut_is_a_beginning_within_the_limit(text: str, limit: int, name: str) -> None:
    words = counter(name)
    beginning = words.cut(text, limit)
    assert text.startswith(beginning)
    assert words.count(beginning) <= max(limit, 0)
    beginning.encode("utf-8")


@given(text=TEXTS, limit=st.integers(0, 40))
def test_no_longer_beginning_would_fit(text: str, limit: int) -> None:
    words = counter("o200k_base")
    longest = max(size for size in range(len(text) + 1) if words.count(text[:size]) <= limit)
    assert len(words.cut(text, limit)) == longest


def test_a_text_too_long_to_remember_is_counted_all_the_same() -> None:
    words = counter("o200k_base")
    long = "hello world " * 5_000
    assert words.count(long) == words.count(long)
    assert words.count(long) > 9_000
    assert words.count(words.cut(long, 100)) <= 100
