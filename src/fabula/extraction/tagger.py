"""A small recurrent network in plain numpy that finds names in Chinese sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]
Doubles = NDArray[np.float64]

# The types of names that a tagger distinguishes.
TAGGED = ("character", "location", "faction")

_STATE = 64
_LONGEST = 10
_LEAST = 0.03
# How many sentences form a batch, and how many rows are multiplied at once. Each product is then just small
# enough for the BLAS library to use one thread; several threads on such small products wait for each other,
# and take ten times as long on a busy machine.
_AT_ONCE = 16
_ROWS = 8
# Slightly flatter than trained, because the network is overconfident.
_TEMPERATURE = 1.25
# Common characters and two names; the scores for this sentence serve as the zero point.
_PLAIN = "清晨的雾还没有散，沈澜已经站在码头上，轻声对周远山说道：“我们今天就去北岸的工厂看一看。”"


class TaggedSpan(NamedTuple):
    """A span of a sentence and the probability that it is a name of this type."""

    start: int
    end: int
    type: str
    probability: float


class Tagger(Protocol):
    """Finds likely names in Chinese sentences."""

    def spans(self, sentences: Sequence[str]) -> list[list[TaggedSpan]]:
        """The likely names of each sentence."""


class Direction(NamedTuple):
    """One direction of one recurrent layer."""

    from_input: Floats32
    from_state: Floats32
    bias: Floats32


class Weights(NamedTuple):
    """All parameters of a network, with its characters and tags."""

    characters: dict[str, int]
    tags: tuple[str, ...]
    embedding: Floats32
    layers: tuple[tuple[Direction, Direction], tuple[Direction, Direction]]
    output: Floats32
    output_bias: Floats32
    first: Floats32
    last: Floats32
    transitions: Floats32


class NumpyTagger:
    """Two bidirectional LSTM layers and a CRF; threads may share it."""

    def __init__(self, weights: Weights, types: dict[str, str]) -> None:
        """Build it from the weights and a mapping from the network's types to ours."""
        self._characters = weights.characters
        self._types = types
        self._places = {tag: place for place, tag in enumerate(weights.tags)}
        self._layers = weights.layers
        self._output = np.ascontiguousarray(weights.output.T)
        self._output_bias = weights.output_bias
        # The first layer's projection of a character does not depend on its position.
        self._table = np.concatenate(
            [_projected(weights.embedding, way) for way in weights.layers[0]], axis=1
        )
        self._centre(weights)

    def spans(self, sentences: Sequence[str]) -> list[list[TaggedSpan]]:
        """The likely names of each sentence."""
        found: list[list[TaggedSpan]] = [[] for _ in sentences]
        for batch in _batches(sentences):
            scores, lengths = self._scores([sentences[index] for index in batch])
            for column, span in self._likely(scores, lengths):
                found[batch[column]].append(span)
        return found

    def _centre(self, weights: Weights) -> None:
        """Centre the scores: the common part of each tag's score moves into the transitions."""
        scores, _ = self._scores([_PLAIN])
        common = scores[:, 0].mean(axis=0)
        half = common.astype(np.float64) / 2
        self._output_bias = self._output_bias - common
        self._first = np.exp((weights.first + half) / _TEMPERATURE)
        self._last = np.exp((weights.last + half) / _TEMPERATURE)
        self._transitions = np.exp((weights.transitions + half[:, None] + half[None, :]) / _TEMPERATURE)

    def _scores(self, sentences: Sequence[str]) -> tuple[Floats32, NDArray[np.int64]]:
        """The score of every tag, indexed by position, sentence and tag."""
        lengths = np.array([len(sentence) for sentence in sentences])
        codes = np.zeros((int(lengths.max()), len(sentences)), np.int64)
        for column, sentence in enumerate(sentences):
            codes[: len(sentence), column] = self._codes(sentence)
        inside = (np.arange(len(codes))[:, None] < lengths[None, :]).astype(np.float32)
        inputs = self._table[codes]
        state = _both_ways(inputs[:, :, : 4 * _STATE], inputs[:, :, 4 * _STATE :], self._layers[0], inside)
        flat = state.reshape(-1, 2 * _STATE)
        forward, backward = (
            _projected(flat, way).reshape(*state.shape[:2], 4 * _STATE) for way in self._layers[1]
        )
        state = _both_ways(forward, backward, self._layers[1], inside)
        scores = _product(state.reshape(-1, 2 * _STATE), self._output) + self._output_bias
        return scores.reshape(*state.shape[:2], -1), lengths

    def _codes(self, sentence: str) -> list[int]:
        known = self._characters
        return [known.get(character) or known[_kind(character)] for character in sentence.lower()][
            : len(sentence)
        ]

    def _likely(self, scores: Floats32, lengths: NDArray[np.int64]) -> Iterator[tuple[int, TaggedSpan]]:
        """Every span that is likely enough, with the number of its sentence."""
        weights = np.exp((scores - scores.max(axis=2, keepdims=True)).astype(np.float64) / _TEMPERATURE)
        before, scale = self._before(weights)
        after = self._after(weights, scale, before, lengths)
        steps = weights / scale[:, :, None]
        for word, name in self._types.items():
            begin, middle, end = (self._places[f"{part}_{word}"] for part in "BME")
            open_ = before[:, :, begin]
            previous = begin
            for length in range(2, min(_LONGEST, len(scores)) + 1):
                open_ = open_[: len(scores) - length + 1]
                here = steps[length - 1 :]
                closed = (
                    open_ * self._transitions[previous, end] * here[:, :, end] * after[length - 1 :, :, end]
                )
                for start, column in zip(*np.nonzero(closed > _LEAST), strict=True):
                    likely = min(1.0, float(closed[start, column]))
                    yield int(column), TaggedSpan(int(start), int(start) + length, name, likely)
                open_ = open_ * self._transitions[previous, middle] * here[:, :, middle]
                previous = middle

    def _before(self, weights: Doubles) -> tuple[Doubles, Doubles]:
        """The forward probabilities, and the scale of each position that avoids underflow."""
        chances = np.empty_like(weights)
        scale = np.empty(weights.shape[:2])
        here = self._first * weights[0]
        for place in range(len(weights)):
            if place:
                here = (chances[place - 1] @ self._transitions) * weights[place]
            scale[place] = here.sum(axis=1) + 1e-300
            chances[place] = here / scale[place][:, None]
        return chances, scale

    def _after(
        self, weights: Doubles, scale: Doubles, before: Doubles, lengths: NDArray[np.int64]
    ) -> Doubles:
        """The backward probabilities, scaled so that the product with `_before` is a probability."""
        chances = np.zeros_like(weights)
        columns = np.arange(len(lengths))
        whole = before[lengths - 1, columns] @ self._last
        ending = self._last[None, :] / whole[:, None]
        backwards = np.ascontiguousarray(self._transitions.T)
        here = np.zeros(weights.shape[1:])
        for place in range(len(weights) - 1, -1, -1):
            if place + 1 < len(weights):
                here = (here * weights[place + 1]) @ backwards / scale[place + 1][:, None]
            here[lengths - 1 == place] = ending[lengths - 1 == place]
            here[lengths - 1 < place] = 0
            chances[place] = here
        return chances


def _batches(sentences: Sequence[str]) -> Iterator[list[int]]:
    """Batches of sentences of similar length."""
    by_length = sorted(
        (index for index, text in enumerate(sentences) if text), key=lambda i: len(sentences[i])
    )
    for start in range(0, len(by_length), _AT_ONCE):
        yield by_length[start : start + _AT_ONCE]


def _kind(character: str) -> str:
    if character.isdigit():
        return "[NUMBER]"
    return "[HANZI]" if "\u4e00" <= character <= "\u9fff" else "[UNK]"


def _projected(inputs: Floats32, way: Direction) -> Floats32:
    return _product(inputs, np.ascontiguousarray(way.from_input.T)) + way.bias


def _product(rows: Floats32, matrix: Floats32) -> Floats32:
    missing = -len(rows) % _ROWS
    padded = np.concatenate([rows, np.zeros((missing, rows.shape[1]), rows.dtype)]) if missing else rows
    product: Floats32 = (padded.reshape(-1, _ROWS, rows.shape[1]) @ matrix).reshape(len(padded), -1)
    return product[: len(rows)]


def _both_ways(
    forward: Floats32, backward: Floats32, ways: tuple[Direction, Direction], inside: Floats32
) -> Floats32:
    left = _one_way(forward, ways[0], inside, range(len(inside)))
    right = _one_way(backward, ways[1], inside, range(len(inside) - 1, -1, -1))
    return np.concatenate([left, right], axis=2)


def _one_way(inputs: Floats32, way: Direction, inside: Floats32, places: range) -> Floats32:
    """An LSTM along the positions; beyond the end of a sentence the state stays zero."""
    sentences = inputs.shape[1]
    weights = np.ascontiguousarray(way.from_state.T)
    state = np.zeros((sentences, _STATE), np.float32)
    cell = np.zeros((sentences, _STATE), np.float32)
    states = np.empty((len(inputs), sentences, _STATE), np.float32)
    for place in places:
        gates = inputs[place] + state @ weights
        fresh = np.tanh(gates[:, 2 * _STATE : 3 * _STATE])
        gates *= 0.5
        np.tanh(gates, out=gates)
        gates += 1
        gates *= 0.5
        cell = gates[:, _STATE : 2 * _STATE] * cell + gates[:, :_STATE] * fresh
        cell *= inside[place][:, None]
        state = gates[:, 3 * _STATE :] * np.tanh(cell)
        states[place] = state
    return states
