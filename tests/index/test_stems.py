"""English words without their endings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.index.stems import stem


@pytest.mark.parametrize(
    "words",
    [
        "marry marries married marrying",
        "threaten threatens threatened threatening",
        "hop hops hopped hopping",
        "hope hopes hoped hoping",
        "daughter daughters",
        "happy happiness",
        "relate relates related relating relation relations relational",
        "connect connected connecting connection connections",
    ],
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


# Of the published examples of the algorithm, at least one for each of its steps.
EXAMPLES = """
    caresses:caress ponies:poni ties:ti caress:caress cats:cat feed:feed agreed:agre plastered:plaster
    bled:bled motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop
    falling:fall hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky conditional:condit
    rational:ration valenci:valenc digitizer:digit radicalli:radic differentli:differ vileli:vile
    operator:oper feudalism:feudal decisiveness:decis hopefulness:hope formaliti:formal
    sensibiliti:sensibl triplicate:triplic formative:form electriciti:electr goodness:good revival:reviv
    allowance:allow inference:infer airliner:airlin adjustable:adjust replacement:replac adoption:adopt
    communism:commun effective:effect probate:probat rate:rate cease:ceas controll:control roll:roll
"""


@pytest.mark.parametrize("example", EXAMPLES.split())
def test_published_examples(example: str) -> None:
    word, expected = example.split(":")
    assert stem(word) == expected


@given(st.text())
def test_a_stem_is_never_longer_and_never_empty(word: str) -> None:
    found = stem(word)
    assert len(found) <= len(word)
    assert bool(found) == bool(word)


def test_other_alphabets_stay_as_they_are() -> None:
    for word in ("青云宗", "дома", "maisonées", "r2d2s", "as"):
        assert stem(word) == word
