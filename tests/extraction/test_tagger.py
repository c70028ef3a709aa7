from itertools import pairwise, product
from math import exp

import numpy as np
import pytest

from fabula.extraction.tagger import Direction, NumpyTagger, Weights
from fabula.extraction.tagger_weights import installed_tagger

TAGS = ("O", "B_NAME", "M_NAME", "E_NAME")
CHARACTERS = {"[UNK]": 1, "[NUMBER]": 2, "[HANZI]": 3, "甲": 4, "乙": 5, "，": 6}
STATE, EMBEDDED = 64, 8


def small_weights(seed: int) -> Weights:
    numbers = np.random.default_rng(seed)

    def some(*shape: int) -> np.ndarray:
        return numbers.normal(0, 0.5, shape).astype(np.float32)

    def way(width: int) -> Direction:
        return Direction(some(4 * STATE, width), some(4 * STATE, STATE), some(4 * STATE))

    return Weights(
        characters=CHARACTERS,
        tags=TAGS,
        embedding=some(7, EMBEDDED),
        layers=((way(EMBEDDED), way(EMBEDDED)), (way(2 * STATE), way(2 * STATE))),
        output=some(4, 2 * STATE),
        output_bias=some(4),
        first=some(4),
        last=some(4),
        transitions=some(4, 4),
    )


def plainly(weights: Weights, sentence: str) -> dict[tuple[int, int], float]:
    """The same by definition: every state computed one by one, every path of tags written out."""

    def sigmoid(values: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-values))

    def one_way(inputs: list[np.ndarray], way: Direction) -> list[np.ndarray]:
        state = cell = np.zeros(STATE)
        states = []
        for values in inputs:
            gates = way.from_input @ values + way.from_state @ state + way.bias
            enter, forget, fresh, out = np.split(gates, 4)
            cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(fresh)
            state = sigmoid(out) * np.tanh(cell)
            states.append(state)
        return states

    values = [weights.embedding[CHARACTERS[character]] for character in sentence]
    for forward, backward in weights.layers:
        left, right = one_way(values, forward), one_way(values[::-1], backward)[::-1]
        values = [np.concatenate(pair) for pair in zip(left, right, strict=True)]
    scores = [weights.output @ value + weights.output_bias for value in values]
    chances: dict[tuple[int, ...], float] = {}
    for path in product(range(4), repeat=len(sentence)):
        score = (
            weights.first[path[0]]
            + weights.last[path[-1]]
            + sum(s[t] for s, t in zip(scores, path, strict=True))
        )
        score += sum(weights.transitions[one, other] for one, other in pairwise(path))
        chances[path] = exp(score / 1.25)
    total = sum(chances.values())
    spans: dict[tuple[int, int], float] = {}
    for path, chance in chances.items():
        for start, end in product(range(len(path)), range(2, len(path) + 1)):
            if path[start:end] == (1, *[2] * (end - start - 2), 3):
                spans[start, end] = spans.get((start, end), 0.0) + chance / total
    return spans


@pytest.mark.parametrize("seed", range(3))
def test_the_tagger_computes_what_the_definition_says(seed: int) -> None:
    weights = small_weights(seed)
    sentences = ["甲乙，甲", "乙乙甲乙，", "甲乙"]

    found = NumpyTagger(weights, {"NAME": "character"}).spans(sentences)

    for sentence, spans in zip(sentences, found, strict=True):
        expected = {span: chance for span, chance in plainly(weights, sentence).items() if chance > 0.03}
        assert {(span.start, span.end): span.probability for span in spans} == pytest.approx(
            expected, rel=1e-3
        )


def test_an_empty_sentence_has_no_names() -> None:
    assert NumpyTagger(small_weights(0), {"NAME": "character"}).spans(["", "甲", ""]) == [[], [], []]


@pytest.mark.skipif(installed_tagger() is None, reason="the tagger's weights are not installed")
def test_the_installed_weights_find_a_person_and_a_place() -> None:
    tagger = installed_tagger()
    assert tagger is not None

    (spans,) = tagger.spans(["沈澜昨天从南京坐火车回来了。"])

    likely = {(span.start, span.end): span.type for span in spans if span.probability > 0.5}
    assert likely == {(0, 2): "character", (5, 7): "location"}
