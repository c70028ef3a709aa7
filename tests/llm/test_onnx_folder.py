"""A model in a folder: a tiny one made here, and folders that are none."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fabula.errors import InvalidInput
from fabula.llm.onnx_folder import OnnxEmbedder

WORDS = ["[UNK]", "snow", "night", "Represent", "query"]
TABLE = np.array([[1, 0, 0], [0, 3, 0], [0, 0, 4], [5, 0, 0], [0, 0, 9]], dtype=np.float32)


def field(number: int, value: int | bytes | str) -> bytes:
    """One field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def shaped(name: str, kind: int, dimensions: Sequence[str | int]) -> bytes:
    """An input or output of a graph."""
    axes = b"".join(field(1, field(1 if isinstance(axis, int) else 2, axis)) for axis in dimensions)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, axes)))


def lookup_model() -> bytes:
    """A model that looks each token up in a table."""
    node = field(1, "table") + field(1, "input_ids") + field(2, "states") + field(4, "Gather")
    rows = b"".join(field(1, size) for size in TABLE.shape) + field(2, 1) + field(8, "table")
    rows += field(9, struct.pack(f"<{TABLE.size}f", *TABLE.ravel().tolist()))
    graph = field(1, node) + field(2, "g") + field(5, rows)
    graph += field(11, shaped("input_ids", 7, ["texts", "tokens"]))
    graph += field(12, shaped("states", 1, ["texts", "tokens", 3]))
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


def tokenizer() -> dict[str, Any]:
    return {
        "version": "1.0",
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {
            "type": "WordLevel",
            "vocab": {word: row for row, word in enumerate(WORDS)},
            "unk_token": "[UNK]",
        },
    }


def folder_of(place: Path, name: str) -> Path:
    folder = place / name
    folder.mkdir()
    (folder / "model.onnx").write_bytes(lookup_model())
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()), "utf-8")
    return folder


@pytest.fixture
def runtime() -> None:
    pytest.importorskip("onnxruntime", reason="needs the packages of fabula[onnx]")
    pytest.importorskip("tokenizers", reason="needs the packages of fabula[onnx]")


@pytest.mark.usefixtures("runtime")
def test_a_text_is_the_mean_of_its_tokens(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(folder_of(tmp_path, "minilm"))
    rows = embedder.embed(["snow night", " ", "snow"], kind="document")
    assert embedder.dimensions == 3
    assert rows.tolist() == [pytest.approx([0, 0.6, 0.8]), [0, 0, 0], [0, 1, 0]]


@pytest.mark.usefixtures("runtime")
def test_a_bge_model_gives_its_first_token_and_wants_a_prefix_for_questions(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(folder_of(tmp_path, "bge-small-en-v1.5"))
    assert embedder.embed(["night snow"], kind="document").tolist() == [[0, 0, 1]]
    assert embedder.embed(["night snow"], kind="query").tolist() == [[1, 0, 0]]


@pytest.mark.usefixtures("runtime")
def test_what_the_folder_says_of_pooling_counts(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "bge-like")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_mean_tokens": true}', "utf-8")
    (row,) = OnnxEmbedder(folder).embed(["snow night"], kind="document").tolist()
    assert row == pytest.approx([0, 0.6, 0.8])


@pytest.mark.usefixtures("runtime")
def test_another_file_is_another_model(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "some-model")
    before = OnnxEmbedder(folder).model
    assert OnnxEmbedder(folder).model == before
    # Another description of the same graph.
    (folder / "model.onnx").write_bytes(lookup_model() + field(6, "second edition"))
    assert OnnxEmbedder(folder).model != before


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no_tokenizer").mkdir()
    (tmp_path / "no_tokenizer" / "model.onnx").write_bytes(b"")
    for place, why in (
        (tmp_path, "model.onnx"),
        (tmp_path / "none", "folder"),
        (tmp_path / "no_tokenizer", "token"),
    ):
        with pytest.raises(InvalidInput, match=why) as refused:
            OnnxEmbedder(place)
        assert "tokenizer.json" in (refused.value.suggestion or "")


def test_without_the_packages_the_error_says_which_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(InvalidInput, match="tokenizers") as refused:
        OnnxEmbedder(folder_of(tmp_path, "some-model"))
    assert "fabula[onnx]" in (refused.value.suggestion or "")
