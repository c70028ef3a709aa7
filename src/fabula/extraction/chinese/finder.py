"""Finds names in a Chinese text: candidates, evidence from the whole text, and a second pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from math import exp, log
from typing import NamedTuple

from fabula.extraction.chinese.edges import A_NAME, EdgePlace, Edges, edges_of
from fabula.extraction.chinese.learnt import Learnt, PairCounts, one_type_each
from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.occurrences import NameOccurrences
from fabula.extraction.chinese.reading import Read, composed, literal_cost, read
from fabula.extraction.chinese.short_forms import short_forms
from fabula.extraction.chinese.strangers import strangers
from fabula.extraction.chinese.suffixes import has_ending
from fabula.extraction.chinese.surnames import NEVER_NAMES
from fabula.extraction.chinese.verbs import AFTER_PERSON, BEFORE_PERSON, is_courtesy
from fabula.extraction.tagger import TAGGED, Tagger

# Weights of evidence, in nats. They were set by hand; `bench.eval extraction` measures their effect.
_REPEATED = 2.0
_COMMON_WORD = 3.5
_TAGGED_HERE, _TAGGED_ON_AVERAGE, _TAGGER_BIAS = 0.9, 0.9, 1.5
_TAGGED_LEAST, _TAGGED_CHARACTER = 0.1, 6.2
_NEVER_SURE = 0.01
_FAR_MORE, _DOUBT = 3, 6.0
_WELL_KNOWN = 3

# The log odds of a name: from how much cheaper it is than the words it covers, and how often it occurs.
_ODDS, _ODDS_OF_COUNT = -1.7, 1.25
_ODDS_OF_GAIN, _ODDS_OF_TAGGED_GAIN = 0.1, 0.17


class ChineseName(NamedTuple):
    """A name with its statistics over the whole text."""

    text: str
    type: str
    times: int
    confidence: float


class ChineseFindings(NamedTuple):
    """The names and nouns of each sentence, and the names of the whole text."""

    read: list[list[Read]]
    names: dict[str, ChineseName]


def find(
    sentences: Sequence[str],
    tagger: Tagger | None = None,
    known: Sequence[Edges] = (),
    people: Iterable[str] = (),
) -> ChineseFindings:
    """Find the names in the sentences of one text.

    `known` are the spans of names the story already has, for each sentence; `people` are the people among
    them, who may be called by a part of their name.
    """
    text = _Text(sentences, known or [{} for _ in sentences], people)
    if tagger is not None:
        text.listen_to(tagger)
    text.weigh()
    text.read()
    text.look_at_strangers()
    text.doubt_longer_names()
    text.read()
    return text.findings()


class _Text:
    """The sentences of one text while names are searched."""

    def __init__(self, sentences: Sequence[str], known: Sequence[Edges], people: Iterable[str]) -> None:
        self._sentences = sentences
        self._known = known
        self._people = frozenset(people)
        self._edges = [edges_of(sentence) for sentence in sentences]
        self._tagged: list[dict[EdgePlace, float]] | None = None
        self._read: list[list[Read]] = []
        self._strange: list[list[tuple[int, int]]] = []
        self._counts: PairCounts = Counter()

    def listen_to(self, tagger: Tagger) -> None:
        """Add the tagger's spans to the candidates."""
        self._tagged = []
        for edges, spans in zip(self._edges, tagger.spans(self._sentences), strict=True):
            self._tagged.append({(span.start, span.end, span.type): span.probability for span in spans})
            for place, likely in self._tagged[-1].items():
                if likely > _TAGGED_LEAST:
                    edges.setdefault(place, A_NAME + 1 + _TAGGED_CHARACTER * (place[1] - place[0]))

    def weigh(self) -> None:
        """Adjust the cost of each candidate by evidence from the whole text."""
        occurrences = NameOccurrences.of(
            self._sentences,
            (
                (number, start, end)
                for number, edges in enumerate(self._edges)
                for start, end in {(start, end) for start, end, _ in edges}
            ),
        )
        words = lexicon().words
        for sentence, edges in zip(self._sentences, self._edges, strict=True):
            for place in list(edges):
                text = sentence[place[0] : place[1]]
                word = words.get(text)
                # 老爷 is nobody's name, however often he appears, nor is 昨儿, whatever the tagger says.
                if (word is not None and word.noun is not None) or text in NEVER_NAMES:
                    del edges[place]
                    continue
                if is_courtesy(sentence, place[0], place[1]):
                    del edges[place]
                    continue
                edges[place] += (_COMMON_WORD if word else 0.0) - _REPEATED * occurrences.weight(text)
        if self._tagged is not None:
            self._weigh_tags(occurrences, self._tagged)

    def _weigh_tags(self, occurrences: NameOccurrences, tagged: list[dict[EdgePlace, float]]) -> None:
        total: defaultdict[tuple[str, str], float] = defaultdict(float)
        for sentence, places in zip(self._sentences, tagged, strict=True):
            for (start, end, kind), likely in places.items():
                total[sentence[start:end], kind] += likely
        for sentence, edges, places in zip(self._sentences, self._edges, tagged, strict=True):
            for place in edges:
                start, end, kind = place
                text = sentence[start:end]
                # The tagger knows people best: where the ending tells the type, only its "is a name" counts.
                kinds = TAGGED if has_ending(text, kind) else (kind,)
                here = _log_odds(sum(places.get((start, end, each), 0.0) for each in kinds))
                average = _log_odds(sum(total[text, each] for each in kinds) / occurrences.seen[text])
                edges[place] -= _TAGGED_HERE * here + _TAGGED_ON_AVERAGE * average + _TAGGER_BIAS

    def read(self) -> None:
        """Segment every sentence with the names learnt so far."""
        learnt = Learnt(self._counts)
        counts: PairCounts = Counter()
        self._read, self._strange = [], []
        for sentence, edges, known in zip(self._sentences, self._edges, self._known, strict=True):
            result = read(sentence, learnt.applied(sentence, edges) | known)
            self._read.append(result.found)
            self._strange.append(result.strange)
            counts.update(_named(sentence, result.found))
        self._counts = one_type_each(counts)

    def look_at_strangers(self) -> None:
        """Add repeated strings that form no words, and given names that occur alone, to the candidates."""
        people = self._people.union(
            text
            for (text, kind), times in self._counts.items()
            if kind == "character" and times >= _WELL_KNOWN
        )
        for number, start, end, cost in chain(
            strangers(self._sentences, self._strange), short_forms(self._sentences, people)
        ):
            place = (start, end, "character")
            if self._tagged is not None:
                cost -= _TAGGED_HERE / 2 * _log_odds(self._tagged[number].get(place, 0.0)) + _TAGGER_BIAS
            edges = self._edges[number]
            edges[place] = min(cost, edges.get(place, cost))

    def doubt_longer_names(self) -> None:
        """Raise the cost of candidates that are a far more frequent name plus one character: 林逸道."""
        count: Counter[str] = Counter()
        for (text, _), times in self._counts.items():
            count[text] += times
        doubtful = {
            text
            for text, times in count.items()
            if (text[-1] in AFTER_PERSON and count[text[:-1]] >= _FAR_MORE * times)
            or (text[0] in BEFORE_PERSON and count[text[1:]] >= _FAR_MORE * times)
        }
        for sentence, edges in zip(self._sentences, self._edges, strict=True):
            for place in edges:
                if sentence[place[0] : place[1]] in doubtful:
                    edges[place] += _DOUBT
        for name in [name for name in self._counts if name[0] in doubtful]:
            del self._counts[name]

    def findings(self) -> ChineseFindings:
        """The result, with names and their titles combined."""
        whole = [
            composed(sentence, found) for sentence, found in zip(self._sentences, self._read, strict=True)
        ]
        gains = self._gains()
        counts: PairCounts = Counter()
        for sentence, found in zip(self._sentences, whole, strict=True):
            counts.update(_named(sentence, found))
        names = {
            text: ChineseName(text, kind, count, self._confidence(gains.get(text, ()), count))
            for (text, kind), count in one_type_each(counts).items()
        }
        return ChineseFindings(whole, names)

    def _gains(self) -> dict[str, list[float]]:
        """For each name, how much cheaper each occurrence was than the words it covers."""
        gains: defaultdict[str, list[float]] = defaultdict(list)
        for sentence, found, edges in zip(self._sentences, self._read, self._edges, strict=True):
            for item in found:
                cost = edges.get((item.start, item.end, item.type)) if item.named else None
                if cost is not None:
                    text = sentence[item.start : item.end]
                    gains[text].append(literal_cost(text) - cost)
        return gains

    def _confidence(self, gains: Sequence[float], count: int) -> float:
        gain = sum(gains) / len(gains) if gains else 0.0
        slope = _ODDS_OF_GAIN if self._tagged is None else _ODDS_OF_TAGGED_GAIN
        return 1 / (1 + exp(-(_ODDS + slope * gain + _ODDS_OF_COUNT * log(count))))


def _named(sentence: str, found: list[Read]) -> list[tuple[str, str]]:
    return [(sentence[item.start : item.end], item.type) for item in found if item.named]


def _log_odds(probability: float) -> float:
    probability = min(max(probability, _NEVER_SURE), 1 - _NEVER_SURE)
    return log(probability / (1 - probability))
