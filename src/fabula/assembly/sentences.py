"""Tell relations in sentences, grouped by entity and without repetition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fabula.assembly.cutting import shorten
from fabula.assembly.notes import notes_in
from fabula.assembly.phrases import ORDER, SYMMETRIC, Phrase, phrase
from fabula.model.audience import OpenText
from fabula.model.moment import Moment
from fabula.model.relation import Language

_CLAUSES_IN_SENTENCE = 6
_NAMES_IN_CLAUSE = 6
_NOTE_LENGTH = {"zh": 40, "en": 100}
_WORD_LENGTH = 40
_NOTHING = OpenText("")


@dataclass(slots=True)
class RelationCandidate:
    """A relation between two entities and its wording.

    Not frozen: hundreds are created for every context, and frozen ones would take twice as long.
    """

    id: str
    source_id: str
    source_name: OpenText
    target_id: str
    target_name: OpenText
    relation_type: str
    label: OpenText
    description: OpenText = _NOTHING
    properties: Mapping[str, Any] = field(default_factory=dict)
    since: Moment | None = None
    until: Moment | None = None
    score: float = 0.0
    hop_path: tuple[str, ...] = ()
    stale: bool = False
    outdated: bool = False
    says_little: bool = False
    unrevealed: bool = False


class Sentence(NamedTuple):
    """A sentence about one entity, the relations it covers, and their score."""

    text: str
    relation_ids: tuple[str, ...]
    score: float


_End = tuple[str, str]
"""One end of a relation: name and id."""


@dataclass(slots=True)
class _Fact:
    """A statement about `subject`, and every relation that makes it."""

    phrase: Phrase
    order: int
    score: float
    subject: _End
    other: _End
    words: tuple[str, str, str]
    ids: list[str]
    notes: list[str]

    def turn(self) -> None:
        """Swap subject and object."""
        self.subject, self.other = self.other, self.subject
        if self.phrase.side == "turned":
            self.words = (*self.phrase.turned, self.phrase.bracket)


class _Clause(NamedTuple):
    """The part of a sentence that has one verb."""

    score: float
    order: int
    text: str
    facts: Sequence[_Fact]


def sentences(relations: Iterable[RelationCandidate], language: Language) -> list[Sentence]:
    """Return the relations as sentences, grouped by entity, the most relevant entity first."""
    facts = _facts(sorted(relations, key=lambda r: (-r.score, r.id)), language)
    _choose_subjects(facts)
    by_subject: defaultdict[_End, list[_Fact]] = defaultdict(list)
    for fact in facts:
        by_subject[fact.subject].append(fact)
    people = sorted(by_subject.items(), key=lambda item: (-item[1][0].score, item[0]))
    return [sentence for (name, _), own in people for sentence in _said_of(name, own, language)]


def _facts(relations: Sequence[RelationCandidate], language: Language) -> list[_Fact]:
    """Return the statements to make, the most relevant first."""
    words = _own_words(relations)
    facts: dict[tuple[Phrase, _End, _End], _Fact] = {}
    for relation in relations:
        source = (relation.source_name, relation.source_id)
        target = (relation.target_name, relation.target_id)
        word = words.get(relation.id, "")
        said = phrase(relation.relation_type, relation.label, word, language)
        swapped = said.side == "either" and target < source
        key = (said, target, source) if swapped else (said, source, target)
        fact = facts.get(key)
        if fact is None:
            order = ORDER.get(relation.relation_type, len(ORDER))
            fact = facts[key] = _Fact(said, order, relation.score, source, target, said[:3], [], [])
        fact.ids.append(relation.id)
        _take_notes(fact, relation, word, language)
    return list(facts.values())


def _take_notes(fact: _Fact, relation: RelationCandidate, word: str, language: Language) -> None:
    """Add what a relation says besides its type, unless it is already said."""
    said: list[str] = [relation.description] if relation.description else []
    if relation.properties:
        said += notes_in(relation.properties, language)
    for text in said:
        note = _note(text, language)
        is_said = any(note in known for known in (*fact.notes, relation.label, word))
        if note and not is_said:
            fact.notes.append(note)


def _own_words(relations: Sequence[RelationCandidate]) -> dict[str, str]:
    """Return the story's own words for relations; both directions of a symmetric relation share one."""
    words: dict[str, str] = {}
    shared: dict[tuple[str, ...], str] = {}
    for relation in relations:
        word = _word(relation) if relation.properties else ""
        if word:
            words[relation.id] = word
            if relation.relation_type in SYMMETRIC:
                pair = _pair(relation)
                shared[pair] = min(word, shared.get(pair, word))
    if shared:
        for relation in relations:
            if relation.id not in words and relation.relation_type in SYMMETRIC:
                words[relation.id] = shared.get(_pair(relation), "")
    return words


def _pair(relation: RelationCandidate) -> tuple[str, ...]:
    return (relation.relation_type, *sorted((relation.source_id, relation.target_id)))


def _word(relation: RelationCandidate) -> str:
    word = relation.properties.get("relationshipType")
    return shorten(" ".join(word.split()), _WORD_LENGTH) if isinstance(word, str) else ""


def _choose_subjects(facts: Sequence[_Fact]) -> None:
    """Choose as subject of each reversible statement the entity about which there is more to say."""
    weight: Counter[_End] = Counter(fact.subject for fact in facts)
    free = [fact for fact in facts if fact.phrase.side != "source"]
    weight.update(fact.other for fact in free)
    for fact in free:
        if weight[fact.other] > weight[fact.subject]:
            fact.turn()


def _said_of(name: str, facts: Sequence[_Fact], language: Language) -> list[Sentence]:
    clauses = _clauses(facts, language)
    if len(clauses) == 1:  # the common case: nothing to sort
        ids = tuple(id for fact in clauses[0].facts for id in fact.ids)
        return [Sentence(_joined(name, [clauses[0].text], language), ids, clauses[0].score)]
    clauses.sort(key=lambda c: (-c.score, c.order, c.text))
    said = []
    for start in range(0, len(clauses), _CLAUSES_IN_SENTENCE):
        chosen = clauses[start : start + _CLAUSES_IN_SENTENCE]
        score = chosen[0].score
        chosen.sort(key=lambda c: (c.order, c.text))
        ids = tuple(id for clause in chosen for fact in clause.facts for id in fact.ids)
        said.append(Sentence(_joined(name, [clause.text for clause in chosen], language), ids, score))
    return said


def _clauses(facts: Sequence[_Fact], language: Language) -> list[_Clause]:
    same: defaultdict[tuple[str, str, str], list[_Fact]] = defaultdict(list)
    for fact in facts:
        same[fact.words].append(fact)
    clauses = []
    for (before, after, bracket), group in same.items():
        if len(group) > 1:
            group.sort(key=lambda fact: (-fact.score, fact.other))
        for start in range(0, len(group), _NAMES_IN_CLAUSE):
            part = group[start : start + _NAMES_IN_CLAUSE]
            names, tail = _objects(part, bracket, language)
            clauses.append(_Clause(part[0].score, part[0].order, before + names + after + tail, part))
    return clauses


def _objects(facts: Sequence[_Fact], bracket: str, language: Language) -> tuple[str, str]:
    """Return the names and the bracketed text after the clause; notes on one of several names follow it."""
    common = [bracket] if bracket else []
    if len(facts) == 1:
        return facts[0].other[0], _bracketed(common + facts[0].notes, language)
    names = [fact.other[0] + _bracketed(fact.notes, language) for fact in facts]
    return _listed(names, language), _bracketed(common, language)


def _listed(names: Sequence[str], language: Language) -> str:
    if language == "zh":
        return "、".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _bracketed(notes: Sequence[str], language: Language) -> str:
    if not notes:
        return ""
    return f"（{'；'.join(notes)}）" if language == "zh" else f" ({'; '.join(notes)})"


def _joined(name: str, clauses: Sequence[str], language: Language) -> str:
    if language == "zh":
        return f"{name}{'，'.join(clauses)}。"
    if len(clauses) == 1:
        said = clauses[0]
    elif any(" and " in clause or ", " in clause for clause in clauses):
        said = "; ".join(clauses)
    else:
        said = f"{', '.join(clauses[:-1])} and {clauses[-1]}"
    return f"{name} {said}" if said.endswith(".") else f"{name} {said}."


def _note(description: str, language: Language) -> str:
    return shorten(" ".join(description.split()).rstrip("。．.；;，,"), _NOTE_LENGTH[language])
