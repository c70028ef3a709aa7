"""The law of masking: what somebody does not know might as well not exist, on every door."""

from __future__ import annotations

from typing import Any

import pytest
from doors_for_models import WITHOUT_A_MOMENT, answers
from private_story import PrivateStory
from same_answers import plain

from effort import examples
from fabula.memory import Memory
from fabula.model.fact import FactKind, FactRef
from fabula.operations.catalogue import OPERATIONS
from fabula.operations.table import Operation

NOW, LAST = (0, 3), (99, 0)
# An author asks what somebody would give away, or would not be told: it is about what they do not know.
FOR_AUTHORS = frozenset({"knowledge.leaks", "receipt.what_if"})


def _remove(private: PrivateStory, fact: FactRef) -> None:
    if fact.kind is FactKind.ENTITY:
        private.story.entity.delete(id=fact.id)
    elif fact.kind is FactKind.ENTRY:
        private.story.ask("lorebook.entry.delete", entry_id=fact.id)
    elif fact.kind is FactKind.RELATION:
        private.story.relation.delete(id=fact.id)
    else:
        private.story.state.delete(id=fact.id)


def _answers(memory: Memory, private: PrivateStory, pov: str) -> list[tuple[str, Any]]:
    names = [one.name for one in private.people]
    said = answers(memory, private.id, names, f"Who is {names[1]}, and what is here?", NOW, pov=pov)
    return [(door, plain(answer)) for door, answer in said]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 1 + examples(12)))
def test_what_somebody_does_not_know_might_as_well_not_exist(memory: Memory, seed: int) -> None:
    private = PrivateStory(memory, seed, speaks_of_it=False)
    knower = private.people[0]
    never, yet = private.unknown_to(knower, LAST), private.unknown_to(knower, NOW)
    before = _answers(memory, private, knower.name)
    for fact in never:
        if fact in yet:
            _remove(private, fact)
    for (door, said), (_, again) in zip(before, _answers(memory, private, knower.name), strict=True):
        assert again == said, f"seed {seed}, {door}"
    for fact in yet:
        if fact not in never:
            _remove(private, fact)
    for (door, said), (_, again) in zip(before, _answers(memory, private, knower.name), strict=True):
        if door not in WITHOUT_A_MOMENT and door != "preview":
            assert again == said, f"seed {seed}, {door}, now"


@pytest.mark.long
def test_every_operation_with_a_point_of_view_is_asked(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()
    parse = Operation.parse

    def noted(self: Operation[Any, Any], payload: Any) -> Any:
        asked.add(self.name)
        return parse(self, payload)

    private = PrivateStory(memory, 1)
    monkeypatch.setattr(Operation, "parse", noted)
    _answers(memory, private, private.people[0].name)
    takes_one = {
        name
        for name, one in OPERATIONS.items()
        if "pov" in one.request.model_fields or (one.audience == "model" and not one.writes)
    }
    assert takes_one - asked == FOR_AUTHORS
