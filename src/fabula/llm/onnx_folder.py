"""An embedder from a folder with `model.onnx` and `tokenizer.json`, the usual format of sentence models.

It needs two optional packages: `pip install 'fabula[onnx]'`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.errors import InvalidInput
from fabula.llm.embedder import EmbeddingKind
from fabula.llm.prefixes import prefixes_of

MOST_TOKENS = 512
TEXT_CHARACTERS = 4_000

_MODELS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")


class OnnxEmbedder:
    """A local sentence model on one thread; long texts are truncated."""

    is_remote = False

    def __init__(self, folder: Path) -> None:
        model, tokenizer = _model_file(folder), folder / "tokenizer.json"
        if not tokenizer.is_file():
            raise _unusable(folder, "has no tokenizer.json")
        self._tokenizer = _tokenizer(tokenizer)
        self._session = _session(model)
        self._inputs = tuple(entry.name for entry in self._session.get_inputs())
        self._takes_mean = _takes_mean(folder)
        self._prefixes = prefixes_of(folder.name)
        # The name includes a hash of the file, so that another model in the same folder has another name.
        self.model = f"{folder.name}@{_digest(model)}"
        self.dimensions = len(self._pooled("?"))

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> NDArray[np.float32]:
        """One unit vector per text; a blank text is a row of zeros."""
        prefix = self._prefixes.get(kind, "")
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        # One by one: on one thread it is no slower, and in quantised models, which scale by the largest
        # number in a batch, a text's vector would depend on the other texts in its batch.
        for place, text in enumerate(texts):
            if text.strip():
                row = self._pooled(prefix + text[:TEXT_CHARACTERS])
                vectors[place] = row / max(float(np.linalg.norm(row)), 1e-9)
        return vectors

    def close(self) -> None:
        """Do nothing; there are no connections."""

    def _pooled(self, text: str) -> NDArray[np.float32]:
        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        known = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        answer = self._session.run(None, {name: known[name] for name in self._inputs})
        states: NDArray[np.float32] = answer[0][0]
        if states.ndim == 1:
            return states
        return np.asarray(states.mean(axis=0) if self._takes_mean else states[0], dtype=np.float32)


def _model_file(folder: Path) -> Path:
    if not folder.is_dir():
        raise _unusable(folder, "is not a folder")
    for name in _MODELS:
        if (folder / name).is_file():
            return folder / name
    others = sorted(folder.glob("*.onnx"))
    if len(others) != 1:
        raise _unusable(folder, "has no model.onnx")
    return others[0]


def _takes_mean(folder: Path) -> bool:
    """Whether the model uses mean pooling; otherwise the vector of the first token is used."""
    said = folder / "1_Pooling" / "config.json"
    if said.is_file():
        return bool(json.loads(said.read_text("utf-8")).get("pooling_mode_mean_tokens"))
    return "bge" not in folder.name.lower()


def _digest(file: Path) -> str:
    digest = blake2b(digest_size=4)
    with file.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _tokenizer(file: Path) -> Any:
    tokenizer = _package("tokenizers").Tokenizer.from_file(str(file))
    tokenizer.enable_truncation(MOST_TOKENS)
    tokenizer.no_padding()
    return tokenizer


def _session(file: Path) -> Any:
    runtime = _package("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise InvalidInput(
            f"A model in a folder needs the package {name}.", suggestion="Run: pip install 'fabula[onnx]'"
        ) from error


def _unusable(folder: Path, why: str) -> InvalidInput:
    return InvalidInput(
        f"The embedding model '{folder}' {why}.",
        details={"setting": "embedding_model"},
        suggestion="Give FABULA_EMBEDDING_MODEL a folder with model.onnx and tokenizer.json.",
    )
