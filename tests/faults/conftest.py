"""What was tried and what held, as a table at the end; short in `make test`, long in `make faults`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from faulty import Tell
from load import hush


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Tell:
    """Note what was tried and what held, for the table at the end."""
    return lambda tried, held: record_property("fault", (tried, held))


@pytest.fixture(autouse=True)
def _nobody_writes_on() -> Iterator[None]:
    yield
    hush()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "faults" in item.path.parts:
            item.add_marker(pytest.mark.faults)
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any) -> None:
    lines = list(_told(terminalreporter))
    if lines:
        terminalreporter.section("faults")
        width = max(len(tried) for tried, _ in lines)
        for tried, held in lines:
            terminalreporter.write_line(f"{tried:<{width}}  {held}")


def _told(terminalreporter: Any) -> Iterator[tuple[str, str]]:
    for outcome in ("passed", "failed", "skipped"):
        for report in terminalreporter.stats.get(outcome, ()):
            if "tests/faults/" not in report.nodeid or (outcome == "passed" and report.when != "call"):
                continue
            for name, value in report.user_properties:
                if name == "fault":
                    yield value[0], value[1]
            if outcome != "passed":
                yield report.nodeid.partition("::")[2], outcome.upper()
