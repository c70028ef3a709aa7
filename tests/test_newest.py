"""`make newest` asks for every package of the project, and for none with an upper bound."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.requirements import Requirement
from scripts.newest import beyond, requirements, unbounded

from test_docs import ROOT

MANIFEST = """
[project]
dependencies = ["lamp>=1.2,<2", "oil[light]>=3,!=3.4,<4; sys_platform != 'win32'"]
optional-dependencies = {harbour = ["lamp>=1.2,<2", "pier~=5.1"]}

[dependency-groups]
dev = ["wick"]
release = ["press>=1,<2"]
"""


@pytest.fixture
def asked(tmp_path: Path) -> list[Requirement]:
    (tmp_path / "pyproject.toml").write_text(MANIFEST, "utf-8")
    return requirements(tmp_path)


def test_what_runs_and_tests_it_is_asked_for_once(asked: list[Requirement]) -> None:
    assert [one.name for one in asked] == ["lamp", "oil", "pier", "wick"]


def test_lower_bounds_extras_and_markers_stay(asked: list[Requirement]) -> None:
    lines = [unbounded(one) for one in asked]
    assert lines == ["lamp>=1.2", 'oil[light]!=3.4,>=3; sys_platform != "win32"', "pier", "wick"]
    assert [str(Requirement(line).name) for line in lines] == [one.name for one in asked]


def test_only_packages_past_their_bound_are_named(asked: list[Requirement]) -> None:
    assert beyond(asked, {"lamp": "1.9", "oil": "4.0", "wick": "99"}) == [
        f"oil 4.0 is newer than {asked[1].specifier}"
    ]


def test_no_upper_bound_of_the_project_is_left() -> None:
    every = requirements(ROOT)
    assert len(every) > 40
    for one in every:
        assert not [
            bound for bound in Requirement(unbounded(one)).specifier if bound.operator in ("<", "<=", "==")
        ]
