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


def _public_types(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
            is_variable = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "TypeVar"
            if target.id[0].isupper() and not target.id.isupper() and not is_variable:
                yield target.id


def test_no_public_type_name_is_defined_twice() -> None:
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        for name in _public_types(read(path)):
            homes.setdefault(name, []).append(place(path))
    twice = {name: at for name, at in homes.items() if len(at) > 1 and not name.startswith("_")}
    assert twice == {}


def test_types_are_not_borrowed_behind_the_linters_back() -> None:
    """The import rules do not see what is imported for type checking only."""
    borrowed = []
    for path in MODULES:
        room = place(path).split("/")[0].removesuffix(".py")
        for node in ast.walk(read(path)):
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
                others = {name.split(".")[1] for name in imported(node) if name.startswith("fabula.")} - {
                    room,
                    "model",
                }
                borrowed += [f"{place(path)}: {other}" for other in sorted(others)]
    assert borrowed == []
