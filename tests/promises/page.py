"""The promises as a page of the documentation."""

from __future__ import annotations

from promises import PROMISES
from promises.promise import ROOT, Figure, Promise

PAGE = ROOT / "docs" / "promises.md"

_OPENING = """\
# Promises, and what shows them

Every promise of the [README](../README.md) has a row here: the tests that fail if it is broken, and the last
figure of what can be measured. `make promises` writes this page from `tests/promises/`. A test fails for a
promise without a row, for a row without a promise, and for tests and figures that are not there.
[requirements.md](requirements.md) does the same for every single requirement,
[threat_model.md](threat_model.md) for those who attack.

| promise | shown by | last figure |
|---|---|---|
"""


def promises_page() -> str:
    """The whole page."""
    return _OPENING + "".join(f"{_row(one)}\n" for one in PROMISES)


def _row(one: Promise) -> str:
    tests = "<br>".join(f"`tests/{test}`" for test in one.tests)
    return f"| {one.words.rstrip('.')} | {tests} | {'<br>'.join(map(_figure, one.figures))} |"


def _figure(one: Figure) -> str:
    name = one.file.removeprefix("docs/").rpartition("/")[2]
    link = one.file.removeprefix("docs/") if one.file.startswith("docs/") else f"../{one.file}"
    return f"{one.read()}: {one.says} ([{name}]({link}))"
