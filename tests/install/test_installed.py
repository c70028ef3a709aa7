"""Fabula as strangers get it: built, installed without repository and Node, started, and looked at."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from waiting import PATIENCE

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
PAGE = "fabula/static/app/index.html"

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


def made(folder: Path) -> Path:
    """Make an empty environment, and return its programs."""
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    return folder / "bin"


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that can build packages."""
    programs = made(tmp_path_factory.mktemp("builder") / "env")
    run(programs / "pip", "install", "--quiet", "hatchling>=1.27", cwd=programs)
    return programs / "hatchling"


@pytest.fixture(scope="module")
def packages(builder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source package of this repository."""
    target = tmp_path_factory.mktemp("packages")
    run(builder, "build", "-d", target, cwd=ROOT)
    return target


@pytest.fixture(scope="module")
def installed(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in an environment of its own, with what the lock file says it needs."""
    folder = tmp_path_factory.mktemp("installed 安装")
    pinned = re.findall(r"^([\w.\[\]-]+==[^\\\n]+)", (ROOT / "requirements.lock").read_text(), re.M)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(re.sub(r"\[.*?\]", "", one) for one in pinned))
    programs = made(folder / "env")
    wheel = next(packages.glob("*.whl"))
    run(programs / "pip", "install", "--quiet", "-c", constraints, wheel, cwd=folder)
    return programs / "fabula"


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


def test_the_source_package_builds_the_same_wheel_without_node(
    builder: Path, packages: Path, tmp_path: Path
) -> None:
    with tarfile.open(next(packages.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    source = next(tmp_path.glob("fabula-*"))
    run(builder, "build", "-t", "wheel", "-d", tmp_path / "again", cwd=source, env=environment(tmp_path))
    first, second = (
        zipfile.ZipFile(next(folder.glob("*.whl"))).namelist() for folder in (packages, tmp_path / "again")
    )
    assert PAGE in first
    assert sorted(first) == sorted(second)
