"""The manifest as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from requirements import DOCUMENTS
from requirements.claims import TESTS, Claims, claims_of_page, claims_of_tests
from requirements.requirement import Requirement

PAGE = TESTS.parent / "docs" / "requirements.md"
DECISIONS = TESTS.parent / "docs" / "decisions"

_ABOUT = {
    "KG": "entities, relations and questions about them",
    "LEVEL": "whether a model is told of an entity",
    "ENGRAM": "events that join people, a text beside every structure, retrieval in four stages",
    "BUNDLE": "types of one's own, files of knowledge, and agents",
    "MEMORY": "lorebook, snapshots, extraction, graph, contexts, REST, the page, prompts",
}
_OPENING = """\
# What is asked for, and the tests that show it

Fabula joins five documents. Every requirement of theirs has a row here: its id, its place in the document
(section and lines), what is asked for in our own words, and the tests that show it. Where something else was
built, the last column says what, and which [decision](decisions/README.md) says why; it also says what is
still to come.

`make requirements` makes this page from `tests/requirements/`. A test compares the two, and fails for a row
without a test and for a test without a row. Tests are named as pytest does, below `tests/`; those of the page
by their file in [web/browser/](../web/browser/README.md) and their title.
"""
_HEAD = "| id | place | what is asked for | shown by | otherwise |\n|---|---|---|---|---|"


def decision_page(number: str) -> Path | None:
    """The page of a decision, if there is one of this number."""
    return next(iter(DECISIONS.glob(f"{number}-*.md")), None)


def requirements_page() -> str:
    """The whole page."""
    return "\n".join(_parts(claims_of_tests(), claims_of_page()))


def _parts(tests: Claims, page: Claims) -> Iterator[str]:
    yield _OPENING
    yield from ("| document | about | requirements |", "|---|---|---|")
    for name, rows in DOCUMENTS.items():
        yield f"| [{name}](#{name.lower()}) | {_ABOUT[name]} | {len(rows)} |"
    for name, rows in DOCUMENTS.items():
        yield f"\n## {name}\n\n{_HEAD}"
        for one in rows:
            yield _row(one, tests.get(one.id, []), page.get(one.id, []))
    yield ""


def _row(one: Requirement, tests: list[str], page: list[str]) -> str:
    asked = " ".join(filter(None, (one.says, f"On the page: {one.page}." if one.page else "")))
    shown = "<br>".join([f"`{test}`" for test in tests] + [_text(title) for title in page])
    cells = (f"`{one.id}`", f"{one.section}<br>{one.lines}", _text(asked), shown, _otherwise(one))
    return f"| {' | '.join(cells)} |"


def _otherwise(one: Requirement) -> str:
    if one.later:
        return f"Still to come. {_text(one.later)}"
    found = decision_page(one.decision) if one.decision else None
    return f"{_text(one.instead)} [{one.decision}](decisions/{found.name})" if found else ""


def _text(words: str) -> str:
    return words.replace("|", "\\|").replace("<", "&lt;")
