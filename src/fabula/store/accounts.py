"""Users, their tokens and their roles, which are not recorded in the change log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from fabula.errors import Conflict, Forbidden, NotFound, Unauthenticated
from fabula.model.account import Identity, Member, Role, Token, User
from fabula.model.names import name_key
from fabula.model.story import Story
from fabula.store.account_tables import story_members, user_tokens, users
from fabula.store.dialect import any_of
from fabula.store.querying import Querying
from fabula.store.statement import Statement, within_story
from fabula.store.story_rows import story_from_row
from fabula.store.tables import stories

_HELD = select(stories).where(within_story(stories))
_HOLD = Statement(_HELD.with_for_update(key_share=True))
_HOLD_TO_THE_END = Statement(_HELD.with_for_update())
_ROLE = Statement(
    select(story_members.c.role).where(
        within_story(story_members), story_members.c.user_id == bindparam("user")
    )
)
_OWNER_OF_TOKEN = Statement(
    select(users.c.id, users.c.name, user_tokens.c.id)
    .join(user_tokens, user_tokens.c.user_id == users.c.id)
    .where(user_tokens.c.token_hash == bindparam("hash"))
)


def token_hash(token: str) -> str:
    """Return the hash stored for a token; tokens are random enough to need no salt or slow hash."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


class AccountReader(Querying):
    """Reads users, tokens and roles."""

    def users(self) -> tuple[User, ...]:
        """Return all users, by name."""
        return tuple(map(_user, self.all(select(users).order_by(users.c.name_key))))

    def user_named(self, name: str) -> User:
        """Return the user with this name; raises NotFound if there is none."""
        row = self.one(select(users).where(users.c.name_key == name_key(name)))
        if row is None:
            raise NotFound(
                f"There is no user '{name}'.",
                details={"userName": name},
                suggestion="Check the name; the keeper of the server adds users with: fabula user add NAME",
            )
        return _user(row)

    def identity_of(self, token: str) -> Identity:
        """Return the owner of a token; raises Unauthenticated if it is not valid."""
        rows = self.fetch(_OWNER_OF_TOKEN, hash=token_hash(token))
        if not rows:
            raise Unauthenticated(
                "This token is not known here.",
                suggestion="Check the token; it may have been revoked. Ask for a new one: fabula user token",
            )
        user_id, name, token_id = rows[0]
        return Identity(user_id, name, token_id=token_id)

    def known_tokens(self, ids: Iterable[str]) -> frozenset[str]:
        """Return the tokens that have not been revoked."""
        return frozenset(
            self.connection.scalars(select(user_tokens.c.id).where(any_of(user_tokens.c.id, ids)))
        )

    def tokens_of(self, user_id: str) -> tuple[Token, ...]:
        """Return the tokens of a user, oldest first."""
        rows = self.all(
            select(user_tokens)
            .where(user_tokens.c.user_id == user_id)
            .order_by(user_tokens.c.created_at, user_tokens.c.id)
        )
        return tuple(Token(id=row["id"], label=row["label"], created_at=row["created_at"]) for row in rows)

    def role_of(self, user_id: str, project_id: str) -> Role | None:
        """Return the user's role in the story; None if there is none."""
        rows = self.fetch(_ROLE, story=project_id, user=user_id)
        return Role(rows[0][0]) if rows else None

    def members_among(
        self, project_ids: Iterable[str], user_ids: Iterable[str]
    ) -> frozenset[tuple[str, str]]:
        """Return the (story, user) pairs among these in which the user has a role."""
        columns = story_members.c
        query = select(columns.project_id, columns.user_id).where(
            any_of(columns.project_id, project_ids), any_of(columns.user_id, user_ids)
        )
        return frozenset((story, user) for story, user in self.connection.execute(query))

    def require(self, user_id: str, project_id: str, role: Role) -> None:
        """Require a role in the story; raises NotFound without such a story, Forbidden without the role."""
        held = self.role_of(user_id, project_id)
        if held is not None and held.covers(role):
            return
        self.require_story(project_id)
        details = {"projectId": project_id, "requiredRole": role.value}
        if held is None:
            raise Forbidden("This story belongs to somebody else.", details=details)
        raise Forbidden(
            f"A {held.value} of this story may not do this; it takes the role {role.value}.",
            details={**details, "role": held.value},
            suggestion=f"Ask an owner of the story to make you {role.value}.",
        )

    def members_of(self, project_id: str) -> tuple[Member, ...]:
        """Return the members of the story, by name."""
        rows = self.all(_members().where(story_members.c.project_id == project_id).order_by(users.c.name_key))
        return tuple(map(_member, rows))

    def member(self, project_id: str, user: User) -> Member:
        """Return the user as a member of the story; raises NotFound if they are not one."""
        row = self.one(_members().where(*_membership(project_id, user.id)))
        if row is None:
            raise NotFound(
                f"'{user.name}' is not a member of this story.",
                details={"userName": user.name},
                suggestion="List the members of the story to see who is.",
            )
        return _member(row)

    def require_story(self, project_id: str) -> None:
        """Raise NotFound unless the story exists."""
        if self.one(select(stories.c.project_id).where(stories.c.project_id == project_id)) is None:
            raise no_story(project_id)


class AccountWriter(AccountReader):
    """Changes to users, tokens and roles, inside one transaction."""

    def hold_story(self, project_id: str, *, to_the_end: bool = False) -> Story | None:
        """Lock the story against other writers until the transaction ends, and return it, if there is one.

        With `to_the_end`, the story is about to be deleted, and other transactions cannot refer to it either.
        """
        row = self.fetch_row(_HOLD_TO_THE_END if to_the_end else _HOLD, story=project_id)
        return None if row is None else story_from_row(row)

    def add_user(self, user: User) -> None:
        """Add a user; raises Conflict if the name is taken."""
        key = name_key(user.name)
        if self.one(select(users.c.id).where(users.c.name_key == key)) is not None:
            raise Conflict(
                f"There is a user '{user.name}' already.",
                details={"userName": user.name},
                suggestion="Choose another name.",
            )
        row = {"id": user.id, "name": user.name, "name_key": key, "created_at": user.created_at}
        self.connection.execute(insert(users), row)

    def add_token(self, user_id: str, token: Token, secret: str) -> None:
        """Add a token of a user; only its hash is stored."""
        row = {**dict(token), "user_id": user_id, "token_hash": token_hash(secret)}
        self.connection.execute(insert(user_tokens), row)

    def revoke(self, user_id: str, token_id: str | None) -> int:
        """Delete one token of a user, or all of them, and return how many."""
        where = [user_tokens.c.user_id == user_id]
        if token_id is not None:
            where.append(user_tokens.c.id == token_id)
        return self.connection.execute(delete(user_tokens).where(*where)).rowcount

    def put_member(self, project_id: str, user_id: str, role: Role, now: str) -> None:
        """Give a user a role in a story, replacing the one they may have."""
        self.hold_story(project_id)
        held = self.role_of(user_id, project_id)
        if held is None:
            row = {"project_id": project_id, "user_id": user_id, "role": role.value, "created_at": now}
            self.connection.execute(insert(story_members), row)
        elif held is not role:
            self._keep_an_owner(project_id, user_id)
            changed = update(story_members).where(*_membership(project_id, user_id))
            self.connection.execute(changed.values(role=role.value))

    def remove_member(self, project_id: str, user_id: str) -> None:
        """Remove a user's role in a story."""
        self.hold_story(project_id)
        self._keep_an_owner(project_id, user_id)
        self.connection.execute(delete(story_members).where(*_membership(project_id, user_id)))

    def _keep_an_owner(self, project_id: str, leaving: str) -> None:
        """Refuse to remove the last owner, or nobody could share or delete the story."""
        owners = self.all(
            select(story_members.c.user_id).where(
                story_members.c.project_id == project_id, story_members.c.role == Role.OWNER.value
            )
        )
        if [row["user_id"] for row in owners] == [leaving]:
            raise Conflict(
                "A story keeps at least one owner.",
                details={"projectId": project_id},
                suggestion="Make somebody else owner first.",
            )


def no_story(project_id: str) -> NotFound:
    """Return the error for a story that does not exist."""
    return NotFound(
        f"There is no story '{project_id}'.",
        details={"projectId": project_id},
        suggestion="Create the story, or write its first entity with this projectId.",
    )


def _membership(project_id: str, user_id: str) -> tuple[Any, ...]:
    return story_members.c.project_id == project_id, story_members.c.user_id == user_id


def _members() -> Any:
    columns = (users.c.name, story_members.c.role, story_members.c.created_at)
    return select(*columns).join(users, users.c.id == story_members.c.user_id)


def _user(row: Mapping[Any, Any]) -> User:
    return User(id=row["id"], name=row["name"], created_at=row["created_at"])


def _member(row: Mapping[Any, Any]) -> Member:
    return Member(user_name=row["name"], role=Role(row["role"]), created_at=row["created_at"])
