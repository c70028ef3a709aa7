"""The house keeps its own rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import fabula

SOURCE = Path(fabula.__file__).parent
TESTS = Path(__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "base", "misc"}


def place(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def read(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_walk_sees_the_house() -> None:
    assert {"memory.py", "store/tables.py", "config.py"} <= set(map(place, MODULES))


def test_no_file_is_longer_than_400_lines() -> None:
    files = [*MODULES, *TESTS.rglob("*.py")]
    assert [file.name for file in files if len(file.read_text("utf-8").splitlines()) > 400] == []


def test_every_module_has_a_name_that_says_what_is_in_it() -> None:
    parts = {part for path in MODULES for part in path.relative_to(SOURCE).with_suffix("").parts}
    assert not parts & VAGUE


def test_only_config_reads_the_environment() -> None:
    readers = set()
    for path in MODULES:
        tree = read(path)
        attributes = {
            f"{node.value.id}.{node.attr}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        }
        if {"os.environ", "os.getenv", "os.environb"} & (attributes | set(imported(tree))):
            readers.add(place(path))
    assert readers == {"config.py"}


def test_only_the_store_knows_sql() -> None:
    knowing = {
        place(path).split("/")[0]
        for path in MODULES
        for name in imported(read(path))
        if name.split(".")[0] in {"sqlalchemy", "alembic", "sqlite3"}
    }
    assert knowing == {"store"}
