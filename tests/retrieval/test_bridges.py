"""Questions in several steps over a name that is nobody's: it stands in two texts, and joins them."""

from __future__ import annotations

import pytest

from fabula.retrieval.reasons import Retrieved
from fabula.retrieval.retriever import GraphRetriever
from plain_world import PlainWorld, Somebody

WORLD = PlainWorld(
    [
        Somebody("Fist Power", "A film that was shot in Port Royal by a young director."),
        Somebody("The Long Siege", "Port Royal was taken by the English in a long night of rain."),
        Somebody("Nine Bells", "The town of Saltmouth was taken by the English after a week."),
        Somebody("Quiet Harbour", "Port Royal has a quiet harbour and many inns."),
        *(Somebody(f"Inn {number}", f"An inn with {number} rooms and a garden.") for number in range(20)),
    ]
)
QUESTION = "When was the town where Fist Power was made taken by the English?"


def ask(question: str, *forbidden: str) -> Retrieved:
    return GraphRetriever(WORLD).retrieve(question, WORLD.all_but(*forbidden))


def places(found: Retrieved) -> dict[str, int]:
    return {WORLD.people[target.slot].name: nth for nth, target in enumerate(found.targets)}


def test_the_text_with_the_shared_name_and_the_other_words_comes_next() -> None:
    found = ask(QUESTION)
    order = places(found)
    assert order["Fist Power"] == 0
    assert order["The Long Siege"] == 1
    assert order["The Long Siege"] < order.get("Nine Bells", 99)
    (step,) = found.targets[1].path
    assert (step.way, step.asked) == ("bridge", ("Port Royal",))
    assert WORLD.people[step.source].name == "Fist Power"


@pytest.mark.parametrize(
    "said",
    ["The town where Fist Power was made was taken by the English.", QUESTION[:-1] + "? " + "Rain. " * 80],
)
def test_only_a_question_is_asked_again(said: str) -> None:
    assert not any(step.way == "bridge" for target in ask(said).targets for step in target.path)


def test_nothing_leads_over_a_text_that_may_not_be_told() -> None:
    assert "The Long Siege" not in places(ask(QUESTION, "The Long Siege"))
    steps = [step for target in ask(QUESTION, "Fist Power").targets for step in target.path]
    assert not any(step.way == "bridge" for step in steps)


def test_a_word_that_only_begins_a_sentence_is_no_name() -> None:
    world = PlainWorld(
        [Somebody("Ada", "Rain fell on Ada."), Somebody("Bo", "Rain fell when the lamp was lit.")]
    )
    found = GraphRetriever(world).retrieve("When was the lamp of Ada lit?", world.all_but())
    assert not any(step.way == "bridge" for target in found.targets for step in target.path)
