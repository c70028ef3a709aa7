"""Where stories are stored: in a SQLite file or a PostgreSQL database."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from fabula.errors import InvalidInput

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_POSTGRESQL = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
# Matches generously: whatever might be a password.
_PASSWORD = re.compile(r"(?<=://)([^/?#@:]*):.*@|(?<=password=)[^&#]*", re.IGNORECASE)
_POOLER = re.compile(r"([?&])pooler=([^&#]*)(&?)")


@dataclass(frozen=True, slots=True)
class PostgresPlace:
    """A PostgreSQL database, shown without its password."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        return without_password(self.url)

    @property
    def is_pooled(self) -> bool:
        """Whether it is behind a pooler in transaction mode."""
        return _POOLER.search(self.url) is not None

    @property
    def conninfo(self) -> str:
        """The address for libpq, without options of our own."""
        return _POOLER.sub(lambda found: found[1] if found[3] else "", self.url)


DatabasePlace = Path | PostgresPlace


def at_home(path: Path) -> Path:
    """Expand `~` in a path; raises InvalidInput if the user has no home."""
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise InvalidInput(
            f"{path}: this user has no home folder.", suggestion="Name the whole path, or set HOME."
        ) from error


def place_of(given: str | Path | PostgresPlace) -> DatabasePlace:
    """Parse a database location: a file, `sqlite:FILE`, or `postgresql://USER@HOST/DATABASE`."""
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
    """Return the file in an address, with or without leading `///`."""
    return rest[3:] if rest.startswith("///") else rest.removeprefix("//")


def without_password(text: str) -> str:
    """Return the address without its password, for display and logs."""
    return _PASSWORD.sub(lambda found: f"{found[1]}:***@" if found[1] is not None else "***", text)
