"""`fabula distribute`: says what it would do, or why it does nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabula.memory import Memory
from fabula.store.place import PostgresPlace
from postgres import ENGINE, ask, blank_at

Run = Callable[..., Any]
STAND_IN = (Path(__file__).parents[1] / "citus_stand_in.sql").read_text("utf-8")


def test_a_file_is_refused_with_a_way_on(run: Run, tmp_path: Path) -> None:
    done = run("distribute", "--db", "novel.db")
    assert done.code == 1
    assert "Only a PostgreSQL database can be distributed." in done.err
    assert "fabula move" in done.err
    assert not (tmp_path / "novel.db").exists()


@pytest.mark.skipif(ENGINE != "postgresql", reason="needs FABULA_TEST_ENGINE=postgresql")
def test_the_plan_is_shown_then_done_and_then_there_is_nothing_to_do(run: Run, tmp_path: Path) -> None:
    place = blank_at(tmp_path / "blank.db")
    assert isinstance(place, PostgresPlace)
    refused = run("distribute", "--db", place.url)
    assert (refused.code, "has no Citus" in refused.err) == (1, True)
    Memory(place).close()
    ask(place.url, STAND_IN)
    plan = run("distribute", "--plan", "--db", place.url)
    assert "SELECT create_distributed_table('stories', 'project_id', colocate_with => 'none');" in plan.out
    assert "Nothing was changed." in plan.out
    done = run("distribute", "--db", place.url)
    assert "over 2 workers; 0 had been before." in done.out
    assert "stories" in done.err.splitlines()
    assert "are distributed already" in run("distribute", "--db", place.url).out
