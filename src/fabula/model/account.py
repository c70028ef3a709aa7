"""People: who is asking, and what they may do with a story."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from fabula.model.wire import Value, visible_text


class Role(StrEnum):
    """What a member may do with a story; each role may do all that the one below it may."""

    OWNER = "owner"
    EDITOR = "editor"
    READER = "reader"

    def covers(self, other: Role) -> bool:
        """Whether this role may do all that the other may."""
        ranks = tuple(Role)
        return ranks.index(self) <= ranks.index(other)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking: a user by one of their tokens, or somebody at this machine, who may do everything."""

    id: str
    name: str
    is_local: bool = False
    token_id: str | None = field(default=None, compare=False)

    @property
    def user_id(self) -> str | None:
        """The user's id; None for somebody at this machine."""
        return None if self.is_local else self.id


def local(door: str) -> Identity:
    """Somebody at this machine, under the name of the door they came through."""
    return Identity(door, door, is_local=True)


LOCAL = local("local")

# A name is part of an address (`/members/{userName}`): one word, without a slash.
UserName = Annotated[
    str, StringConstraints(max_length=64, pattern=r"^[\w.@+-]+$"), AfterValidator(visible_text)
]
TokenLabel = Annotated[str, StringConstraints(max_length=64), AfterValidator(visible_text)]


class User(Value):
    """Somebody with an account."""

    id: str
    name: str
    created_at: str


class Token(Value):
    """What is known of a token once it was handed out: everything but the token."""

    id: str
    label: str
    created_at: str


class Member(Value):
    """A user and what they may do with one story."""

    user_name: str
    role: Role
    created_at: str
