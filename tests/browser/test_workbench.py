"""The workbench in a real browser, against a real server: the specifications are in `web/browser/`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from doors import FABULA, environment, serving
from required import missing
from tenants import requiring_tokens

WEB = Path(__file__).parents[2] / "web"
# The one without windows takes half the time of the processor.
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
ACCOUNTS = "accounts.spec.ts"
SPECS = sorted({path.name for path in (WEB / "browser").glob("*.spec.ts")} - {ACCOUNTS})
# These wait for the jobs that follow a save; the others are to find only what they wrote.
AFTER_SAVING = {"checks.spec.ts", "world-time.spec.ts"}
PATIENCE_S = 1_800

pytestmark = pytest.mark.slow


@pytest.fixture
def browser() -> str:
    """Where the browser is; without one the test fails under `make test`, else it is skipped."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        missing(f"none of {', '.join(BROWSERS)} is installed: make chromium")
    return found


def run(spec: str, shots: Path, **settings: str) -> None:
    """Run one file of specifications; what it says is shown if it fails."""
    done = subprocess.run(
        ["node", "node_modules/@playwright/test/cli.js", "test", spec],
        cwd=WEB,
        env=environment(**settings, FABULA_SHOTS=str(shots), FABULA_COMMAND=FABULA),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2_000:]


@pytest.mark.parametrize("spec", SPECS)
def test_the_page_does_what_its_specification_says(spec: str, browser: str, tmp_path: Path) -> None:
    after_saving = "on" if spec in AFTER_SAVING else "off"
    with serving(tmp_path, FABULA_WORK_AFTER_SAVING=after_saving) as server:
        run(spec, tmp_path / "shots", FABULA_URL=server.url, CHROMIUM=browser)


def test_who_has_an_account_signs_in(browser: str, tmp_path: Path) -> None:
    with requiring_tokens(tmp_path) as house:
        token = house.token("writer")
        url = house.server.url
        run(ACCOUNTS, tmp_path / "shots", FABULA_URL=url, CHROMIUM=browser, FABULA_TOKEN=token)
