"""Where the words of a question stand, against plain counting."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from effort import examples
from fabula.index import bm25
from fabula.index.bm25 import LexicalIndex
from fabula.index.lexemes import EMPTY_WORDS, lexemes
from fabula.index.stems import stem
from fabula.matching import fold

WORDS = [
    "storm",
    "storms",
    "The",
    "ＳＴＯＲＭ",
    "don't",
    "x",
    "é",
    "ﬁn",
    "青云",
    "的",
    "什么",
    "カナ",
    "𠮷剑",
    "_",
    "7",
    "\n",
    ".",
    " ",
]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map("".join) | st.lists(
    st.sampled_from(WORDS), max_size=12
).map(" ".join)
SLOTS = 9
HAN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
EMPTY = {*"的了吗呢吧啊么", "什么", "怎么"}


def said_in(text: str) -> tuple[list[tuple[str, int]], int]:
    """The words of a text with their places, by the definition, and how many words it has in all."""
    folded = fold(text).text
    found, place = [], 0
    for run in re.finditer(r"[^\W_]+", folded):
        for piece in re.finditer(f"{HAN.pattern}+|(?:(?!{HAN.pattern}).)+", run.group()):
            word = piece.group()
            if HAN.match(word):
                for nth, character in enumerate(word):
                    found.append((character, place + nth))
                    if nth + 1 < len(word):
                        found.append((word[nth : nth + 2], place + nth))
                place += len(word)
                continue
            if word not in EMPTY_WORDS and not (len(word) == 1 and word.isascii() and word.isalpha()):
                found.append((stem(word), place))
            place += 1
    return [(word, place) for word, place in found if word not in EMPTY], place


@settings(max_examples=examples(60))
@given(st.lists(texts, max_size=4))
def test_words_are_told_apart_placed_and_counted_as_defined(corpus: list[str]) -> None:
    found = lexemes(corpus)
    assert found.lengths.tolist() == [said_in(text)[1] for text in corpus]
    coded = list(zip(found.owners.tolist(), found.places.tolist(), strict=True))
    expected = [(owner, place, word) for owner, text in enumerate(corpus) for word, place in said_in(text)[0]]
    assert sorted(coded) == sorted((owner, place) for owner, place, _ in expected)
    names = Counter(word for _, _, word in expected)
    assert sorted(Counter(found.codes.tolist()).values()) == sorted(names.values())


corpora = st.dictionaries(st.integers(0, SLOTS - 1), texts, max_size=6)
masks = st.lists(st.booleans(), min_size=SLOTS, max_size=SLOTS).map(np.array)


@settings(max_examples=examples(60))
@given(corpora, texts, masks)
def test_what_is_counted_is_what_the_allowed_texts_have(
    corpus: dict[int, str], question: str, allowed: NDArray[np.bool_]
) -> None:
    index = LexicalIndex(corpus.items())
    asked = index.query_terms(question)
    wanted = Counter(word for word, _ in said_in(question)[0])
    assert sorted(asked.said.tolist()) == sorted(wanted.values())
    seen = {slot: Counter(w for w, _ in said_in(text)[0]) for slot, text in corpus.items() if allowed[slot]}
    tally = index.term_counts(asked.codes, allowed)
    assert sorted(zip(tally.slots.tolist(), tally.counts.tolist(), strict=True)) == sorted(
        (slot, counts[word]) for slot, counts in seen.items() for word in wanted if counts[word]
    )
    spread = [sum(1 for counts in seen.values() if counts[word]) for word in wanted]
    assert sorted(index.document_frequencies(asked.codes, allowed).tolist()) == sorted(spread)
    places = index.occurrences(asked.codes, allowed)
    assert sorted(zip(places.slots.tolist(), places.places.tolist(), strict=True)) == sorted(
        (slot, place) for slot in seen for word, place in said_in(corpus[slot])[0] if word in wanted
    )


def answers(index: LexicalIndex, question: str) -> dict[str, list[tuple[int, ...]]]:
    asked = index.query_terms(question)
    everything = np.ones(SLOTS, np.bool_)
    return {
        "tally": sorted(zip(*(c.tolist() for c in index.term_counts(asked.codes, everything)), strict=True)),
        "places": sorted(zip(*(c.tolist() for c in index.occurrences(asked.codes, everything)), strict=True)),
        "lengths": [(slot, length) for slot, length in enumerate(index.lengths.tolist()) if length],
        "spread": [tuple(index.document_frequencies(asked.codes, everything).tolist())],
    }


changes = st.lists(st.tuples(st.integers(0, SLOTS - 1), st.none() | texts), max_size=15)


@pytest.mark.parametrize("merge_after", [0, 3, 256])
@settings(max_examples=examples(60))
@given(corpus=corpora, changed=changes, question=texts)
def test_an_index_that_followed_changes_answers_as_one_built_anew(
    merge_after: int, corpus: dict[int, str], changed: list[tuple[int, str | None]], question: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bm25, "MERGE_AFTER", merge_after)
        index = LexicalIndex(corpus.items())
        now = dict(corpus)
        for nth, (slot, text) in enumerate(changed):
            if text is None:
                index.drop(slot)
                now.pop(slot, None)
            else:
                index.put(slot, text)
                now[slot] = text
            if nth % 3 == 0:
                assert answers(index, question) == answers(LexicalIndex(now.items()), question)
        assert answers(index, question) == answers(LexicalIndex(now.items()), question)
        assert len(index) == len(now)


def test_neighbours_are_words_that_follow_each_other() -> None:
    index = LexicalIndex()
    asked = index.query_terms("storm of the harbour storm, 青云 lamp")
    codes = [index.query_terms(word).codes[0] for word in ("storm", "harbour", "lamp")]
    storm, harbour, lamp = (asked.codes.tolist().index(code) for code in codes)
    pairs = {frozenset(pair) for pair in asked.neighbours}
    assert pairs == {frozenset((storm, harbour)), frozenset((storm, lamp))}


def test_traditional_characters_are_found_by_simplified_ones_when_asked() -> None:
    everything = np.ones(1, np.bool_)
    for simplify, found in ((True, 1), (False, 0)):
        index = LexicalIndex([(0, "劍")], simplify=simplify)
        assert index.document_frequencies(index.query_terms("剑").codes, everything).sum() == found
