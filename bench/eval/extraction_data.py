"""Annotated prose: texts, and where names stand in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.wordlist import word_set

# Texts of others, for measuring only; they are not part of the project.
FOLDER = Path(os.environ.get("FABULA_EVAL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))

MULTIGENRE = FOLDER / "multigenre_zh_ner" / "dev.txt"
LITERATURE = FOLDER / "chinese_literature_ner" / "validation.txt"
LITBANK = FOLDER / "litbank" / "coref" / "brat"

_MULTIGENRE_TYPES = {"PER": "character", "LOC": "location", "ORG": "faction"}
_LITERATURE_TYPES = {"Person": "character", "Location": "location", "Organization": "faction"}
_LITBANK_TYPES = {
    "PER": "character",
    "FAC": "location",
    "GPE": "location",
    "LOC": "location",
    "ORG": "faction",
    "VEH": "item",
}
_PRONOUNS = word_set("我们 你们 他们 她们 它们 咱们 自己 人家 大家 别人 俺们 有人")
_ARTICLE = re.compile(r"(?:the|a|an)\s+", re.IGNORECASE)
_SENTENCES_OF_A_DOCUMENT = 100

Span = tuple[int, int, str]


class Document(NamedTuple):
    """A text and the spans that somebody marked in it, each with a type."""

    text: str
    gold: frozenset[Span]


def multigenre() -> list[Document]:
    """Chapters of web novels: neighbouring sentences are one document."""
    return list(_documents(_tagged(MULTIGENRE, "-", _MULTIGENRE_TYPES)))


def literature() -> list[Document]:
    """Chinese essays; pronouns and single characters are not names and do not count."""
    return list(_documents(_tagged(LITERATURE, "_", _LITERATURE_TYPES)))


def litbank() -> list[Document]:
    """Beginnings of English novels: the mentions marked as proper names, without a leading article."""
    documents = []
    for file in sorted(LITBANK.glob("*.ann")):
        text = file.with_suffix(".txt").read_text(encoding="utf-8")
        gold = set()
        for line in file.read_text(encoding="utf-8").splitlines():
            fields = line.split("\t")
            if len(fields) > 1 and fields[1].startswith("PROP_"):
                label, start, end = fields[1].replace(";", " ").split()[:3]
                first, last = int(start), int(end)
                article = _ARTICLE.match(text, first, last)
                first = article.end() if article else first
                gold.add((first, last, _LITBANK_TYPES[label.removeprefix("PROP_")]))
        documents.append(Document(text, frozenset(gold)))
    return documents


def is_common_noun(name: str) -> bool:
    """Whether annotators marked a word anybody uses, such as 老师, which no lorebook would hold."""
    return lexicon().is_common(name)


def _tagged(file: Path, mark: str, types: dict[str, str]) -> Iterator[tuple[str, set[Span]]]:
    """Sentences of a file with one character and one tag per line."""
    characters: list[str] = []
    tags: list[str] = []
    for line in [*file.read_text(encoding="utf-8").split("\n"), ""]:
        if line.strip():
            character, _, tag = line.rstrip().rpartition("\t" if "\t" in line else " ")
            characters.append(character[:1] or " ")
            tags.append(tag)
        elif characters:
            yield "".join(characters), _spans("".join(characters), tags, mark, types)
            characters, tags = [], []


def _spans(text: str, tags: list[str], mark: str, types: dict[str, str]) -> set[Span]:
    spans = set()
    start = 0
    while start < len(tags):
        part, _, label = tags[start].partition(mark)
        end = start + 1
        if part == "B":
            while end < len(tags) and tags[end] == f"I{mark}{label}":
                end += 1
            if label in types and end - start > 1 and text[start:end] not in _PRONOUNS:
                spans.add((start, end, types[label]))
        start = end
    return spans


def _documents(sentences: Iterator[tuple[str, set[Span]]]) -> Iterator[Document]:
    texts: list[str] = []
    gold: set[Span] = set()
    offset = 0
    for text, spans in sentences:
        gold.update((start + offset, end + offset, kind) for start, end, kind in spans)
        texts.append(text)
        offset += len(text) + 1
        if len(texts) == _SENTENCES_OF_A_DOCUMENT:
            yield Document("\n".join(texts), frozenset(gold))
            texts, gold, offset = [], set(), 0
    if texts:
        yield Document("\n".join(texts), frozenset(gold))
