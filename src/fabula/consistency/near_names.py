"""Words that are one letter, or one character, from a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabula.model.relation import Language

LEAST_LETTERS = 5
_WORD = re.compile(r"[^\W\d_]+")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
# Two characters at the beginning of a clause before somebody speaks or acts.
_SUBJECT = re.compile(
    "(?:^|(?<=[，。！？；：”\\s]))"
    "(?P<s>(?![那这二众一只又便忙不其他她我你两三四几有都且但因原正却听说问笑说看见大小老此各])"
    "[\u3400-\u9fff][\u3400-\u9fff])"
    "(?=(?:忙|便|又|只|因|也|冷|都|方|听了){0,2}"
    "(?:笑道|说道|问道|答道|叹道|道：|听了|走来|走进|坐下|站起|点头|摇头|起身|转身))",
    re.MULTILINE,
)


# With one of these, a name has another title, or a word begins: 林姐夫 is no misspelt 林姐姐.
_TITLES = frozenset(
    "爷娘姐妹哥弟夫叔侄嫂姑姨妈婆公太师王圣佛士子儿之者位老大小氏头先长姓一二两三四五六七八九十"
)
# Louis XIV and Louis XVI differ in their number.
_ORDINAL = re.compile(r" [IVX]+$")


class NearName(NamedTuple):
    """A word at a place of a text, and the name and the entity that it nearly is."""

    start: int
    end: int
    name: str
    entity_id: str


class NearNames:
    """The names of a story, arranged so that what is nearly one of them is found in one pass."""

    def __init__(
        self, language: Language, names: Mapping[str, tuple[str, ...]], others: Iterable[str]
    ) -> None:
        self._is_chinese = language == "zh"
        every = [(name, key) for key, own in names.items() for name in own]
        self._known = {word for name, _ in every for word in _WORD.findall(name)}
        self._known |= {word for name in others for word in _WORD.findall(name)}
        self._variants: dict[str, list[tuple[str, str]]] = {}
        self._parts: dict[tuple[int, str], list[tuple[str, str]]] = {}
        self._short: dict[tuple[int, str], list[tuple[str, str]]] = {}
        for name, key in every:
            if self._is_chinese:
                self._take_chinese(name, key)
            else:
                for word in _WORD.findall(name):
                    if len(word) >= LEAST_LETTERS and word[0].isupper():
                        for variant in {word, *_shortened(word)}:
                            self._variants.setdefault(variant, []).append((word, key))

    def _take_chinese(self, name: str, key: str) -> None:
        if not _CHINESE.fullmatch(name):
            return
        if len(name) == 2 and name[1] not in "氏儿人官妈公哥姐妹爷娘子母":
            for gap in (0, 1):
                self._short.setdefault((gap, name[1 - gap]), []).append((name, key))
        if len(name) != 3:
            return
        # Anything may stand before a given name, so the first character is not looked at; 玉钏儿 may be 玉钏.
        for gap in (1,) if name[-1] in "儿子" else (1, 2):
            rest = name[:gap] + name[gap + 1 :]
            if rest not in self._known:
                self._parts.setdefault((gap, rest), []).append((name, key))

    def find(self, text: str) -> Iterator[NearName]:
        """Yield the words of a text that are nearly a name and no name themselves."""
        yield from self._chinese(text) if self._is_chinese else self._latin(text)

    def _latin(self, text: str) -> Iterator[NearName]:
        for found in _WORD.finditer(text):
            word = found[0]
            if len(word) < LEAST_LETTERS - 1 or not word[0].isupper() or word in self._known:
                continue
            for variant in (word, *_shortened(word)):
                near = [(name, key) for name, key in self._variants.get(variant, ()) if _is_near(word, name)]
                if near:
                    yield NearName(found.start(), found.end(), *near[0])
                    break

    def _chinese(self, text: str) -> Iterator[NearName]:
        parts, known = self._parts, self._known
        for run in _CHINESE.finditer(text):
            said, begin = run[0], run.start()
            for place in range(len(said) - 2):
                for gap, rest in ((2, said[place : place + 2]), (1, said[place] + said[place + 2])):
                    near = parts.get((gap, rest))
                    if near is None or said[place + gap] in _TITLES:
                        continue
                    if said[place : place + 3] not in known:
                        start = begin + place
                        yield NearName(start, start + 3, *near[0])
                        break
        for found in _SUBJECT.finditer(text):
            said = found["s"]
            for gap in (0, 1):
                near = None if said[gap] in _TITLES else self._short.get((gap, said[1 - gap]))
                if near is not None and said not in known and len({key for _, key in near}) == 1:
                    yield NearName(found.start("s"), found.end("s"), *near[0])
                    break


def confusable(names: Mapping[str, str], language: Language) -> Iterator[tuple[str, str]]:
    """Yield the pairs of people whose names differ in one letter, in Chinese in one of three characters."""
    seen: dict[str, list[tuple[str, str]]] = {}
    done: set[frozenset[str]] = set()
    for key, name in names.items():
        if (
            not (_CHINESE.fullmatch(name) and len(name) > 2)
            if language == "zh"
            else len(name) < LEAST_LETTERS
        ):
            continue
        for short in {name, *_shortened(name)}:
            for other, known in seen.setdefault(short, []):
                pair = frozenset((key, other))
                is_near = len(name) == len(known) or language != "zh"
                is_near = is_near and not (_ORDINAL.search(name) and _ORDINAL.search(known))
                if pair not in done and is_near and _is_near(name, known):
                    done.add(pair)
                    yield other, key
            seen[short].append((key, name))


def _shortened(word: str) -> list[str]:
    return [word[:place] + word[place + 1 :] for place in range(len(word))]


def _is_near(word: str, name: str) -> bool:
    """Whether one letter was changed, left out or added, or two changed places; a final s is a plural."""
    if word.lower() == name.lower() or word[0] != name[0]:
        return False
    if word in (name + "s", name + "a", name + "e") or name in (word + "s", word + "a", word + "e"):
        return False
    if len(word) == len(name):
        apart = [place for place in range(len(word)) if word[place] != name[place]]
        if len(apart) == 2:
            one, two = apart
            return two == one + 1 and word[one] == name[two] and word[two] == name[one]
        return len(apart) == 1
    short, long = sorted((word, name), key=len)
    return len(long) == len(short) + 1 and short in _shortened(long)
