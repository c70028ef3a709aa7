"""Vectors from an OpenAI endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from endpoints import Connected, data, plain, reason, refusal, silent, stream
from fabula.errors import LlmRateLimited, LlmUnavailable
from fabula.llm.embedder import Embedder
from fabula.llm.endpoint import Endpoint, Patience
from fabula.llm.openai_embeddings import BATCH, OpenAiEmbedder


def embedder(house: Connected, model: str = "played") -> OpenAiEmbedder:
    return OpenAiEmbedder(house.endpoint(), model)


def vectors(*rows: Any) -> Any:
    return data({"data": [{"index": index, "embedding": row} for index, row in enumerate(rows)]})


def lengths(house: Connected) -> Any:
    """Answer every text with (its length, 1), the last first."""

    def scene(handler: Any) -> None:
        texts = house.played.bodies[-1]["input"]
        rows = [{"index": index, "embedding": [len(text), 1]} for index, text in enumerate(texts)]
        data({"data": rows[::-1]})(handler)

    return scene


def test_each_text_gets_its_own_row_of_length_one_over_several_batches(house: Connected) -> None:
    house.played.plays(lengths(house))
    texts = ["字" * (1 + index % 90) for index in range(2 * BATCH + 5)]
    texts[7] = texts[70] = " \n"
    port: Embedder = embedder(house)
    found = port.embed(texts, kind="document")
    assert (found.shape, found.dtype) == ((len(texts), 2), np.float32)
    expected = np.array([[len(text), 1] for text in texts], dtype=np.float64)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    expected[[7, 70]] = 0
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert [len(body["input"]) for body in house.played.bodies] == [BATCH, BATCH, 3]
    assert {asked.path for asked in house.played.asked} == {"/v1/embeddings"}
    assert (port.model, port.dimensions) == ("played", 2)


def test_nothing_to_embed_is_a_matrix_without_rows(house: Connected) -> None:
    house.played.plays(vectors([3.0, 4.0, 0.0]))
    known = embedder(house)
    assert known.dimensions == 3
    assert known.embed([], kind="query").shape == (0, 3)
    assert known.embed(["", "\u3000"], kind="query").tolist() == [[0, 0, 0]] * 2
    assert len(house.played.asked) == 1


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("text-embedding-3-small", "", ""),
        ("bge-m3", "", ""),
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("BAAI/bge-small-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("nomic-embed-text:latest", "search_query: ", "search_document: "),
    ],
)
def test_a_model_sees_what_it_wants_before_a_text(
    house: Connected, model: str, query: str, document: str
) -> None:
    house.played.plays(vectors([1.0, 0.0]))
    asked = embedder(house, model)
    asked.embed(["雾"], kind="query")
    asked.embed(["雾"], kind="document")
    assert [body["input"] for body in house.played.bodies] == [[f"{query}雾"], [f"{document}雾"]]


def test_a_long_text_is_sent_without_its_end(house: Connected) -> None:
    house.played.plays(vectors([1.0]))
    embedder(house).embed(["长" * 50_000], kind="document")
    assert len(house.played.bodies[0]["input"][0]) == 6_000


@pytest.mark.parametrize(
    "scene",
    [
        plain(b"{"),
        data([]),
        data({"data": None}),
        data({"data": [1, 2]}),
        vectors([1.0]),
        vectors([1.0], [1.0], [1.0]),
        vectors([1.0], [1.0, 2.0]),
        vectors([], []),
        vectors(["a"], ["b"]),
        vectors(1.0, 2.0),
        plain(json.dumps({"data": [{"embedding": [float("inf")]}, {"embedding": [1]}]}).encode()),
    ],
)
def test_what_are_no_vectors_is_not_understood(house: Connected, scene: Any) -> None:
    house.played.plays(scene)
    with pytest.raises(LlmUnavailable) as refused:
        embedder(house).embed(["一", "二"], kind="document")
    assert refused.value.details == {"reason": "not_understood"}


def test_vectors_do_not_change_their_length(house: Connected) -> None:
    house.played.plays(vectors([1.0, 0.0]), vectors([1.0]))
    fickle = embedder(house)
    fickle.embed(["一"], kind="query")
    with pytest.raises(LlmUnavailable, match="1 numbers instead of 2"):
        fickle.embed(["二"], kind="query")


def test_a_busy_endpoint_is_asked_again_and_given_up(house: Connected) -> None:
    house.played.plays(refusal(429, retry_after="2"), vectors([1.0]), refusal(429, retry_after="60"))
    asked = embedder(house)
    assert asked.embed(["一"], kind="query").tolist() == [[1.0]]
    assert house.lapse.slept == [2.0]
    with pytest.raises(LlmRateLimited):
        asked.embed(["二"], kind="query")


def test_questions_do_not_wait_as_long_as_documents_do(house: Connected) -> None:
    hasty = Endpoint(house.played.url, patience=Patience.hasty(0.2))
    house.opened.append(hasty)
    known = OpenAiEmbedder(house.endpoint(), "played", for_questions=hasty)
    house.played.plays(silent)
    with pytest.raises(LlmUnavailable) as given_up:
        known.embed(["谁？"], kind="query")
    assert reason(given_up.value) == "silent"
    assert len(house.played.asked) == 1
    house.played.plays(vectors([3.0, 4.0]))
    assert known.embed(["文"], kind="document").shape == (1, 2)


def test_an_answer_that_drips_is_given_up_too(house: Connected) -> None:
    def dripping() -> Iterator[bytes]:
        while True:
            yield b" "
            house.played.is_over.wait(0.05)

    hasty = Endpoint(house.played.url, patience=Patience.hasty(0.2))
    house.opened.append(hasty)
    house.played.plays(stream(dripping()))
    with pytest.raises(LlmUnavailable) as given_up:
        OpenAiEmbedder(house.endpoint(), "played", for_questions=hasty).embed(["谁？"], kind="query")
    assert reason(given_up.value) == "too_slow"
