"""`make newest`: the packages that Fabula uses without their upper bounds, and which are past these today."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
# The groups whose packages run Fabula or its tests; the others have environments and locks of their own.
GROUPS = ("dev",)
_UPPER = ("<", "<=", "~=", "==")


def requirements(project: Path) -> list[Requirement]:
    """Return every package that running and testing Fabula asks for, extras included."""
    manifest = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    own = manifest["project"]
    lines: list[str] = [*own["dependencies"]]
    for extra in own.get("optional-dependencies", {}).values():
        lines += extra
    for group in GROUPS:
        lines += manifest["dependency-groups"][group]
    return [Requirement(line) for line in dict.fromkeys(lines)]


def unbounded(asked: Requirement) -> str:
    """Return a requirement that any later version meets, too."""
    lower = [str(one) for one in asked.specifier if one.operator not in _UPPER]
    extras = f"[{','.join(sorted(asked.extras))}]" if asked.extras else ""
    marker = f"; {asked.marker}" if asked.marker else ""
    return f"{asked.name}{extras}{','.join(sorted(lower))}{marker}"


def beyond(asked: Iterable[Requirement], installed: dict[str, str]) -> list[str]:
    """Return a line for each package whose installed version is past the bound of the project."""
    return [
        f"{one.name} {installed[one.name]} is newer than {one.specifier}"
        for one in asked
        if one.name in installed and not _within(one.specifier, installed[one.name])
    ]


def _within(bounds: SpecifierSet, found: str) -> bool:
    return bounds.contains(found, prereleases=True)


def _installed(asked: Iterable[Requirement]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in asked:
        try:
            found[one.name] = version(one.name)
        except PackageNotFoundError:
            continue
    return found


def main() -> None:
    """Write the requirements without upper bounds, or say which bounds are passed in this environment."""
    parser = argparse.ArgumentParser(prog="python -m scripts.newest", description=__doc__)
    parser.add_argument("--write", type=Path, help="write the requirements to this file, and say nothing")
    given = parser.parse_args()
    asked = requirements(ROOT)
    if given.write:
        given.write.write_text("".join(f"{unbounded(one)}\n" for one in asked), "utf-8")
        return
    passed = beyond(asked, _installed(asked))
    print("\n".join(passed) if passed else "No package is newer than its upper bound.")


if __name__ == "__main__":
    main()
