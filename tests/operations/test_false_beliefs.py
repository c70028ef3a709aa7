"""False beliefs, as tests of a theory of mind tell them, are answered by the questions about knowledge."""

from __future__ import annotations

from bench.eval.beliefs import Believers, Claim, Sight
from bench.eval.hi_tom import Item, answer, miss, told_in

from fabula.memory import Memory

STORY = """Ann, Bob and Cid entered the cellar.
The pear is in the red_box.
Ann moved the pear to the blue_jar.
Ann exited the cellar.
Bob moved the pear to the green_bag.
Bob exited the cellar.
Cid exited the cellar.
Ann, Bob and Cid entered the hall.
Cid privately told Ann that the pear is in the black_pot.
Ann privately told Bob that the pear is in the white_urn."""


def test_a_chain_thinks_what_all_of_it_saw_or_what_the_last_was_told(memory: Memory) -> None:
    story = Believers(memory, "pears", told_in(STORY))
    asked = {
        "Where is the pear really?": "green_bag",
        "Where does Ann really think the pear is?": "black_pot",
        "Where does Bob really think the pear is?": "green_bag",
        "Where does Cid really think the pear is?": "green_bag",
        "Where does Bob think Ann thinks the pear is?": "blue_jar",
        "Where does Bob think Cid thinks the pear is?": "green_bag",
        "Where does Ann think Cid thinks the pear is?": "black_pot",
        "Where does Cid think Bob thinks Ann thinks the pear is?": "blue_jar",
    }
    assert {question: answer(story, question) for question in asked} == asked


def test_who_lies_does_not_believe_it(memory: Memory) -> None:
    told = [Sight("key", "well", ("Ann", "Bob")), Claim("key", "loft", "Ann", ("Bob",), frozenset({"Bob"}))]
    story = Believers(memory, "keys", told)
    assert [story.where([name], "key") for name in ("Ann", "Bob")] == ["well", "loft"]
    assert story.where(["Ann", "Bob"], "key") == "loft"


def test_who_comes_in_together_sees_together_what_is_there(memory: Memory) -> None:
    told = f"{STORY}\nAnn and Cid entered the cellar."
    story = Believers(memory, "again", told_in(told))
    asked = {
        "Where does Ann really think the pear is?": "green_bag",
        "Where does Cid think Ann thinks the pear is?": "green_bag",
        "Where does Bob think Ann thinks the pear is?": "blue_jar",
    }
    assert {question: answer(story, question) for question in asked} == asked


def test_an_answer_of_the_set_is_doubted_only_for_a_reason_that_the_set_gives() -> None:
    def why(
        theirs: str, ours: str, *twins: str, question: str = "Where does Bob think Ann thinks the pear is?"
    ) -> str:
        return miss(Item(0, "plain", STORY, question, theirs, frozenset(twins)), ours).why

    assert "never was there" in why("pink_pan", "blue_jar")
    assert "other wording has our answer" in why("green_bag", "blue_jar", "blue_jar")
    assert "saw the pear moved from there to the blue_jar" in why("red_box", "blue_jar")
    assert "other wording says red_box" in why("green_bag", "blue_jar", "red_box")
    assert why("blue_jar", "green_bag") == ""
    assert why("green_bag", "red_box", question="Where does Cid really think the pear is?") == ""
