"""`make release`: makes everything that is published, and publishes nothing."""

from __future__ import annotations

import argparse
import datetime
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.release.packages import build, look_into, sum_up
from scripts.release.parts import install, list_parts
from scripts.release.versions import (
    Refused,
    disagreements,
    is_tagged,
    moment_of,
    section_of,
    set_version,
    version_of,
)

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Set the version if one is named; check that all agree; build."""
    parser = argparse.ArgumentParser(prog="python -m scripts.release", description=__doc__)
    parser.add_argument("--version", help="write this version into the project first, and stop there")
    parser.add_argument("--into", type=Path, help="the folder to write to; dist/VERSION if nothing is said")
    parser.add_argument("--environment", type=Path, help="keep the environment with the wheel here")
    parser.add_argument(
        "--rehearse", action="store_true", help="say what is in the way, and build all the same"
    )
    given = parser.parse_args()
    try:
        if given.version:
            return _prepare(given.version)
        return _release(given.into, given.environment, is_rehearsal=given.rehearse)
    except Refused as error:
        print(error, file=sys.stderr)
        return 1


def _prepare(version: str) -> int:
    set_version(ROOT, version, datetime.datetime.now(datetime.UTC).date().isoformat())
    subprocess.run(["make", "--no-print-directory", "schemas"], cwd=ROOT, check=True)
    print(f"The files say {version} now. Look at them, commit them, and run: make release")
    return 0


def _release(into: Path | None, environment: Path | None, *, is_rehearsal: bool) -> int:
    version = version_of(ROOT)
    wrong = disagreements(ROOT, version)
    for one in wrong:
        print(one, file=sys.stderr)
    if wrong and not is_rehearsal:
        return 1
    target = into or ROOT / "dist" / version
    target.mkdir(parents=True, exist_ok=True)
    if left := sorted(path.name for path in target.iterdir()):
        raise Refused(f"{target} is not empty: {', '.join(left)}")
    moment = moment_of(ROOT)
    wheel, source = build(ROOT, target, moment)
    look_into(wheel, source, version)
    with tempfile.TemporaryDirectory(prefix="fabula-release-") as folder:
        there = environment or Path(folder) / "env"
        install(ROOT, wheel, there)
        list_parts(ROOT, there, moment, target / f"fabula-{version}.cdx.json")
    told = section_of((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    (target / "CHANGES.md").write_text(f"# Fabula {version}\n\n{told or 'A rehearsal.'}\n", "utf-8")
    sum_up(target)
    for path in sorted(target.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path.name}")
    if not is_tagged(ROOT, version):
        print(f"Nothing is published. The commit has no tag yet: git tag --sign v{version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
