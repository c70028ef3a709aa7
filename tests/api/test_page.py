"""The page: where it is, what it may do, how long it is kept."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from fabula.api.docs_page import offer_docs
from fabula.api.page import offer_page

SCRIPT = "console.log(1)"


@pytest.fixture
def page(tmp_path: Path) -> TestClient:
    """A small build in a temporary folder."""
    (tmp_path / "app" / "assets").mkdir(parents=True)
    (tmp_path / "app" / "index.html").write_text("<!doctype html><title>Fabula</title>")
    (tmp_path / "app" / "theme.js").write_text(SCRIPT)
    (tmp_path / "app" / "assets" / "index-4fQ2.js").write_text(SCRIPT)
    app = FastAPI()
    offer_page(app, static=tmp_path)
    return TestClient(app, follow_redirects=False)


@pytest.mark.parametrize(
    "path", ["/", "/stories/any", "/stories/any/lorebook?entry=1", "/stories/a/entities/b"]
)
def test_every_address_of_the_page_is_the_page(page: TestClient, path: str) -> None:
    answer = page.get(path)
    assert answer.status_code == 200
    assert "<title>Fabula</title>" in answer.text
    assert answer.headers["cache-control"] == "no-cache"


def test_the_page_may_use_nothing_from_elsewhere_and_no_script_of_its_own(page: TestClient) -> None:
    policy = page.get("/").headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy


def test_only_files_with_a_hash_in_their_name_are_kept(page: TestClient) -> None:
    assert "immutable" in page.get("/static/app/assets/index-4fQ2.js").headers["cache-control"]
    assert page.get("/static/app/theme.js").headers["cache-control"] == "no-cache"
    assert page.get("/static/app/assets/gone.js").status_code == 404


def test_without_a_build_the_way_leads_to_the_documentation(tmp_path: Path) -> None:
    app = FastAPI()
    offer_page(app, static=tmp_path)
    answer = TestClient(app, follow_redirects=False).get("/")
    assert (answer.status_code, answer.headers["location"]) == (307, "/docs")


def test_the_documentation_runs_the_one_script_that_it_holds_and_nothing_from_elsewhere() -> None:
    app = FastAPI(docs_url=None)
    offer_docs(app)
    answer = TestClient(app).get("/docs")
    (script,) = re.findall(r"<script>(.*?)</script>", answer.text, re.S)
    rules = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'self' 'sha256-{allowed}'"
    assert (rules["default-src"], rules["connect-src"]) == ("'none'", "'self'")
    assert rules["frame-ancestors"] == "'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "http" not in re.sub(r"<script>.*?</script>", "", answer.text, flags=re.S)
