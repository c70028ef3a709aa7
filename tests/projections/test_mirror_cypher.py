"""The statements themselves: a closed list, with what is true of a story in parameters only."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import fabula.projections
from fabula.projections import mirror_cypher
from fabula.projections.mirror_cypher import EDGES, LABELS, NODES, RELATION_TYPES

ROOM = Path(fabula.projections.__file__).parent
CYPHER = re.compile(r"\b(MATCH|MERGE|UNWIND|DETACH|CREATE \()")
# MEMORY 3.1.2
SOURCE_LABELS = {"Character", "Location", "Event", "Item", "Concept"}
SOURCE_TYPES = {
    *("KNOWS", "MENTORS", "RIVALS", "LOCATED_AT", "PARTICIPATES_IN", "POSSESSES", "OCCURS_AT"),
    *("FOLLOWS", "BELONGS_TO", "LOCATED_IN"),
}


def statements() -> list[str]:
    found: list[str] = []
    for name, value in vars(mirror_cypher).items():
        if name.isupper() or name.lstrip("_").isupper():
            values = (
                value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]
            )
            found += [text for text in values if isinstance(text, str) and CYPHER.search(text)]
    return found


def test_the_labels_and_types_of_the_source_are_all_there() -> None:
    assert set(LABELS.values()) >= SOURCE_LABELS
    assert set(RELATION_TYPES.values()) >= SOURCE_TYPES
    assert set(NODES) == {*LABELS.values(), "Entity"}
    assert set(EDGES) == {*RELATION_TYPES.values(), "RELATED_TO"}


def test_labels_and_types_are_plain_words() -> None:
    assert all(re.fullmatch(r"[A-Za-z_]+", name) for name in (*NODES, *EDGES))


def test_every_statement_about_a_story_names_it_by_a_parameter() -> None:
    assert len(statements()) > 30
    astray = [
        text
        for text in statements()
        if "$storyId" not in text and "CONSTRAINT" not in text and text != mirror_cypher.POSITIONS
    ]
    assert astray == []


def test_no_value_stands_inside_a_statement() -> None:
    allowed = {"''", "'relation'", "'role'"}
    assert {word for text in statements() for word in re.findall(r"'[^']*'|\"[^\"]*\"", text)} <= allowed


def test_cypher_is_written_in_one_file_and_nowhere_put_together() -> None:
    cypher = re.compile(r"\bMATCH \(|\bMERGE \(|\bUNWIND \$")
    suspects = [file for file in ROOM.parent.rglob("*.py") if cypher.search(file.read_text("utf-8"))]
    assert [file.name for file in suspects] == ["mirror_cypher.py"]
    tree = ast.parse(suspects[0].read_text("utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    # Two statements have a place for words of the closed lists, which is put in when the file is read.
    put_in = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "replace"]
    assert len(put_in) == 2
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]


def test_only_statements_of_the_list_are_run() -> None:
    """Whatever is run is a name of the list, or an item of one of its tables."""
    names = {name for name in vars(mirror_cypher) if name.isupper()}
    for file in sorted(ROOM.glob("mirror*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("run", "Saying"):
                first = node.args[0]
                said = first.value if isinstance(first, ast.Subscript) else first
                assert ast.unparse(said) in names | {"saying.statement", "statement"}, (file, node.lineno)
