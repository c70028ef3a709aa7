"""The threat model names tests that exist, and the promises of the security page lead somewhere."""

from __future__ import annotations

import re

from test_docs import CODE, DOCS, ROOT, sections, text_of

PAGE = DOCS / "threat_model.md"


def test_every_promise_names_tests_that_exist() -> None:
    rows = [
        line
        for line in sections(PAGE)["Who attacks, and what is promised"].splitlines()
        if line.startswith("| ")
    ]
    assert len(rows) > 6
    for row in rows[1:]:
        shown = [path for path in CODE.findall(row.rsplit("|", 2)[1]) if path.startswith("tests/")]
        assert shown, row
        for path in shown:
            assert (ROOT / path).exists(), path


def test_the_security_page_names_commands_that_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", text_of(ROOT / "Makefile"), re.M))
    named = set(re.findall(r"`make ([\w-]+)`", text_of(ROOT / "SECURITY.md")))
    assert named
    assert named <= targets
