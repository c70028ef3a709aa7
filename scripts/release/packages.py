"""Wheel and source package: built, looked into, and summed up."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from email.parser import HeaderParser
from pathlib import Path

from scripts.release.versions import Refused

SUMS = "SHA256SUMS"
PAGE = "fabula/static/app/index.html"


def build(root: Path, target: Path, moment: str) -> tuple[Path, Path]:
    """Build both packages, and return the wheel and the source package."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": moment}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(command, cwd=root, env=environment, check=True, stdout=subprocess.DEVNULL)
    return next(target.glob("*.whl")), next(target.glob("*.tar.gz"))


def look_into(wheel: Path, source: Path, version: str) -> None:
    """Refuse packages of another version, or without the page."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        said = HeaderParser().parsestr(archive.read(about).decode())["Version"]
    if said != version:
        raise Refused(f"The wheel says {said}, the package {version}.")
    with tarfile.open(source) as archive:
        sources = set(archive.getnames())
    if PAGE not in names or f"fabula-{version}/src/{PAGE}" not in sources:
        raise Refused("The packages lack the page: make install")


def sum_up(target: Path) -> Path:
    """Write the checksums of all files of a folder, as `sha256sum --check` reads them."""
    files = sorted(path for path in target.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums = target / SUMS
    sums.write_text("".join(lines), "utf-8")
    return sums
