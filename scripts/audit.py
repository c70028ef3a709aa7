"""Known weaknesses of the packages: asks PyPI and npm, and says which of them could not be asked.

`python -m scripts.audit`, in the environment that has `pip-audit`; ends with 1 for weaknesses, with 2 if a
registry gave no answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_PYTHON = (
    *(sys.executable, "-m", "pip_audit", "--requirement", "requirements.lock", "--require-hashes"),
    *("--disable-pip", "--format", "json", "--progress-spinner", "off"),
)
_NPM = ("npm", "audit", "--omit=dev", "--json")


class Answer(NamedTuple):
    """What a registry said: weaknesses in words, or why it could not be asked about some or all packages."""

    registry: str
    weaknesses: tuple[str, ...] = ()
    unasked: str = ""


def python_answer(out: str, trouble: str) -> Answer:
    """Read what `pip-audit` printed."""
    try:
        packages = json.loads(out)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Answer("PyPI", unasked=_last(trouble) or "no answer")
    weak = tuple(
        f"{one['name']} {one['version']}: {found['id']}" for one in packages for found in one.get("vulns", ())
    )
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    unasked = (
        f"it does not know {len(skipped)} of {len(packages)} packages, such as {skipped[0]}"
        if skipped
        else ""
    )
    return Answer("PyPI", weak, unasked)


def npm_answer(out: str, trouble: str) -> Answer:
    """Read what `npm audit` printed."""
    try:
        found = json.loads(out)["vulnerabilities"]
    except (ValueError, KeyError, TypeError):
        return Answer("npm", unasked=_reason(out) or _last(trouble) or "no answer")
    return Answer("npm", tuple(f"{name}: {one['severity']}" for name, one in sorted(found.items())))


def report(answers: Sequence[Answer]) -> tuple[str, int]:
    """Say it in lines, and the number to end with."""
    lines = []
    for registry, weaknesses, unasked in answers:
        lines += [f"{registry}: {weakness}" for weakness in weaknesses]
        if unasked:
            lines.append(f"{registry} could not be asked: {unasked}. This says nothing about weaknesses.")
        elif not weaknesses:
            lines.append(f"{registry}: no weakness is known.")
    is_weak = any(answer.weaknesses for answer in answers)
    return "\n".join(lines), 1 if is_weak else 2 if any(answer.unasked for answer in answers) else 0


def _reason(out: str) -> str:
    try:
        said = json.loads(out)
    except ValueError:
        return ""
    return str(said.get("message") or (said.get("error") or {}).get("summary") or "").strip()


def _last(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def main() -> int:
    """Ask both registries."""
    answers = []
    for command, folder, read in ((_PYTHON, ROOT, python_answer), (_NPM, ROOT / "web", npm_answer)):
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
        )
        answers.append(read(done.stdout, done.stderr))
    said, code = report(answers)
    print(said)
    return code


if __name__ == "__main__":
    sys.exit(main())
