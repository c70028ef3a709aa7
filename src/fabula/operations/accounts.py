"""Users and their tokens, as the keeper of the database looks after them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError

from fabula.call import Call
from fabula.errors import NotFound
from fabula.model.account import Identity, Token, TokenLabel, User, UserName
from fabula.model.parsing import invalid_input
from fabula.model.wire import Value
from fabula.store.failures import repeatable

TOKEN_PREFIX = "fab_"
TOKEN_BYTES = 32

ValueT = TypeVar("ValueT", bound=Value)


class UserCreate(Value):
    """A new user."""

    name: UserName


class TokenCreate(Value):
    """A new token; the label says what it is for."""

    label: TokenLabel = "token"


class NewToken(NamedTuple):
    """A token at the only moment when it can be read."""

    token: Token
    secret: str


class Account(NamedTuple):
    """A user and what is known of their tokens."""

    user: User
    tokens: tuple[Token, ...]


@repeatable
def add_user(call: Call, name: str) -> User:
    """Add a user; Conflict if the name is taken."""
    wanted = _checked(UserCreate, name=name)
    user = User(id=call.clock.new_id(), name=wanted.name, created_at=call.clock.now())
    with call.store.write_accounts() as accounts:
        accounts.add_user(user)
    return user


@repeatable
def create_token(call: Call, user_name: str, label: str | None = None) -> NewToken:
    """Make a token for a user; only its hash is kept, so it is shown here and never again."""
    wanted = _checked(TokenCreate, **({} if label is None else {"label": label}))
    secret = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    token = Token(id=call.clock.new_id(), label=wanted.label, created_at=call.clock.now())
    with call.store.write_accounts() as accounts:
        accounts.add_token(accounts.user_named(user_name).id, token, secret)
    return NewToken(token, secret)


def list_users(call: Call) -> tuple[Account, ...]:
    """List everybody with their tokens, by name."""
    with call.store.read() as reader:
        return tuple(Account(user, reader.accounts.tokens_of(user.id)) for user in reader.accounts.users())


@repeatable
def revoke_tokens(call: Call, user_name: str, token_id: str | None = None) -> int:
    """Forget one token of a user, or all; how many went. NotFound if there is none of this id."""
    with call.store.write_accounts() as accounts:
        count = accounts.revoke(accounts.user_named(user_name).id, token_id)
    if token_id is not None and not count:
        raise NotFound(
            f"'{user_name}' has no token '{token_id}'.",
            details={"id": token_id},
            suggestion="List the tokens with: fabula user list",
        )
    return count


def identify(call: Call, token: str) -> Identity:
    """Say whose token this is; Unauthenticated if nobody's."""
    with call.store.read() as reader:
        return reader.accounts.identity_of(token)


def known_tokens(call: Call, token_ids: Iterable[str]) -> frozenset[str]:
    """Say which of the tokens are still known."""
    with call.store.read() as reader:
        return reader.accounts.known_tokens(token_ids)


def _checked(kind: type[ValueT], **fields: Any) -> ValueT:
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise invalid_input(error) from error
