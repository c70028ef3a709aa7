"""Gather the pages of the documentation, as they lie in the project, for `make site`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Pages, and what lies beside them.
FOLDERS = ("docs", "bench/results")
CHINESE, FIRST_IN_CHINESE = Path("docs/README.zh.md"), Path("README.zh.md")

_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def gather(target: Path) -> int:
    """Copy all pages and what they link to into a folder, and return how many pages there are."""
    shutil.rmtree(target, ignore_errors=True)
    waiting = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
    done: set[Path] = set()
    while waiting:
        page = waiting.pop()
        if page in done:
            continue
        done.add(page)
        own = page.relative_to(ROOT)
        text = page.read_text("utf-8")
        for _, link, _ in _LINK.findall(text):
            led_to = _first_page((page.parent / link).resolve())
            if led_to.suffix == ".md" and led_to.is_file():
                waiting.append(led_to)
            elif led_to.is_file():
                place = target / led_to.relative_to(ROOT)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(led_to, place)
        # The project's first page in Chinese lies among the others, and is the first one of the site.
        place = target / (FIRST_IN_CHINESE if own == CHINESE else own)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(linked(text, own, place.relative_to(target)), "utf-8")
    return len(done)


def linked(text: str, own: Path, place: Path) -> str:
    """Return a page with links that hold from where it is now; folders are linked by their first page."""

    def moved(found: re.Match[str]) -> str:
        if re.match(r"[a-z]+:", found[2]):
            return found[0]
        name = _first_page((ROOT / own.parent / found[2]).resolve()).relative_to(ROOT)
        to = FIRST_IN_CHINESE if name == CHINESE else name
        # The site shows a page in the language of its reader, and offers the other one by itself.
        to = to.with_name(to.name.replace(".zh.md", ".md"))
        up = "../" * len(place.parent.parts)
        return f"{found[1]}{up}{to.as_posix()}{found[3]}"

    return _LINK.sub(moved, text)


def _first_page(path: Path) -> Path:
    """Return the page that tells of a folder, if there is one; else the path itself."""
    return path / "README.md" if (path / "README.md").is_file() else path


if __name__ == "__main__":
    print(f"{gather(Path(sys.argv[1]))} pages")
