"""Where stories are kept: in a SQLite file, or in a PostgreSQL database."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from fabula.errors import InvalidInput

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)
_POSTGRESQL = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
_PASSWORD = re.compile(r"(?<=://)([^/?#@:]*):[^/?#@]*@|(?<=[?&]password=)[^&#]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """A PostgreSQL database; shown without its password."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        return without_password(self.url)


Place = Path | Address


def place_of(given: str | Path | Address) -> Place:
    """The place that a user names: a file, `sqlite:FILE`, or `postgresql://USER@HOST/DATABASE`."""
    if isinstance(given, Address):
        return given
    text = str(given).strip()
    if not isinstance(given, Path):
        if _POSTGRESQL.match(text):
            return Address("postgresql" + text[text.index("://") :])
        scheme = _SCHEME.match(text)
        if scheme is not None and scheme[1].lower() == "sqlite":
            text = _file_in(text[len("sqlite:") :])
        elif scheme is not None:
            raise InvalidInput(
                f"'{without_password(text)}' is no database that Fabula knows.",
                suggestion="Name a file, or an address like postgresql://user@host/database.",
            )
    return Path(text).expanduser()


def _file_in(rest: str) -> str:
    """The file of an address: `///` stands before it, or nothing does."""
    return rest[3:] if rest.startswith("///") else rest.removeprefix("//")


def without_password(text: str) -> str:
    """The address as it may be shown and logged."""
    return _PASSWORD.sub(lambda found: f"{found[1]}:***@" if found[1] is not None else "***", text)
