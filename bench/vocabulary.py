"""Words to write with: some thousands in Chinese and in English, a few common and many rare."""

from __future__ import annotations

import random
import re
from bisect import bisect_left
from itertools import accumulate
from typing import Literal

Language = Literal["zh", "en"]

WORDS = 5000
_SOUNDS = re.compile(r"\w+")
_ONSETS: list[str] = _SOUNDS.findall("b br c ch d dr f g gr h k l m n p pr r s sh st t th tr v w")
_VOWELS: list[str] = _SOUNDS.findall("a e i o u ai ea ou")
_CODAS: list[str] = _SOUNDS.findall("l m n nd r rn s sk st t th x")
_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章"
    "云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳唐罗薛雷贺倪汤滕殷毕郝邬安常乐于时傅皮卞齐康"
)
_PLACES = "城山谷河关寺宫楼镇村湖岛殿峰林渡桥堡"


class Zipf:
    """Numbers from 0 on, the first ones drawn most often; with `flat` (Mandelbrot) the very first less so."""

    def __init__(self, size: int, exponent: float, flat: int = 0) -> None:
        self._sums = list(accumulate((rank + 1 + flat) ** -exponent for rank in range(size)))

    def draw(self, rng: random.Random) -> int:
        """One number."""
        return bisect_left(self._sums, rng.random() * self._sums[-1])


class Vocabulary:
    """One language: its words in the order of how common they are, and names made in its manner."""

    def __init__(self, language: Language, seed: int) -> None:
        rng = random.Random(f"{language}:{seed}")
        self.language = language
        self._characters = _common_characters()
        rng.shuffle(self._characters)
        self._zipf = Zipf(WORDS, 1.0, flat=10)  # the commonest word is 1.5 % of a text
        self._character_zipf = Zipf(len(self._characters), 0.7)
        make = self._chinese_word if language == "zh" else self._english_word
        words: dict[str, None] = {}
        while len(words) < WORDS:
            words[make(rng)] = None
        self.words = list(words)

    def word(self, rng: random.Random) -> str:
        """One word, a common one more likely."""
        return self.words[self._zipf.draw(rng)]

    def prose(self, rng: random.Random, length: int) -> str:
        """Sentences of about so many characters, never more."""
        parts: list[str] = []
        room = length
        while room > 12:
            sentence = self.sentence(rng)[:room]
            parts.append(sentence)
            room -= len(sentence)
        return "".join(parts).strip()

    def sentence(self, rng: random.Random) -> str:
        """One sentence."""
        words = [self.word(rng) for _ in range(rng.randint(5, 12))]
        if self.language == "zh":
            words.insert(rng.randint(1, 4), rng.choice("的了在与是"))
            words.insert(rng.randint(5, len(words)), rng.choice(["，", "，而", "，也", "的"]))
            return "".join(words) + "。"
        words.insert(rng.randint(1, 4), rng.choice(["of the", "and", "in a", "with the"]))
        return " ".join(words).capitalize() + ". "

    def name(self, rng: random.Random, place: bool) -> str:
        """A name: two to four characters, or two words."""
        if self.language == "zh":
            given = "".join(rng.choices(self._characters[:1200], k=rng.choice([1, 2, 2, 2, 3])))
            return given + rng.choice(_PLACES) if place else rng.choice(_SURNAMES) + given
        first, last = self._english_word(rng), self._english_word(rng)
        return f"{first.capitalize()} {last.capitalize()}"

    def _chinese_word(self, rng: random.Random) -> str:
        length = rng.choice([2, 2, 2, 3])
        return "".join(self._characters[self._character_zipf.draw(rng)] for _ in range(length))

    def _english_word(self, rng: random.Random) -> str:
        syllables = [rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(rng.randint(1, 3))]
        return "".join(syllables) + rng.choice(_CODAS)


def _common_characters() -> list[str]:
    """The 3,755 characters of the first level of GB 2312."""
    rows = (bytes([row, cell]) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    return [text for text in (pair.decode("gb2312", "ignore") for pair in rows) if text]
