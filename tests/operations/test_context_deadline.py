"""The time limit of a context starts when everything that is built once for a story has been built."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabula.errors import QueryTimeout
from fabula.memory import Memory
from fabula.operations.context import AssembleContextRequest, question_about
from postgres import place_at
from still_clock import StillClock


def test_the_first_context_of_a_book_does_not_pay_for_its_index(tmp_path: Path) -> None:
    clock = StillClock()
    with Memory(place_at(tmp_path / "fabula.db"), clock=clock) as memory:
        story = memory.story("Lamps", language="en")
        for chapter in range(3):
            story.scene(chapter, 0, "Mara Venn lit the lamp of the tower. Fog came in.")
        call = memory.call()
        with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
            assert not index.manuscript.is_built
        built: list[tuple[bool, bool]] = []

        def monotonic() -> float:
            built.append((index.manuscript.is_built, index.appearances.is_current))
            return 0.0

        clock.monotonic = monotonic
        asked = AssembleContextRequest(project_id=story.id, chapter=2, scene=0)
        with question_about(call, asked):
            pass
        assert built
        assert set(built) == {(True, True)}


def test_a_context_that_takes_too_long_says_what_helps(tmp_path: Path) -> None:
    clock = StillClock()
    with Memory(place_at(tmp_path / "fabula.db"), clock=clock) as memory:
        story = memory.story("Lamps", language="en")
        asked = AssembleContextRequest(project_id=story.id, chapter=0, scene=0, text="Fog.")
        # Each look at this clock is an hour later than the last.
        hours = iter(range(0, 3_600_000, 3_600))
        clock.monotonic = lambda: float(next(hours))
        with (
            pytest.raises(QueryTimeout, match="longer than 10000 ms") as refused,
            question_about(memory.call(), asked) as question,
        ):
            question.view.check_time()
        assert "Try again" in (refused.value.suggestion or "")
