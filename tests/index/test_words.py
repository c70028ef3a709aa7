"""Which words lead to whom, against plain counting."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from effort import examples
from fabula.index.words import LONGEST_COMMON, REBUILD_AFTER, WordIndex, codes, place_of, words
from fabula.matching import fold

HAN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
LETTERS = "abAＢß1é_ \n.,青云宗的不カナ・𠮷剑ﬁ"
texts = st.text(st.sampled_from(LETTERS), max_size=20)
corpora = st.lists(texts, max_size=6)
everybody = np.ones(1000, dtype=np.bool_)


def words_of(text: str) -> list[str]:
    return [word.text for word in words(fold(text).text)]


def common_too(text: str) -> list[str]:
    """The words with all pairs of characters, common ones included."""
    folded = fold(text).text
    pairs = [one + other for one, other in pairwise(folded) if HAN.match(one) and HAN.match(other)]
    return [word for word in words_of(text) if HAN.match(word[0]) is None] + pairs


def plain_scores(corpus: dict[int, str], excerpt: str) -> dict[int, float]:
    """The scores by the definition: each shared word counts once, and more the fewer have it.

    A short excerpt with nothing but common words is looked up by those.
    """
    is_common = not words_of(excerpt) and len(excerpt) <= LONGEST_COMMON
    words_in = common_too if is_common else words_of
    spread = Counter(word for text in corpus.values() for word in set(words_in(text)))
    said = set(words_in(excerpt))
    scores = {
        slot: math.fsum(
            8 * math.log1p(len(corpus) / spread[word]) / math.log1p(len(corpus))
            for word in set(words_in(text)) & said
        )
        for slot, text in corpus.items()
    }
    return {slot: score for slot, score in scores.items() if score}


def scores_of(index: WordIndex, excerpt: str, limit: int = 1000) -> dict[int, float]:
    return index.scores(excerpt, allowed=everybody, limit=limit).by_slot()


@settings(max_examples=examples(300))
@given(corpora)
def test_codes_tell_words_apart_exactly_as_texts_do(corpus: list[str]) -> None:
    found, owners = codes(corpus)
    assert owners.dtype == np.int32
    for number, text in enumerate(corpus):
        assert len(found[owners == number]) == len(words_of(text))
    counted = Counter(word for text in corpus for word in words_of(text))
    assert sorted(Counter(found.tolist()).values()) == sorted(counted.values())


@settings(max_examples=examples(200))
@given(texts, texts)
def test_equal_words_have_equal_codes_wherever_they_stand(one: str, other: str) -> None:
    shared = set(words_of(one)) & set(words_of(other))
    assert len(set(codes([one])[0].tolist()) & set(codes(["x" * 50, other])[0].tolist())) == len(shared)


@given(texts)
def test_words_stand_where_they_say_and_are_found_again(text: str) -> None:
    folded = fold(text).text
    for word in words(folded):
        assert folded[word.start : word.start + len(word.text)] == word.text
        place = place_of(word.text, folded)
        assert place is not None
        assert place <= word.start


@given(texts, texts)
def test_a_word_that_is_none_of_the_text_has_no_place(text: str, other: str) -> None:
    folded = fold(text).text
    own = set(words_of(text))
    for word in set(words_of(other)) - own:
        assert place_of(word, folded) is None


@settings(max_examples=examples(200))
@given(st.dictionaries(st.integers(0, 20), texts, max_size=6), texts)
def test_scores_are_what_the_definition_says(corpus: dict[int, str], excerpt: str) -> None:
    found = scores_of(WordIndex(corpus.items()), excerpt)
    assert found == pytest.approx(plain_scores(corpus, excerpt))


changes = st.lists(st.tuples(st.integers(0, 8), st.none() | texts), max_size=25)


@settings(max_examples=examples(200))
@given(st.dictionaries(st.integers(0, 8), texts, max_size=6), changes, texts, st.integers(1, 9))
def test_an_index_that_followed_changes_answers_as_one_built_anew(
    corpus: dict[int, str], changed: list[tuple[int, str | None]], excerpt: str, limit: int
) -> None:
    followed = WordIndex(corpus.items())
    for slot, text in changed:
        if text is None:
            followed.drop(slot)
            corpus.pop(slot, None)
        else:
            followed.put(slot, text)
            corpus[slot] = text
        scores_of(followed, excerpt, limit)
    fresh = WordIndex(corpus.items())
    assert scores_of(followed, excerpt, limit) == scores_of(fresh, excerpt, limit)
    assert len(followed) == len(fresh) == len(corpus)
    assert {slot: followed.text_of(slot) for slot in range(9)} == {
        slot: corpus.get(slot, "") for slot in range(9)
    }


def test_many_changes_are_built_in() -> None:
    index = WordIndex([(0, "青云宗")])
    for slot in range(1, REBUILD_AFTER + 10):
        index.put(slot, f"word{slot} 青云宗")
    index.drop(0)
    everyone = scores_of(index, "青云宗")
    assert set(everyone) == set(range(1, REBUILD_AFTER + 10))
    assert len(set(everyone.values())) == 1
    assert list(scores_of(index, f"word{REBUILD_AFTER + 9}")) == [REBUILD_AFTER + 9]


allowed_slots = st.lists(st.booleans(), min_size=9, max_size=9)


@given(st.dictionaries(st.integers(0, 8), texts, max_size=9), allowed_slots, texts, st.integers(1, 5))
def test_who_is_not_allowed_has_no_score_and_takes_nobodys_place(
    corpus: dict[int, str], allowed: list[bool], excerpt: str, limit: int
) -> None:
    mask: NDArray[np.bool_] = np.array(allowed)
    found = WordIndex(corpus.items()).scores(excerpt, allowed=mask, limit=limit).by_slot()
    assert all(allowed[slot] for slot in found)
    open_to_all = {s: w for s, w in scores_of(WordIndex(corpus.items()), excerpt).items() if allowed[s]}
    least = sorted(open_to_all.values(), reverse=True)[:limit][-1:]
    assert found == {slot: weight for slot, weight in open_to_all.items() if not least or weight >= least[0]}


def test_those_to_keep_are_kept_below_the_cut() -> None:
    index = WordIndex([(0, "剑 common"), (1, "rare words here"), (2, "common")])
    best = index.scores("rare words here common", allowed=everybody, limit=1).by_slot()
    assert set(best) == {1}
    assert set(index.scores("rare words here common", allowed=everybody, limit=1, keep=[2]).by_slot()) == {
        1,
        2,
    }


def test_two_character_words_are_found_inside_running_text() -> None:
    index = WordIndex([(0, "他住在青云山上。"), (1, "A quiet harbour town."), (2, "剑")])
    assert set(scores_of(index, "那座青云峰")) == {0}
    assert set(scores_of(index, "HARBOUR")) == {1}
    assert scores_of(index, "harbours") == {}
    assert scores_of(index, "他的，了") == {}


def test_common_words_do_not_score() -> None:
    assert words_of("The sword of the king and his men") == ["sword", "king", "men"]
    assert words_of("我的剑不在") == []
    assert words_of("剑在手中") == ["手中"]
