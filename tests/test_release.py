"""A release is made only of what agrees: package, page, documents, changelog and tag."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from scripts.release.packages import SUMS, sum_up
from scripts.release.parts import joined
from scripts.release.versions import (
    Refused,
    disagreements,
    section_of,
    set_version,
    version_of,
    with_section,
)

from test_docs import ROOT

CHANGELOG = (
    "# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A lamp.\n\n## [0.1.0] - 2026-01-01\n\n- Began.\n"
)


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files of a project that name its version, committed."""
    files = {
        "src/fabula/__init__.py": '__version__ = "0.1.0"\n',
        "web/package.json": '{"name": "web", "version": "0.1.0"}',
        "web/package-lock.json": '{"version": "0.1.0", "packages": '
        '{"": {"version": "0.1.0"}, "a": {"version": "9"}}}',
        "schemas/openapi.json": '{"info": {"version": "0.1.0"}}',
        "CHANGELOG.md": CHANGELOG,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    git(tmp_path, "init", "--quiet")
    keep(tmp_path)
    return tmp_path


def keep(project: Path) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "all")


def released(project: Path) -> Path:
    """The same, as it is after `make release VERSION=0.2.0` and a commit."""
    set_version(project, "0.2.0", "2026-11-18")
    (project / "schemas/openapi.json").write_text('{"info": {"version": "0.2.0"}}', "utf-8")
    keep(project)
    return project


def test_what_is_unreleased_becomes_the_section_of_a_version() -> None:
    changed = with_section(CHANGELOG, "0.2.0", "2026-11-18")
    assert "## [Unreleased]\n\n## [0.2.0] - 2026-11-18\n\n### Fixed\n\n- A lamp.\n" in changed
    assert section_of(changed, "0.2.0") == "### Fixed\n\n- A lamp."
    assert section_of(changed, "0.1.0") == "- Began."
    assert with_section(changed, "0.2.0", "2027-01-01") == changed


def test_there_is_no_version_without_changes() -> None:
    changed = with_section(CHANGELOG, "0.2.0", "2026-11-18")
    with pytest.raises(Refused, match="nothing"):
        with_section(changed, "0.3.0", "2026-11-19")


def test_a_version_stands_in_every_file(project: Path) -> None:
    released(project)
    assert version_of(project) == "0.2.0"
    lock = json.loads((project / "web/package-lock.json").read_text("utf-8"))
    assert lock["packages"] == {"": {"version": "0.2.0"}, "a": {"version": "9"}}
    assert disagreements(project, "0.2.0") == []
    git(project, "tag", "v0.2.0")
    assert disagreements(project, "0.2.0") == []


@pytest.mark.parametrize("version", ["", "1", "0.2", "v0.2.0", "0.2.0\n__import__"])
def test_what_is_no_version_is_written_nowhere(project: Path, version: str) -> None:
    with pytest.raises(Refused, match="no version"):
        set_version(project, version, "2026-11-18")
    assert version_of(project) == "0.1.0"


@pytest.mark.parametrize(
    "name", ["web/package.json", "web/package-lock.json", "schemas/openapi.json", "src/fabula/__init__.py"]
)
def test_a_file_of_another_version_is_found(project: Path, name: str) -> None:
    file = released(project) / name
    file.write_text(file.read_text("utf-8").replace("0.2.0", "0.9.0"), "utf-8")
    keep(project)
    found = disagreements(project, version_of(project))
    assert found
    assert all("0.9.0" in one for one in found)


def test_changes_after_the_version_and_uncommitted_ones_are_found(project: Path) -> None:
    changelog = released(project) / "CHANGELOG.md"
    changelog.write_text(changelog.read_text("utf-8").replace("sed]\n", "sed]\n\n- More.\n", 1), "utf-8")
    assert disagreements(project, "0.2.0") == [
        "CHANGELOG.md tells of changes, or of versions, above 0.2.0.",
        "There are changes that are not committed.",
    ]


def test_tags_that_are_wrong_are_found(project: Path) -> None:
    released(project)
    git(project, "tag", "v0.3.0")
    assert disagreements(project, "0.2.0") == ["This commit is tagged v0.3.0, the package says 0.2.0."]
    git(project, "tag", "--delete", "v0.3.0")
    git(project, "tag", "v0.2.0", "HEAD~1")
    assert disagreements(project, "0.2.0") == ["v0.2.0 is the tag of another commit."]


def test_everybody_can_check_the_sums(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_text("a")
    (tmp_path / "b.tar.gz").write_text("b")
    assert sum_up(tmp_path).name == SUMS
    check = ["sha256sum", "--check", "--strict", SUMS]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / "a.whl").write_text("b")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_a_list_of_parts_has_those_of_the_page_below_the_package() -> None:
    page = {
        "metadata": {"component": {"bom-ref": "web@1", "name": "web"}},
        "components": [{"bom-ref": "react@1", "name": "react"}],
        "dependencies": [{"ref": "web@1", "dependsOn": ["react@1"]}, {"ref": "react@1", "dependsOn": []}],
    }
    own = {"bom-ref": "fabula==1", "name": "fabula", "externalReferences": [{"url": "file:///here"}]}
    python = {
        "metadata": {},
        "components": [own, {"bom-ref": "numpy==2", "name": "numpy"}],
        "dependencies": [{"ref": "fabula==1", "dependsOn": ["numpy==2"]}, {"ref": "numpy==2"}],
    }
    both = joined(python, page)
    assert [part["name"] for part in both["components"]] == ["numpy", "react", "web"]
    assert both["metadata"]["component"] == {"bom-ref": "fabula==1", "name": "fabula", "type": "application"}
    needs = {row["ref"]: row.get("dependsOn", []) for row in both["dependencies"]}
    assert needs == {"fabula==1": ["numpy==2", "web@1"], "numpy==2": [], "web@1": ["react@1"], "react@1": []}


def test_the_files_of_this_project_name_one_version() -> None:
    version = version_of(ROOT)
    assert [one for one in disagreements(ROOT, version) if " says " in one and "tagged" not in one] == []
