"""Fabula as strangers get it: built, installed without repository and Node, started, and looked at."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from required import missing
from waiting import PATIENCE

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
PAGE = "fabula/static/app/index.html"
BUILDER = ROOT / ".venv/release/bin/python"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sqlite_only(reason="what is installed does not depend on the database"),
]


def environment(folder: Path) -> dict[str, str]:
    """The environment of somebody who has no Node and no repository, in a folder with spaces."""
    home = folder / "a home 家"
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HTTP", "SSL_"))}
    return {**kept, "HOME": str(home), "PATH": "/usr/bin:/bin", "FABULA_LANG": "en"}


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that `make release` makes, and beside it an environment with the wheel."""
    if not BUILDER.exists():
        missing("This test needs what makes releases: make test")
    folder = tmp_path_factory.mktemp("installed 安装")
    options = ["--rehearse", "--into", folder / "release", "--environment", folder / "env"]
    run(BUILDER, "-m", "scripts.release", *options, cwd=ROOT)
    return folder / "release"


@pytest.fixture(scope="module")
def installed(release: Path) -> Path:
    """The program in an environment of its own, with what the lock file says it needs."""
    return release.parent / "env" / "bin" / "fabula"


@contextmanager
def demo(program: Path, folder: Path) -> Iterator[str]:
    """Run the demo, and return its address."""
    command = [str(program), "demo", "--no-browser", "--port", "0"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, cwd=folder, env=environment(folder), text=True, **streams) as running:
        try:
            said = []
            assert running.stdout is not None
            for line in running.stdout:
                said.append(line)
                if found := ADDRESS.search(line):
                    yield found[0]
                    return
            pytest.fail(f"It did not start: {said}")
        finally:
            running.terminate()
            running.communicate(timeout=PATIENCE)


def test_the_page_of_the_demo_is_there_without_node_and_repository(installed: Path, tmp_path: Path) -> None:
    found = [Path("/usr/bin") / name for name in BROWSERS if (Path("/usr/bin") / name).exists()]
    assert found, "This test needs Chromium: make chromium."
    looking = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"]
    with demo(installed, tmp_path) as address:
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        seen = run(found[0], *looking, profile, f"{address}/", cwd=tmp_path)
    assert "The Lamps of Fogharbour" in seen


def test_the_installed_program_looks_after_itself(installed: Path, tmp_path: Path) -> None:
    env = environment(tmp_path)
    run(installed, "story", "new", "Mine", cwd=tmp_path, env=env)
    said = run(installed, "doctor", cwd=tmp_path, env=env)
    assert "fabula.db" in said
    assert (tmp_path / "a home 家" / ".fabula" / "fabula.db").is_file()


def test_the_source_package_builds_the_same_wheel_without_node(release: Path, tmp_path: Path) -> None:
    with tarfile.open(next(release.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    source = next(tmp_path.glob("fabula-*"))
    building = [BUILDER, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again"]
    run(*building, cwd=source, env=environment(tmp_path))
    first, second = (
        zipfile.ZipFile(next(folder.glob("*.whl"))).namelist() for folder in (release, tmp_path / "again")
    )
    assert PAGE in first
    assert sorted(first) == sorted(second)


def test_the_sums_of_a_release_are_right(release: Path) -> None:
    said = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=release)
    checked = {line.partition(":")[0] for line in said.splitlines()}
    assert checked == {path.name for path in release.iterdir()} - {"SHA256SUMS"}


def test_the_list_of_parts_names_all_that_is_installed_and_all_that_the_page_has(release: Path) -> None:
    parts = json.loads(next(release.glob("*.cdx.json")).read_text("utf-8"))
    named = {re.sub(r"[-_.]+", "-", part["name"]).lower() for part in parts["components"]}
    distributions = release.parent.glob("env/lib/python*/site-packages/*.dist-info")
    installed = {re.sub(r"[-_.]+", "-", one.name.partition("-")[0]).lower() for one in distributions}
    assert installed - {"fabula"} <= named
    page = json.loads((ROOT / "web/package.json").read_text("utf-8"))
    shipped = {re.sub(r"[-_.]+", "-", name).lower() for name in (*page["dependencies"], "swagger-ui-dist")}
    assert shipped <= named
    assert parts["metadata"]["component"]["name"] == "fabula"
    assert str(release.parent) not in json.dumps(parts, ensure_ascii=False)
