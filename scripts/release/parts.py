"""The list of parts (an SBOM in the form of CycloneDX): Python packages, and those inside the page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from scripts.release.versions import Refused

# Copied into the package beside the page, which does not import it.
COPIED = "swagger-ui-dist"
_PINNED = re.compile(r"^([\w.-]+)(?:\[.*?\])?(==[^\\\n]+)", re.M)


def install(root: Path, wheel: Path, environment: Path) -> None:
    """Install the wheel into an environment of its own, with the versions that are tested."""
    venv.create(environment, with_pip=False, clear=True)
    constraints = environment / "constraints.txt"
    pinned = _PINNED.findall((root / "requirements.lock").read_text("utf-8"))
    constraints.write_text("\n".join(f"{name}{version}" for name, version in pinned), "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(environment), "install", "--quiet"]
    subprocess.run([*pip, "--constraint", str(constraints), str(wheel)], check=True)


def list_parts(root: Path, environment: Path, moment: str, file: Path) -> None:
    """Write the list of parts, checked against the schema of its form."""
    of_python = _of_python(environment, moment)
    listed = json.dumps(joined(of_python, _of_page(root)), indent=2, ensure_ascii=False)
    _check(listed)
    file.write_text(f"{listed}\n", "utf-8")


def joined(python: dict[str, Any], page: dict[str, Any]) -> dict[str, Any]:
    """Return one list for the package: what it asks for, and what its page was built from."""
    (own,) = [part for part in python["components"] if part["name"] == "fabula"]
    other = [part for part in python["components"] if part is not own]
    web = page["metadata"]["component"]
    # Where a package was installed from is a folder of whoever made the list.
    own = {key: value for key, value in own.items() if key != "externalReferences"} | {"type": "application"}
    needs = {row["ref"]: row for row in (*python["dependencies"], *page["dependencies"])}
    mine = needs[own["bom-ref"]]
    needs[own["bom-ref"]] = {**mine, "dependsOn": sorted([*mine.get("dependsOn", ()), web["bom-ref"]])}
    return {
        **python,
        "metadata": {**python["metadata"], "component": own},
        "components": sorted([*other, web, *page["components"]], key=lambda part: part["bom-ref"]),
        "dependencies": [needs[ref] for ref in sorted(needs)],
    }


def _of_python(environment: Path, moment: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", str(environment)]
    settings = {**os.environ, "SOURCE_DATE_EPOCH": moment}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


def _of_page(root: Path) -> dict[str, Any]:
    """Return the packages inside the page; npm itself leaves out too many when told to omit some."""
    command = [
        "npm",
        "sbom",
        "--sbom-format",
        "cyclonedx",
        "--sbom-type",
        "application",
        "--package-lock-only",
    ]
    done = subprocess.run(command, cwd=root / "web", capture_output=True, text=True, check=True)
    page = dict(json.loads(done.stdout))
    shipped = [part for part in page["components"] if part["name"] == COPIED or not _is_for_development(part)]
    refs = {page["metadata"]["component"]["bom-ref"], *(part["bom-ref"] for part in shipped)}
    needs = [
        {**row, "dependsOn": [ref for ref in row["dependsOn"] if ref in refs]}
        for row in page["dependencies"]
        if row["ref"] in refs
    ]
    return {**page, "components": shipped, "dependencies": needs}


def _is_for_development(part: dict[str, Any]) -> bool:
    return any(one["name"] == "cdx:npm:package:development" for one in part["properties"])


def _check(listed: str) -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(listed)
    if wrong is not None:
        raise Refused(f"The list of parts is not what CycloneDX asks for: {wrong}")
