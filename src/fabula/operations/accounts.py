"""Users and their tokens, as managed by the operator."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from fabula.call import Call
from fabula.errors import NotFound
from fabula.model.account import Identity, Token, TokenLabel, User, UserName
from fabula.model.wire import Value
from fabula.operations.table import NoFields, operation
from fabula.store.failures import repeatable

TOKEN_PREFIX = "fab_"
TOKEN_BYTES = 32


class NewToken(NamedTuple):
    """A new token with its secret, which is shown only once."""

    token: Token
    secret: str


class Account(NamedTuple):
    """A user with their tokens."""

    user: User
    tokens: tuple[Token, ...]


class AddUserRequest(Value):
    """A new user."""

    name: UserName


@operation("account.user.create", role=None, audience="operator")
@repeatable
def add_user(call: Call, request: AddUserRequest) -> User:
    """Add a user; Conflict if the name is taken."""
    user = User(id=call.clock.new_id(), name=request.name, created_at=call.clock.now())
    with call.store.write_accounts() as accounts:
        accounts.add_user(user)
    return user


class CreateTokenRequest(Value):
    """A new token of a user; the label says what it is for."""

    user_name: str
    label: TokenLabel = "token"


@operation("account.token.create", role=None, audience="operator")
@repeatable
def create_token(call: Call, request: CreateTokenRequest) -> NewToken:
    """Create a token for a user; its secret is shown only once, because only its hash is stored."""
    secret = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    token = Token(id=call.clock.new_id(), label=request.label, created_at=call.clock.now())
    with call.store.write_accounts() as accounts:
        accounts.add_token(accounts.user_named(request.user_name).id, token, secret)
    return NewToken(token, secret)


@operation("account.user.list", role=None, audience="operator")
def list_users(call: Call, _: NoFields) -> tuple[Account, ...]:
    """List all users with their tokens, by name."""
    with call.store.read() as reader:
        return tuple(Account(user, reader.accounts.tokens_of(user.id)) for user in reader.accounts.users())


class RevokeTokensRequest(Value):
    """One token of a user, or all of them."""

    user_name: str
    token_id: str | None = None


@operation("account.token.revoke", role=None, audience="operator")
@repeatable
def revoke_tokens(call: Call, request: RevokeTokensRequest) -> int:
    """Revoke one token of a user, or all of them, and return how many; NotFound for an unknown id."""
    user_name, token_id = request.user_name, request.token_id
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
    """Return the identity that a token belongs to; Unauthenticated if it is unknown."""
    with call.store.read() as reader:
        return reader.accounts.identity_of(token)


def known_tokens(call: Call, token_ids: Iterable[str]) -> frozenset[str]:
    """Return those of the tokens that are still valid."""
    with call.store.read() as reader:
        return reader.accounts.known_tokens(token_ids)
