"""Which version the files of the project name, and whether they agree."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

UNRELEASED = "## [Unreleased]"
_OWN = re.compile(r'^__version__ = "(.+)"$', re.M)
_FORM = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
_NEXT_SECTION = re.compile(r"^## \[", re.M)


class Refused(Exception):
    """Why there is no release."""


def version_of(root: Path) -> str:
    """Return the version of the package."""
    found = _OWN.search((root / "src/fabula/__init__.py").read_text("utf-8"))
    if found is None:
        raise Refused("src/fabula/__init__.py names no version.")
    return found[1]


def set_version(root: Path, version: str, day: str) -> None:
    """Write a version into the package, the page and the changelog."""
    if not _FORM.fullmatch(version):
        raise Refused(f"'{version}' is no version; an example: 0.2.0")
    package = root / "src/fabula/__init__.py"
    package.write_text(_OWN.sub(f'__version__ = "{version}"', package.read_text("utf-8")), "utf-8")
    for name, times in (("package.json", 1), ("package-lock.json", 2)):
        page = root / "web" / name
        said = re.sub(r'"version": "[^"]+"', f'"version": "{version}"', page.read_text("utf-8"), count=times)
        page.write_text(said, "utf-8")
    changelog = root / "CHANGELOG.md"
    changelog.write_text(with_section(changelog.read_text("utf-8"), version, day), "utf-8")


def with_section(changelog: str, version: str, day: str) -> str:
    """Return the changelog with what is unreleased under a version; unchanged if it has a section."""
    if section_of(changelog, version) is not None:
        return changelog
    if not _body(changelog, UNRELEASED):
        raise Refused("The changelog tells of nothing that is not released yet.")
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n\n## [{version}] - {day}", 1)


def section_of(changelog: str, version: str) -> str | None:
    """Return what the changelog tells of a version."""
    return _body(changelog, f"## [{version}] - ")


def _body(changelog: str, heading: str) -> str | None:
    _, found, rest = changelog.partition(f"\n{heading}")
    if not found:
        return None
    rest = rest.partition("\n")[2]
    ends = _NEXT_SECTION.search(rest)
    return rest[: ends.start() if ends else None].strip()


def disagreements(root: Path, version: str) -> list[str]:
    """Return every place that names another version than the package, and what else is in the way."""
    found = []
    page = json.loads((root / "web/package.json").read_text("utf-8"))["version"]
    lock = json.loads((root / "web/package-lock.json").read_text("utf-8"))
    openapi = json.loads((root / "schemas/openapi.json").read_text("utf-8"))["info"]["version"]
    named = {
        "web/package.json": page,
        "web/package-lock.json": lock["version"],
        "web/package-lock.json, its first package": lock["packages"][""]["version"],
        "schemas/openapi.json": openapi,
    }
    found += [
        f"{place} says {said}, the package {version}." for place, said in named.items() if said != version
    ]
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    if not section_of(changelog, version):
        found.append(f"CHANGELOG.md has no section for {version}: make release VERSION={version}")
    elif not changelog.partition("\n## [" + version)[0].rstrip().endswith(UNRELEASED):
        found.append(f"CHANGELOG.md tells of changes, or of versions, above {version}.")
    return found + _of_git(root, version)


def _of_git(root: Path, version: str) -> list[str]:
    """Return what speaks against the commit that is released; a tag may be missing, not wrong."""
    found = []
    if _git(root, "status", "--porcelain"):
        found.append("There are changes that are not committed.")
    here = set(_git(root, "tag", "--points-at", "HEAD").split())
    others = [tag for tag in here if re.match(r"v\d", tag) and tag != f"v{version}"]
    found += [f"This commit is tagged {tag}, the package says {version}." for tag in others]
    if f"v{version}" in set(_git(root, "tag", "--list").split()) - here:
        found.append(f"v{version} is the tag of another commit.")
    return found


def is_tagged(root: Path, version: str) -> bool:
    """Whether this commit has the tag of the version."""
    return f"v{version}" in _git(root, "tag", "--points-at", "HEAD").split()


def moment_of(root: Path) -> str:
    """Return the moment of the commit, in seconds, so that the same commit gives the same files."""
    return _git(root, "log", "-1", "--format=%ct")


def _git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()
