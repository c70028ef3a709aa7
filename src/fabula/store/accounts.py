"""Users, their tokens and their roles: kept beside the stories, not under the change log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import delete, insert, select, update

from fabula.errors import Conflict, Forbidden, NotFound, Unauthenticated
from fabula.model.account import Identity, Member, Role, Token, User
from fabula.model.names import name_key
from fabula.store.account_tables import story_members, user_tokens, users
from fabula.store.dialect import any_of
from fabula.store.querying import Querying
from fabula.store.tables import stories


def token_hash(token: str) -> str:
    """What is kept of a token; it is random enough that no salt or slow hash is needed."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


class AccountReader(Querying):
    """Who there is and who may do what."""

    def users(self) -> tuple[User, ...]:
        """Everybody, by name."""
        return tuple(map(_user, self.all(select(users).order_by(users.c.name_key))))

    def user_named(self, name: str) -> User:
        """The user of this name; NotFound if there is none."""
        row = self.one(select(users).where(users.c.name_key == name_key(name)))
        if row is None:
            raise NotFound(
                f"There is no user '{name}'.",
                details={"userName": name},
                suggestion="Check the name; the keeper of the server adds users with: fabula user add NAME",
            )
        return _user(row)

    def identity_of(self, token: str) -> Identity:
        """Whose token this is; Unauthenticated if nobody's."""
        row = self.one(
            select(users.c.id, users.c.name, user_tokens.c.id.label("token_id"))
            .join(user_tokens, user_tokens.c.user_id == users.c.id)
            .where(user_tokens.c.token_hash == token_hash(token))
        )
        if row is None:
            raise Unauthenticated(
                "This token is not known here.",
                suggestion="Check the token; it may have been revoked. Ask for a new one: fabula user token",
            )
        return Identity(row["id"], row["name"], token_id=row["token_id"])

    def known_tokens(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of the tokens that nobody has revoked."""
        return frozenset(
            self.connection.scalars(select(user_tokens.c.id).where(any_of(user_tokens.c.id, ids)))
        )

    def tokens_of(self, user_id: str) -> tuple[Token, ...]:
        """The tokens of a user, oldest first."""
        rows = self.all(
            select(user_tokens)
            .where(user_tokens.c.user_id == user_id)
            .order_by(user_tokens.c.created_at, user_tokens.c.id)
        )
        return tuple(Token(id=row["id"], label=row["label"], created_at=row["created_at"]) for row in rows)

    def role_of(self, user_id: str, project_id: str) -> Role | None:
        """What the user may do with the story; None if nothing."""
        row = self.one(select(story_members.c.role).where(*_membership(project_id, user_id)))
        return None if row is None else Role(row["role"])

    def members_among(
        self, project_ids: Iterable[str], user_ids: Iterable[str]
    ) -> frozenset[tuple[str, str]]:
        """(story, user) for those of the users who may do something with those of the stories."""
        columns = story_members.c
        query = select(columns.project_id, columns.user_id).where(
            any_of(columns.project_id, project_ids), any_of(columns.user_id, user_ids)
        )
        return frozenset((story, user) for story, user in self.connection.execute(query))

    def require(self, user_id: str, project_id: str, role: Role) -> None:
        """Refuse a user who may not do this with the story: NotFound without a story, else Forbidden."""
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
        """Everybody who may do something with the story, by name."""
        rows = self.all(_members().where(story_members.c.project_id == project_id).order_by(users.c.name_key))
        return tuple(map(_member, rows))

    def member(self, project_id: str, user: User) -> Member:
        """The user as a member of the story; NotFound if they are none."""
        row = self.one(_members().where(*_membership(project_id, user.id)))
        if row is None:
            raise NotFound(
                f"'{user.name}' is not a member of this story.",
                details={"userName": user.name},
                suggestion="List the members of the story to see who is.",
            )
        return _member(row)

    def require_story(self, project_id: str) -> None:
        """Refuse an id that no story has."""
        if self.one(select(stories.c.project_id).where(stories.c.project_id == project_id)) is None:
            raise no_story(project_id)


class AccountWriter(AccountReader):
    """Changes to users, tokens and roles, inside one transaction."""

    def hold_story(self, project_id: str, *, to_the_end: bool = False) -> bool:
        """Let nobody else write to the story before this is over; False if there is none.

        To the end of the story: then nobody else can refer to it either.
        """
        own = select(stories.c.project_id).where(stories.c.project_id == project_id)
        held = own.with_for_update(key_share=not to_the_end)
        return self.connection.execute(held).one_or_none() is not None

    def add_user(self, user: User) -> None:
        """A new user; Conflict if the name is taken."""
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
        """A new token of a user, of which only the hash is kept."""
        row = {**dict(token), "user_id": user_id, "token_hash": token_hash(secret)}
        self.connection.execute(insert(user_tokens), row)

    def revoke(self, user_id: str, token_id: str | None) -> int:
        """Forget a token of a user, or all of them; how many went."""
        where = [user_tokens.c.user_id == user_id]
        if token_id is not None:
            where.append(user_tokens.c.id == token_id)
        return self.connection.execute(delete(user_tokens).where(*where)).rowcount

    def put_member(self, project_id: str, user_id: str, role: Role, now: str) -> None:
        """Give a user a role in a story, instead of the one they may have."""
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
        """Take a user's role in a story away."""
        self.hold_story(project_id)
        self._keep_an_owner(project_id, user_id)
        self.connection.execute(delete(story_members).where(*_membership(project_id, user_id)))

    def _keep_an_owner(self, project_id: str, leaving: str) -> None:
        """Refuse to take the last owner's role away, or nobody could share or delete the story."""
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
    """The refusal of a story that does not exist."""
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
