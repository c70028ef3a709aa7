"""Stories full of secrets, and everything that every door says to a model: no marked sentence is among it.

Short as a part of the tests; with FAULTS=long until 100,000 answers were looked through.
"""

from __future__ import annotations

import os
import re
from collections import Counter

import pytest
from doors_for_models import WITHOUT_A_MOMENT, answers
from secret_story import NOW, SecretStory

from effort import examples
from fabula.context.audience import ModelView
from fabula.context.redaction import Spans
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from faulty import rounds

ANSWERS = rounds(examples(1_000), 100_000)
FIRST_SEED = int(os.environ.get("FIRST_SEED", "1"))
MARK = re.compile(r"(?:zq|ok)\d{4}")


@pytest.mark.slow
def test_no_marked_sentence_is_in_any_answer(memory: Memory) -> None:
    asked: Counter[str] = Counter()
    told: Counter[str] = Counter()
    seed = FIRST_SEED
    while asked.total() < ANSWERS:
        secret = SecretStory(memory, seed)
        for is_attacked in (False, True):
            if is_attacked:
                secret.attack()
            names = [one.name for one in secret.open]
            for door, said in answers(memory, secret.id, names, "What is here?", NOW):
                asked[door] += 1
                marks = set(MARK.findall(said))
                hidden = secret.hidden_marks | (set() if door in WITHOUT_A_MOMENT else secret.later_marks)
                assert not marks & hidden, f"seed {seed}, {door}, attacked: {is_attacked}: {said}"
                told[door] += len(marks & secret.open_marks)
        delete_story(memory.call(), project_id=secret.id)
        seed += 1
    # Withholding everything would keep every secret, too.
    for door in (
        "context",
        "relevant",
        "retrieve",
        "graph",
        "get_entity",
        "get_recent_scenes",
        "chat",
        "chat context",
    ):
        assert told[door] > asked[door] / 10, f"{door} tells nothing"


def _every_mark(audience: ModelView, text: str) -> Spans:
    return tuple(found.span() for found in MARK.finditer(text))


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + examples(10)))
def test_no_door_tells_a_text_that_was_not_redacted(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Every text of the story has a mark, and here redaction takes out whatever has one."""
    secret = SecretStory(memory, seed)
    monkeypatch.setattr(ModelView, "hidden", _every_mark)
    names = [one.name for one in secret.open]
    spoken = list(answers(memory, secret.id, names, "What is here?", NOW))
    assert {door: said for door, said in spoken if MARK.search(said)} == {}
    assert any(names[0] in said for _, said in spoken)
