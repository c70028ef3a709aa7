"""The pages of the site are those of the project, and every link holds where they are gathered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from scripts.site import FOLDERS, gather

from test_docs import HAN, LINK, ROOT, anchors, text_of, without_fences


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site") / "pages"
    assert gather(target) > 100
    return target


def test_every_page_is_gathered(site: Path) -> None:
    gathered = {page.relative_to(site) for page in site.rglob("*.md")}
    own = {page.relative_to(ROOT) for page in ROOT.glob("*.md")}
    own |= {page.relative_to(ROOT) for folder in FOLDERS for page in (ROOT / folder).rglob("*.md")}
    assert gathered >= own - {Path("docs/README.zh.md")} | {Path("README.zh.md")}
    assert Path("docs/README.zh.md") not in gathered


def test_links_between_pages_hold_where_they_are_gathered(site: Path) -> None:
    seen = 0
    for page in site.rglob("*.md"):
        for link in LINK.findall(without_fences(text_of(page))):
            path, _, fragment = link.partition("#")
            if re.match(r"[a-z]+:", link) or not path.endswith(".md"):
                continue
            target = page.parent / path
            assert target.is_file(), f"{page.relative_to(site)}: {link}"
            assert not fragment or fragment in anchors(target), f"{page.relative_to(site)}: {link}"
            seen += 1
    assert seen > 500


def test_pictures_come_along(site: Path) -> None:
    for name in ("README.md", "README.zh.md"):
        pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text_of(site / name))
        assert pictures
        assert all((site / picture).is_file() for picture in pictures)


def test_the_first_pages_are_there_in_both_languages(site: Path) -> None:
    said = re.sub(r"!!python\S+", "", text_of(ROOT / "mkdocs.yml"))
    for row in yaml.safe_load(said)["nav"]:
        (page,) = row.values()
        assert (site / page).is_file()
        if "for_" in page or page == "README.md":
            chinese = site / page.replace(".md", ".zh.md")
            assert HAN.search(text_of(chinese)), page
