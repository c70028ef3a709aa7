"""How a user names a database, and what is shown of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fabula.config import SETTINGS
from fabula.errors import InvalidInput
from fabula.memory import Memory
from fabula.store.place import Address, place_of


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("a.db", Path("a.db")),
        ("~/a.db", Path.home() / "a.db"),
        ("sqlite:a.db", Path("a.db")),
        ("sqlite:/x/a.db", Path("/x/a.db")),
        ("sqlite:///a.db", Path("a.db")),
        ("sqlite:////x/a.db", Path("/x/a.db")),
        ("C:\\novels\\a.db", Path("C:\\novels\\a.db")),
        ("postgresql://u@h:5/d", Address("postgresql://u@h:5/d")),
        ("postgres://h/d", Address("postgresql://h/d")),
    ],
)
def test_a_place_is_a_file_or_an_address(said: str, meant: Path | Address) -> None:
    assert place_of(said) == meant


@pytest.mark.parametrize("said", ["mysql://u:geheim@h/d", "postgresql:d", "postgresql+asyncpg://h/d"])
def test_other_engines_are_refused_without_their_password(said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        place_of(said)
    assert "geheim" not in str(refused.value.as_dict())


@pytest.mark.parametrize(
    "url",
    ["postgresql://u:geheim@h/d", "postgresql://u:ge%40heim@h/d", "postgresql://h/d?user=u&password=geheim"],
)
def test_no_password_is_shown(url: str) -> None:
    (setting,) = [setting for setting in SETTINGS if setting.name == "db"]
    for shown in (str(place_of(url)), repr(place_of(url)), setting.shown(url)):
        assert "heim" not in shown


def test_without_the_driver_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InvalidInput) as refused:
        Memory("postgresql://u@127.0.0.1:1/d")
    assert "fabula[postgresql]" in (refused.value.suggestion or "")
