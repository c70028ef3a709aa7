"""Where stories are kept: in a SQLite file, or in a PostgreSQL database."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from fabula.errors import InvalidInput

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_POSTGRESQL = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
# Rather too much than too little: whatever may be a password to anybody who reads addresses.
_PASSWORD = re.compile(r"(?<=://)([^/?#@:]*):.*@|(?<=password=)[^&#]*", re.IGNORECASE)
_POOLER = re.compile(r"([?&])pooler=([^&#]*)(&?)")


@dataclass(frozen=True, slots=True)
class PostgresPlace:
    """A PostgreSQL database; shown without its password."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        return without_password(self.url)

    @property
    def is_pooled(self) -> bool:
        """Whether a pooler stands before it that gives each transaction another connection."""
        return _POOLER.search(self.url) is not None

    @property
    def conninfo(self) -> str:
        """The address as libpq takes it, without what is said to us alone."""
        return _POOLER.sub(lambda found: found[1] if found[3] else "", self.url)


DatabasePlace = Path | PostgresPlace


def at_home(path: Path) -> Path:
    """The path with its `~` spelt out; InvalidInput where the user has no home."""
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise InvalidInput(
            f"{path}: this user has no home folder.", suggestion="Name the whole path, or set HOME."
        ) from error


def place_of(given: str | Path | PostgresPlace) -> DatabasePlace:
    """The place that a user names: a file, `sqlite:FILE`, or `postgresql://USER@HOST/DATABASE`."""
    if isinstance(given, PostgresPlace):
        return given
    text = str(given).strip()
    if not isinstance(given, Path):
        if _POSTGRESQL.match(text):
            return _address(text)
        scheme = _SCHEME.match(text)
        if scheme is not None and scheme[1].lower() == "sqlite":
            text = _file_in(text[len("sqlite:") :])
        elif scheme is not None:
            raise InvalidInput(
                f"'{without_password(text)}' is no database that Fabula knows.",
                suggestion="Name a file, or an address like postgresql://user@host/database.",
            )
    return at_home(Path(text))


def _address(text: str) -> PostgresPlace:
    pooler = _POOLER.search(text)
    if pooler is not None and pooler[2] != "transaction":
        raise InvalidInput(
            "Of poolers only their transaction mode need be named.",
            suggestion="Write pooler=transaction, or leave it out.",
        )
    return PostgresPlace("postgresql" + text[text.index("://") :])


def _file_in(rest: str) -> str:
    """The file of an address: `///` stands before it, or nothing does."""
    return rest[3:] if rest.startswith("///") else rest.removeprefix("//")


def without_password(text: str) -> str:
    """The address as it may be shown and logged."""
    return _PASSWORD.sub(lambda found: f"{found[1]}:***@" if found[1] is not None else "***", text)
