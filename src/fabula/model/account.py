"""People: who is asking, and what they may do with a story."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from fabula.model.wire import Value, visible_text


class Role(StrEnum):
    """A member's permissions on a story; each role includes those listed after it."""

    OWNER = "owner"
    EDITOR = "editor"
    READER = "reader"

    def covers(self, other: Role) -> bool:
        """Whether this role includes all permissions of the other."""
        ranks = tuple(Role)
        return ranks.index(self) <= ranks.index(other)


@dataclass(frozen=True, slots=True)
class Identity:
    """The caller: a user authenticated by a token, or a local caller, who may do everything."""

    id: str
    name: str
    is_local: bool = False
    token_id: str | None = field(default=None, compare=False)

    @property
    def user_id(self) -> str | None:
        """The user's id; None for a local caller."""
        return None if self.is_local else self.id


def local(door: str) -> Identity:
    """A local caller, named after the door they came through."""
    return Identity(door, door, is_local=True)


LOCAL = local("local")

# A user name is part of a URL path (`/members/{userName}`): one word, without a slash.
UserName = Annotated[
    str, StringConstraints(max_length=64, pattern=r"^[\w.@+-]+$"), AfterValidator(visible_text)
]
TokenLabel = Annotated[str, StringConstraints(max_length=64), AfterValidator(visible_text)]


class User(Value):
    """A person with an account."""

    id: str
    name: str
    created_at: str


class Token(Value):
    """An access token's metadata; the token itself is shown only once, when it is created."""

    id: str
    label: str
    created_at: str


class Member(Value):
    """A user's role in one story."""

    user_name: str
    role: Role
    created_at: str
