"""Read and write what belongs to conversations: what was told, timed effects, and those that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, or_, select, update

from fabula.store.conversation_tables import (
    client_contexts,
    context_receipts,
    conversation_states,
    conversations,
)
from fabula.store.dialect import any_of, said_in
from fabula.store.page import Page
from fabula.store.querying import Querying, of_story
from fabula.store.rowkind import Row, json_text

KEPT_CONTEXTS = 20
KEPT_STATES = 2_000
KEPT_CONVERSATIONS = 2_000


class StoredReceipt(NamedTuple):
    """A receipt of a context; without an `asked`, the context cannot be made again."""

    id: str
    at: str
    heading: dict[str, Any]
    content: dict[str, Any]
    asked: dict[str, Any] | None = None


class StoredConversation(NamedTuple):
    """A kept conversation; `messages` is None where only the list is wanted."""

    id: str
    title: str
    forked_from: str | None
    message_count: int
    version: int
    created_at: str
    updated_at: str
    messages: list[Any] | None = None


_SHOWN = [conversations.c[name] for name in StoredConversation._fields if name != "messages"]


class ConversationReader(Querying):
    """Reads the conversations of a story."""

    def contexts(self, project_id: str, limit: int) -> list[dict[str, Any]]:
        """Return what clients were last told, newest first."""
        newest = of_story(client_contexts, project_id).order_by(
            client_contexts.c.at.desc(), client_contexts.c.id.desc()
        )
        return [orjson.loads(row["content_json"]) for row in self.all(newest.limit(limit))]

    def states(self, project_id: str, keys: Sequence[str], since: str) -> dict[str, Any]:
        """Return the timed effects under those of these keys that are known since a time."""
        own = conversation_states.c
        known = of_story(conversation_states, project_id).where(any_of(own.key, keys), own.at >= since)
        return {row["key"]: orjson.loads(row["effects_json"]) for row in self.all(known)}

    def receipts(self, project_id: str, limit: int, offset: int) -> Page[dict[str, Any]]:
        """Return a page of the headings of receipts, newest first."""
        own = context_receipts.c
        rows = self.all(
            select(own.heading_json)
            .where(own.project_id == project_id)
            .order_by(own.at.desc(), own.id)
            .limit(limit)
            .offset(offset)
        )
        total = self.count(context_receipts, [own.project_id == project_id])
        return Page(tuple(orjson.loads(row["heading_json"]) for row in rows), total)

    def receipt(self, project_id: str, receipt_id: str) -> StoredReceipt | None:
        """Return a receipt; None if there is none."""
        found = self.one(of_story(context_receipts, project_id).where(context_receipts.c.id == receipt_id))
        if found is None:
            return None
        asked = found["input_json"]
        return StoredReceipt(
            found["id"],
            found["at"],
            orjson.loads(found["heading_json"]),
            orjson.loads(found["content_json"]),
            None if asked is None else orjson.loads(asked),
        )

    def page(self, project_id: str, limit: int, offset: int, words: str = "") -> Page[StoredConversation]:
        """Return a page of the kept conversations without their messages, newest change first.

        With some words, only those that have them in their title or in a message.
        """
        own = conversations.c
        wanted: list[ColumnElement[bool]] = [own.project_id == project_id]
        if words:
            titled = func.lower(own.title).contains(words.lower(), autoescape=True)
            wanted.append(or_(titled, said_in(own.messages_json, words)))
        rows = self.all(
            select(*_SHOWN).where(*wanted).order_by(own.updated_at.desc(), own.id).limit(limit).offset(offset)
        )
        total = self.count(conversations, wanted)
        return Page(tuple(StoredConversation(**row) for row in rows), total)

    def kept(self, project_id: str, conversation_id: str) -> StoredConversation | None:
        """Return a kept conversation with its messages; None if there is none."""
        found = self.one(of_story(conversations, project_id).where(conversations.c.id == conversation_id))
        if found is None:
            return None
        row = {name: found[name] for name in StoredConversation._fields if name != "messages"}
        return StoredConversation(**row, messages=orjson.loads(found["messages_json"]))


class ConversationWriter(ConversationReader):
    """Changes the conversations of a story inside one transaction."""

    def __init__(self, connection: Connection, project_id: str) -> None:
        super().__init__(connection)
        self._project_id = project_id

    def note_context(self, row_id: str, at: str, content: Mapping[str, Any]) -> None:
        """Add what a client was told; only the last few are kept."""
        row = {"project_id": self._project_id, "id": row_id, "at": at, "content_json": json_text(content)}
        self.connection.execute(insert(client_contexts), row)
        self._keep_newest(client_contexts, KEPT_CONTEXTS)

    def put_receipt(self, receipt: StoredReceipt, most: int) -> None:
        """Save a receipt, in the place of one for the same context; only so many are kept."""
        self._delete(context_receipts, context_receipts.c.id == receipt.id)
        row = {
            "project_id": self._project_id,
            "id": receipt.id,
            "at": receipt.at,
            "heading_json": json_text(receipt.heading),
            "content_json": json_text(receipt.content),
            "input_json": None if receipt.asked is None else json_text(receipt.asked),
        }
        self.connection.execute(insert(context_receipts), row)
        self._keep_newest(context_receipts, most)

    def put_state(self, key: str, at: str, effects: Mapping[str, Any], forget_before: str) -> None:
        """Save the timed effects under a key; old ones are forgotten."""
        own = conversation_states.c
        self._delete(conversation_states, own.key == key)
        row = {"project_id": self._project_id, "key": key, "at": at, "effects_json": json_text(effects)}
        self.connection.execute(insert(conversation_states), row)
        self._delete(conversation_states, own.at < forget_before)
        self._keep_newest(conversation_states, KEPT_STATES)

    def add(self, new: StoredConversation) -> None:
        """Add a conversation."""
        row = {"project_id": self._project_id, **_row(new)}
        self.connection.execute(insert(conversations), row)

    def put(self, changed: StoredConversation) -> None:
        """Save a conversation that is there."""
        own = conversations.c
        self.connection.execute(
            update(conversations)
            .where(own.project_id == self._project_id, own.id == changed.id)
            .values(**_row(changed))
        )

    def remove(self, conversation_id: str) -> None:
        """Delete a conversation."""
        self._delete(conversations, conversations.c.id == conversation_id)

    def _keep_newest(self, table: Table, most: int) -> None:
        own = table.c.project_id == self._project_id
        newest = select(table.c.at).where(own).order_by(table.c.at.desc()).offset(most).limit(1)
        first_gone = self.connection.execute(newest).scalar_one_or_none()
        if first_gone is not None:
            self._delete(table, table.c.at <= first_gone)

    def _delete(self, table: Table, condition: ColumnElement[bool]) -> None:
        self.connection.execute(delete(table).where(table.c.project_id == self._project_id, condition))


def _row(one: StoredConversation) -> Row:
    row = one._asdict()
    messages = row.pop("messages")
    return {**row, "messages_json": json_text(messages)}
