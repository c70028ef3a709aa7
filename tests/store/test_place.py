"""How a user names a database, and what is shown of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fabula.config import SETTINGS
from fabula.errors import InvalidInput
from fabula.memory import Memory
from fabula.store.place import PostgresPlace, place_of


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
        ("postgresql://u@h:5/d", PostgresPlace("postgresql://u@h:5/d")),
        ("postgres://h/d", PostgresPlace("postgresql://h/d")),
        ("postgresql://u@h:5,i:6/d", PostgresPlace("postgresql://u@h:5,i:6/d")),
    ],
)
def test_a_place_is_a_file_or_an_address(said: str, meant: Path | PostgresPlace) -> None:
    assert place_of(said) == meant


@pytest.mark.parametrize("said", ["mysql://u:geheim@h/d", "postgresql:d", "postgresql+asyncpg://h/d"])
def test_other_engines_are_refused_without_their_password(said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        place_of(said)
    assert "geheim" not in str(refused.value.as_dict())


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:geheim@h/d",
        "postgresql://u:ge%40heim@h/d",
        "postgresql://u:ge@heim@h/d",
        "postgresql://u:ge?heim@h/d",
        "postgresql://u:ge#heim@h/d",
        "postgresql://u:ge/heim@h/d",
        "postgresql://u:geheim@h:5,i:6/d?target_session_attrs=read-write",
        "postgresql://h/d?user=u&password=geheim",
        "postgresql://h/d?sslkey=k&sslpassword=geheim",
    ],
)
def test_no_password_is_shown(url: str) -> None:
    (setting,) = [setting for setting in SETTINGS if setting.name == "db"]
    for shown in (str(place_of(url)), repr(place_of(url)), setting.shown(url)):
        assert "heim" not in shown


def test_hosts_are_shown() -> None:
    shown = str(place_of("postgresql://u:geheim@h:5,i:6/d?target_session_attrs=read-write"))
    assert shown == "postgresql://u:***@h:5,i:6/d?target_session_attrs=read-write"
    assert str(place_of("postgresql://u@h:5,i:6/d")) == "postgresql://u@h:5,i:6/d"


@pytest.mark.parametrize(
    "said", ["postgresql://u:geheim@[h/d", "postgresql://u:geheim@h/d?x", "postgresql://u@h/d?nothing=known"]
)
def test_what_is_no_address_is_refused_without_its_password(said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Memory(said)
    assert "geheim" not in str(refused.value.as_dict())


def test_of_poolers_one_mode_is_named() -> None:
    assert place_of("postgresql://h/d?pooler=transaction") == PostgresPlace(
        "postgresql://h/d?pooler=transaction"
    )
    with pytest.raises(InvalidInput):
        place_of("postgresql://h/d?pooler=statement")


def test_what_is_said_to_us_alone_is_not_said_to_the_driver() -> None:
    for said, conninfo in (
        ("postgresql://u@h/d?pooler=transaction", "postgresql://u@h/d"),
        ("postgresql://u@h/d?pooler=transaction&sslmode=require", "postgresql://u@h/d?sslmode=require"),
        ("postgresql://u@h/d?sslmode=require&pooler=transaction", "postgresql://u@h/d?sslmode=require"),
    ):
        assert (PostgresPlace(said).conninfo, PostgresPlace(said).is_pooled) == (conninfo, True)
    assert not PostgresPlace("postgresql://u@h/d").is_pooled


def test_without_the_driver_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InvalidInput) as refused:
        Memory("postgresql://u@127.0.0.1:1/d")
    assert "fabula[postgresql]" in (refused.value.suggestion or "")


def test_whoever_has_no_home_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users of services have none: the path is not taken for a folder named `~`."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    with pytest.raises(InvalidInput, match="no home folder"):
        place_of("~/novel.db")
    assert place_of("/novel.db") == Path("/novel.db")
