"""An inverted index from words to the entities whose texts contain them.

A word is a run of letters and digits in scripts with spaces, and a pair of adjacent characters in
Chinese and Japanese, so that two-character words are found without a dictionary.
Words are stored as 64-bit codes, computed for a whole corpus at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Codes, distinct
from fabula.matching import fold

Slots = NDArray[np.int32]

MAX_POSTINGS = 50_000
REBUILD_AFTER = 256
BYTES_EACH_TEXT = 150
# A short query that has only common words is still looked up.
LONGEST_COMMON = 16
BYTES_EACH_POSTING = 3
# Encoding a text temporarily takes fifty times its size.
READ_TOGETHER = 500_000

_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_HAN_START = re.compile(f"[{_HAN}]")

# Characters and words so common that sharing one means nothing.
_COMMON_HAN = frozenset("的了着是和与在也就都而及或个之其这那们不有我他她它你")
_COMMON_WORDS = frozenset(
    re.findall(
        r"\w+",
        """an and are as at be been but by for from had has have he her him his in is it its me my not of on
        or our she so that the their them then there they this to was we were which who will with you your""",
    )
)

_BASE = np.uint64(0x9E3779B97F4A7C15)
_BASE_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
_IS_WORD = np.uint64(1 << 63)


class TextWord(NamedTuple):
    """A word of a text and its offset."""

    text: str
    start: int


def words(text: str) -> Iterator[TextWord]:
    """The words of a folded text without stop words, in order."""
    for run in _WORD.finditer(text):
        run_text, start = run.group(), run.start()
        if _HAN_START.match(run_text):
            for offset in range(len(run_text) - 1):
                pair = run_text[offset : offset + 2]
                if not _COMMON_HAN.intersection(pair):
                    yield TextWord(pair, start + offset)
        elif len(run_text) > 1 and run_text not in _COMMON_WORDS:
            yield TextWord(run_text, start)


def place_of(word: str, text: str) -> int | None:
    """The first offset of a word among the `words` of a folded text; None if it does not occur."""
    place = text.find(word)
    while place >= 0:
        if _HAN_START.match(word) or not (_continues(text, place - 1) or _continues(text, place + len(word))):
            return place
        place = text.find(word, place + 1)
    return None


def _continues(text: str, place: int) -> bool:
    return 0 <= place < len(text) and _SPACED.match(text, place) is not None


def codes(texts: Sequence[str], *, with_common: bool = False) -> tuple[Codes, Slots]:
    """Every word of many texts as a code and the number of its text; common pairs only on demand."""
    found, owners = [np.empty(0, np.uint64)], [np.empty(0, np.int32)]
    for first, last in batches(texts, READ_TOGETHER):
        coded = _coded([fold(text).text for text in texts[first:last]], with_common=with_common)
        found.append(coded.codes)
        owners.append(coded.owners + np.int32(first))
    return np.concatenate(found), np.concatenate(owners)


def batches(texts: Sequence[str], size: int) -> Iterator[tuple[int, int]]:
    """Ranges of texts that have about `size` characters each."""
    first, held = 0, 0
    for place, text in enumerate(texts, 1):
        held += len(text)
        if held >= size or place == len(texts):
            yield first, place
            first, held = place, 0


def shared_words(texts: Sequence[str], folded: str) -> list[list[str]]:
    """For each text, its distinct words that also occur in a folded text, in order."""
    own = _coded([fold(text).text for text in texts])
    common = np.flatnonzero(np.isin(own.codes, np.unique(_coded([folded]).codes)))
    shared: list[dict[str, None]] = [{} for _ in texts]
    for place, length, owner in zip(
        own.places[common].tolist(), own.lengths[common].tolist(), own.owners[common].tolist(), strict=True
    ):
        shared[owner][own.text[place : place + length]] = None
    return [list(found) for found in shared]


class _Coded(NamedTuple):
    """The words of many joined folded texts: code, offset, length and number of the text."""

    text: str
    codes: Codes
    places: NDArray[np.int64]
    lengths: NDArray[np.int64]
    owners: Slots


def _coded(folded: Sequence[str], *, with_common: bool = False) -> _Coded:
    joined = "\n".join(folded)
    characters = np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32)
    sizes = np.fromiter((len(text) + 1 for text in folded), dtype=np.int64, count=len(folded))
    owners = np.repeat(np.arange(len(folded), dtype=np.int32), sizes)[: len(characters)]
    pairs, pair_places = _pair_codes(characters, with_common)
    runs, bounds = _run_codes(joined, characters)
    places = np.concatenate([pair_places, bounds[:, 0]])
    lengths = np.concatenate([np.full(len(pairs), 2, dtype=np.int64), bounds[:, 1] - bounds[:, 0]])
    return _Coded(joined, np.concatenate([pairs, runs]), places, lengths, owners[places])


def _pair_codes(characters: NDArray[np.uint32], with_common: bool) -> tuple[Codes, NDArray[np.int64]]:
    if len(characters) < 2:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    table = _han_table(with_common)
    han = table[np.minimum(characters, len(table) - 1)]
    places = np.flatnonzero(han[:-1] & han[1:])
    first = characters[places].astype(np.uint64)
    second = characters[places + 1].astype(np.uint64)
    return (first << np.uint64(21)) | second, places


def _run_codes(joined: str, characters: NDArray[np.uint32]) -> tuple[Codes, NDArray[np.int64]]:
    """The codes and spans of the words in scripts with spaces."""
    spans = [
        (run.start(), run.end()) for run in _SPACED_WORD.finditer(joined) if run.group() not in _COMMON_WORDS
    ]
    if not spans:
        return np.empty(0, np.uint64), np.empty((0, 2), np.int64)
    bounds = np.array(spans, dtype=np.int64)
    # A rolling hash: the sum of a word's characters times growing powers of an odd number, shifted back to
    # the first power, so that equal words get equal codes at any offset without a loop over words.
    powers = np.cumprod(np.full(len(characters) + 1, _BASE, dtype=np.uint64))
    inverse = np.cumprod(np.full(len(characters) + 1, _BASE_INVERSE, dtype=np.uint64))
    sums = np.concatenate(
        [np.zeros(1, np.uint64), np.cumsum(characters.astype(np.uint64) * powers[:-1], dtype=np.uint64)]
    )
    run_sums = sums[bounds[:, 1]] - sums[bounds[:, 0]]
    return (run_sums * inverse[bounds[:, 0]]) | _IS_WORD, bounds


_SPACED = re.compile(rf"[^\W_{_HAN}]")
_SPACED_WORD = re.compile(rf"[^\W_{_HAN}]{{2,}}")


@cache
def _han_table(with_common: bool) -> NDArray[np.bool_]:
    """Which characters form pairs, by code point; the last item covers all higher ones."""
    table = np.zeros(0x40001, dtype=np.bool_)
    for low, high in ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)):
        table[low : high + 1] = True
    table[0x20000:0x40000] = True
    table[[ord(character) for character in _COMMON_HAN]] = with_common
    return table


class SlotScores(NamedTuple):
    """Slots with their scores for a text, and the score of a slot that has all of its words."""

    slots: Slots
    weights: NDArray[np.float64]
    ceiling: float

    def best(self, allowed: NDArray[np.bool_], limit: int, keep: Collection[int] = ()) -> SlotScores:
        """The highest scores of allowed slots, ties with the last included, and those to keep."""
        kept = allowed[self.slots]
        slots, weights = self.slots[kept], self.weights[kept]
        if len(slots) > limit:
            least = np.partition(weights, -limit)[-limit] if limit else np.inf
            best = (weights >= least) | np.isin(slots, np.fromiter(keep, np.int32, len(keep)))
            slots, weights = slots[best], weights[best]
        return SlotScores(slots, weights, self.ceiling)

    def by_slot(self) -> dict[int, float]:
        """The scores by slot."""
        return dict(zip(self.slots.tolist(), self.weights.tolist(), strict=True))


class WordIndex:
    """From words to the entities whose texts contain them; changed texts are kept beside the arrays."""

    def __init__(self, texts: Iterable[tuple[int, str]]) -> None:
        self._texts = dict(texts)
        self._build()

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return self._base.weight + len(self._texts) * BYTES_EACH_TEXT

    def text_of(self, slot: int) -> str:
        """The text of an entity."""
        return self._texts.get(slot, "")

    def put(self, slot: int, text: str) -> None:
        """Add or replace the text of an entity."""
        before = self._texts.get(slot)
        if before != text:
            self._texts[slot] = text
            self._mark(slot, before)

    def drop(self, slot: int) -> None:
        """Remove an entity."""
        before = self._texts.pop(slot, None)
        if before is not None:
            self._mark(slot, before)

    def scores(
        self, text: str, *, allowed: NDArray[np.bool_], limit: int, keep: Collection[int] = ()
    ) -> SlotScores:
        """The score of each entity for the words of a text: 8 for the rarest word, less for others.

        Only the highest scores of allowed slots, ties with the last included, and the slots to `keep`: the
        cut does not depend on the order of slots.
        """
        return self.all_scores(text).best(allowed, limit, keep)

    def all_scores(self, text: str) -> SlotScores:
        """The scores of all entities, for callers that filter several groups.

        Common words count only in a text that has no others.
        """
        wanted = codes([text])[0]
        if not len(wanted) and len(text) <= LONGEST_COMMON:
            wanted = codes([text], with_common=True)[0]
        return self._weighed(distinct(wanted))

    def having(self, term: str) -> list[int]:
        """The slots whose texts have all words of a term and may contain it; all if it has no words."""
        wanted = distinct(codes([term], with_common=True)[0])
        if not len(wanted):
            return list(self._texts)
        outdated, fresh = self._base.owners(wanted), self._changed()[1].owners(wanted)
        kept = (slot for slot in outdated.tolist() if slot not in self._before)
        return [*kept, *fresh.tolist()]

    def _build(self) -> None:
        self._base = _Postings(self._texts)
        self._before: dict[int, str | None] = {}
        self._beside: tuple[_Postings, _Postings] | None = None

    def _mark(self, slot: int, before: str | None) -> None:
        self._before.setdefault(slot, before)
        self._beside = None
        if len(self._before) > max(REBUILD_AFTER, len(self._texts) // 100):
            self._build()

    def _changed(self) -> tuple[_Postings, _Postings]:
        """The postings of changed entities: the outdated ones in the base, and their replacements."""
        if self._beside is None:
            outdated = {slot: text for slot, text in self._before.items() if text is not None}
            fresh = {slot: self._texts[slot] for slot in self._before if slot in self._texts}
            self._beside = _Postings(outdated), _Postings(fresh)
        return self._beside

    def _weighed(self, wanted: Codes) -> SlotScores:
        outdated, fresh = self._changed()
        in_base, in_fresh = self._base.find(wanted), fresh.find(wanted)
        # Counted over both, so that an updated index weighs words like a rebuilt one.
        spread = in_base.counts - outdated.find(wanted).counts + in_fresh.counts
        # The rarest words say most; the most common ones are left out if all would be too much work.
        known = np.flatnonzero(spread)
        rarest = known[np.argsort(spread[known], kind="stable")]
        rarest = rarest[: np.searchsorted(np.cumsum(spread[rarest]), MAX_POSTINGS, side="right")]
        population = len(self._texts)
        rarity = 8 * np.log1p(population / spread[rarest]) / np.log1p(max(1, population))
        slots, weights = self._base.weigh(in_base.of(rarest), rarity)
        if self._before:
            kept = ~np.isin(slots, np.fromiter(self._before, np.int32, len(self._before)))
            slots, weights = slots[kept], weights[kept]
        more_slots, more_weights = fresh.weigh(in_fresh.of(rarest), rarity)
        ceiling = float(rarity.sum())
        return SlotScores(
            np.concatenate([slots, more_slots]), np.concatenate([weights, more_weights]), ceiling
        )


class _Found(NamedTuple):
    """The start and the number of the postings of each word."""

    begins: NDArray[np.int64]
    counts: NDArray[np.int64]

    def of(self, chosen: NDArray[np.int64]) -> _Found:
        return _Found(self.begins[chosen], self.counts[chosen])


class _Postings:
    """Postings by sorted word code: the slots of the texts that contain it."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        slots = np.fromiter(texts, dtype=np.int32, count=len(texts))
        word, owner = codes(list(texts.values()), with_common=True)
        order = np.argsort(word, kind="stable")
        word, owner = word[order], owner[order]
        if len(word):
            repeated = np.zeros(len(word), dtype=np.bool_)
            same = word[1:] == word[:-1]
            repeated[1:] = same & (owner[1:] == owner[:-1])
            word, owner = word[~repeated], owner[~repeated]
        self.vocabulary, self.begins = np.unique(word, return_index=True)
        self.counts = np.diff(self.begins, append=len(word))
        self.slots: Slots = slots[owner]

    @property
    def weight(self) -> int:
        """About how many bytes of memory they take, with their texts."""
        arrays = (self.vocabulary, self.begins, self.counts, self.slots)
        return sum(one.nbytes for one in arrays) + len(self.slots) * BYTES_EACH_POSTING

    def find(self, wanted: Codes) -> _Found:
        """The postings of the words; none for words that do not occur."""
        if not len(self.vocabulary):
            nothing = np.zeros(len(wanted), np.int64)
            return _Found(nothing, nothing)
        places = np.minimum(np.searchsorted(self.vocabulary, wanted), len(self.vocabulary) - 1)
        known = self.vocabulary[places] == wanted
        return _Found(self.begins[places], np.where(known, self.counts[places], 0))

    def owners(self, wanted: Codes) -> Slots:
        """The slots whose texts contain all of the words."""
        found = self.find(wanted)
        if not len(wanted) or not found.counts.all():
            return np.empty(0, np.int32)
        slots, times = self.weigh(found, np.ones(len(wanted)))
        complete: Slots = slots[times == len(wanted)]
        return complete

    def weigh(self, found: _Found, rarity: NDArray[np.float64]) -> tuple[Slots, NDArray[np.float64]]:
        """The slots with any of the words, and the sum of the weights of their words."""
        begins, counts = found
        if len(counts) == 1:
            slots = self.slots[begins[0] : begins[0] + counts[0]]
            return slots, np.full(len(slots), rarity[0])
        shifts = begins - (np.cumsum(counts) - counts)
        owners = self.slots[np.repeat(shifts, counts) + np.arange(int(counts.sum()))]
        weights = np.bincount(owners, weights=np.repeat(rarity, counts))
        slots = np.flatnonzero(weights).astype(np.int32)
        return slots, weights[slots].astype(np.float64)
