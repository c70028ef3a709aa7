"""`fabula user` and `fabula story share`: accounts, tokens, and a server that asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from doors import Running, fabula, popen, rows, serving

Run = Callable[..., Any]
DB = ("--db", "fabula.db")
SECRET = re.compile(r"^fab_[\w-]{43}\n$")


def _run(folder: Path, *arguments: str, **settings: str) -> str:
    done = fabula(*arguments, *DB, cwd=folder, **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _token(folder: Path, name: str, *options: str) -> str:
    said = _run(folder, "user", "token", name, *options)
    assert SECRET.match(said), "the token stands alone on stdout, so that a script can keep it"
    return said.strip()


@pytest.mark.slow
def test_users_and_tokens_are_made_listed_and_revoked(tmp_path: Path) -> None:
    assert "fabula user add" in _run(tmp_path, "user", "list")
    assert "lin" in _run(tmp_path, "user", "add", "lin")
    _run(tmp_path, "user", "add", "苏晚")
    first, second = _token(tmp_path, "lin"), _token(tmp_path, "lin", "--label", "old laptop")
    listed = _run(tmp_path, "user", "list", COLUMNS="160")
    kept = rows(tmp_path / "fabula.db", "SELECT id FROM user_tokens ORDER BY created_at")
    assert all(token_id in listed for token_id in kept)
    assert "old laptop" in listed
    assert "苏晚" in listed
    assert first not in listed
    assert second not in listed
    assert "1" in _run(tmp_path, "user", "revoke", "lin", kept[0])
    assert rows(tmp_path / "fabula.db", "SELECT id FROM user_tokens") == kept[1:]
    _run(tmp_path, "user", "revoke", "lin")
    assert rows(tmp_path / "fabula.db", "SELECT id FROM user_tokens") == []


def test_the_token_is_in_no_file(run: Run, tmp_path: Path) -> None:
    run("user", "add", "lin", *DB)
    said = run("user", "token", "lin", *DB).out
    assert SECRET.match(said)
    secret = said.strip()
    assert not any(secret.encode() in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("user", "add", "lin"), "CONFLICT"),
        (("user", "add", "two words"), "VALIDATION_ERROR"),
        (("user", "token", "nobody"), "NOT_FOUND"),
        (("user", "token", "lin", "--label", " "), "VALIDATION_ERROR"),
        (("user", "revoke", "nobody"), "NOT_FOUND"),
        (("user", "revoke", "lin", "no-such-token"), "NOT_FOUND"),
        (("story", "share", "nowhere", "lin", "owner"), "NOT_FOUND"),
    ],
)
def test_refusals_say_what_to_do(run: Run, arguments: tuple[str, ...], code: str) -> None:
    assert run("user", "add", "lin", *DB).code == 0
    done = run(*arguments, *DB)
    assert done.code == 1
    assert done.err.startswith(f"{code}: ")
    assert "What to do: " in done.err
    assert "Traceback" not in done.err


def test_a_role_that_is_none_is_refused(run: Run) -> None:
    assert run("story", "share", "s", "lin", "king", *DB).code == 2


@pytest.mark.slow
def test_the_texts_in_chinese(tmp_path: Path) -> None:
    assert "令牌" in fabula("user", "--help", cwd=tmp_path, FABULA_LANG="zh").stdout
    assert "已添加" in _run(tmp_path, "user", "add", "lin", FABULA_LANG="zh")
    done = fabula("user", "token", "lin", *DB, cwd=tmp_path, FABULA_LANG="zh")
    assert "无法再次显示" in done.stderr
    assert SECRET.match(done.stdout)


@pytest.mark.slow
def test_a_story_begun_locally_is_shared_with_a_user_of_the_server(tmp_path: Path) -> None:
    _run(tmp_path, "user", "add", "lin")
    header = {"authorization": f"Bearer {_token(tmp_path, 'lin')}"}
    _run(tmp_path, "story", "new", "海港")
    (story,) = rows(tmp_path / "fabula.db", "SELECT project_id FROM stories")
    with serving(tmp_path, FABULA_AUTH="required") as server:
        address = f"/api/v2/stories/{story}"
        assert server.client.get(address).status_code == 401
        assert server.client.get(address, headers=header).status_code == 403
        assert "reader" in _run(tmp_path, "story", "share", story, "lin", "reader")
        assert server.client.get(address, headers=header).status_code == 200
        assert server.client.patch(address, json={"title": "夜航"}, headers=header).status_code == 403
        _run(tmp_path, "story", "share", story, "lin", "owner")
        assert server.client.delete(address, headers=header).status_code == 200
        _run(tmp_path, "user", "revoke", "lin")
        assert server.client.get("/api/v2/stories", headers=header).status_code == 401


@pytest.mark.slow
def test_with_accounts_a_server_listens_to_the_world(tmp_path: Path) -> None:
    settings = {"FABULA_AUTH": "required"}
    running = Running(popen(["serve", "--host", "0.0.0.0", "--port", "0", *DB], tmp_path, settings))
    try:
        url = running.url.replace("0.0.0.0", "127.0.0.1")
        with httpx.Client(base_url=url, trust_env=False, headers={"host": "novels.example"}) as client:
            assert client.get("/api/v2/health").status_code == 200
            assert client.get("/api/v2/stories").status_code == 401
    finally:
        running.close()


@pytest.mark.slow
def test_the_demo_is_for_this_machine_and_needs_no_account(tmp_path: Path) -> None:
    done = fabula("demo", "--no-browser", "--host", "0.0.0.0", cwd=tmp_path, FABULA_AUTH="required")
    assert done.returncode == 1
    assert "FABULA_AUTH=required" not in done.stderr.split("What to do")[0]


@pytest.mark.parametrize("value", ["yes", "maybe", "1"])
def test_a_value_of_the_setting_that_is_none_is_refused(run: Run, value: str) -> None:
    done = run("user", "list", *DB, FABULA_AUTH=value)
    assert done.code == 1
    assert done.err.startswith("VALIDATION_ERROR: FABULA_AUTH must be one of none, required")
