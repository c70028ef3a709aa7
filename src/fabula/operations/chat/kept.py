"""Conversations that somebody keeps with a story: keep, list, read, continue, rename, fork, delete.

They are not part of what the story says: nothing in them is found by its search, told to a model, or
exported.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.errors import CapacityExceeded, Conflict, InvalidInput, NotFound
from fabula.model.account import Role
from fabula.model.bounds import PageNumber, PageSize, Version
from fabula.model.wire import Name, Text, Value
from fabula.operations.chat.values import Turn
from fabula.operations.table import StoryRequest, operation
from fabula.store.conversations import KEPT_CONVERSATIONS, ConversationReader, StoredConversation
from fabula.store.page import Page

MOST_MESSAGES = 20_000
MOST_CHARACTERS = 8_000_000


KeptMessages = Annotated[tuple[Turn, ...], Field(min_length=1, max_length=MOST_MESSAGES)]


class ConversationHeading(Value):
    """A kept conversation in a list; `forked_from` is the one that it branched off from."""

    id: str
    title: str
    forked_from: str | None
    message_count: int
    version: int
    created_at: str
    updated_at: str


class KeptConversation(ConversationHeading):
    """A kept conversation with its messages."""

    messages: tuple[Turn, ...]


class KeepConversationRequest(StoryRequest):
    """A conversation to keep, and its title."""

    title: Name
    messages: KeptMessages


class ListConversationsRequest(StoryRequest):
    """A page of the kept conversations; with a `query`, of those that have its words in title or messages."""

    query: Annotated[Text, Field(max_length=200)] = ""
    page: PageNumber = 0
    size: PageSize = 20


class ConversationRequest(StoryRequest):
    """A kept conversation by its id."""

    conversation_id: str


class ConversationPatch(Value):
    """A new title, or all messages of what went on; with `version`, only if it is unchanged since."""

    title: Name | None = None
    messages: KeptMessages | None = None
    version: Version | None = None


class UpdateConversationRequest(ConversationRequest):
    """A kept conversation, and what to change."""

    patch: ConversationPatch


class ForkConversationRequest(ConversationRequest):
    """Where a conversation branches off: after this many messages, by default after all; and its title."""

    after: Annotated[int, Field(ge=1, le=MOST_MESSAGES)] | None = None
    title: Name | None = None


@operation("conversation.keep", role=Role.EDITOR)
def keep_conversation(call: Call, request: KeepConversationRequest) -> KeptConversation:
    """Keep a conversation with the story."""
    return _kept_anew(call, request.project_id, request.title, request.messages)


@operation("conversation.list", role=Role.READER)
def list_conversations(call: Call, request: ListConversationsRequest) -> Page[ConversationHeading]:
    """List the kept conversations, newest change first, or those that contain some words."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        offset = request.page * request.size
        words = request.query.strip()
        found = reader.conversations.page(request.project_id, request.size, offset, words)
    return Page(tuple(map(_heading, found.items)), found.total)


@operation("conversation.read", role=Role.READER)
def read_conversation(call: Call, request: ConversationRequest) -> KeptConversation:
    """Read a kept conversation with its messages."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        return _shown(_existing(reader.conversations, request))


@operation("conversation.update", role=Role.EDITOR)
def update_conversation(call: Call, request: UpdateConversationRequest) -> KeptConversation:
    """Rename a kept conversation, or save how it went on."""
    patch = request.patch
    with call.store.write_conversations(request.project_id) as writer:
        known = _existing(writer, request)
        if patch.version is not None and patch.version != known.version:
            raise Conflict(
                "Somebody else has changed the conversation.",
                details={"version": known.version},
                suggestion="Read it again, and send its version.",
            )
        changed = known._replace(version=known.version + 1, updated_at=call.clock.now())
        if patch.title is not None:
            changed = changed._replace(title=patch.title)
        if patch.messages is not None:
            _check_size(patch.messages)
            said = [one.model_dump(mode="json") for one in patch.messages]
            changed = changed._replace(messages=said, message_count=len(said))
        writer.put(changed)
    return _shown(changed)


@operation("conversation.fork", role=Role.EDITOR)
def fork_conversation(call: Call, request: ForkConversationRequest) -> KeptConversation:
    """Branch a new conversation off from a kept one, which stays as it is."""
    known = read_conversation(call, request)
    after = known.message_count if request.after is None else request.after
    if after > known.message_count:
        raise InvalidInput(
            f"The conversation has only {known.message_count:,} messages.", details={"field": "after"}
        )
    title = request.title or known.title
    return _kept_anew(call, request.project_id, title, known.messages[:after], forked_from=known.id)


@operation("conversation.delete", role=Role.EDITOR)
def delete_conversation(call: Call, request: ConversationRequest) -> None:
    """Delete a kept conversation."""
    with call.store.write_conversations(request.project_id) as writer:
        _existing(writer, request)
        writer.remove(request.conversation_id)


def _kept_anew(
    call: Call,
    project_id: str,
    title: str,
    messages: tuple[Turn, ...],
    forked_from: str | None = None,
) -> KeptConversation:
    _check_size(messages)
    now = call.clock.now()
    new = StoredConversation(
        id=call.clock.new_id(),
        title=title,
        forked_from=forked_from,
        message_count=len(messages),
        version=1,
        created_at=now,
        updated_at=now,
        messages=[one.model_dump(mode="json") for one in messages],
    )
    with call.store.write_conversations(project_id) as writer:
        if writer.page(project_id, 1, 0).total >= KEPT_CONVERSATIONS:
            raise CapacityExceeded(
                f"A story keeps at most {KEPT_CONVERSATIONS:,} conversations.",
                suggestion="Delete some of them first.",
            )
        writer.add(new)
    return _shown(new)


def _check_size(messages: tuple[Turn, ...]) -> None:
    if sum(len(one.content) for one in messages) > MOST_CHARACTERS:
        raise InvalidInput(
            f"A conversation may have {MOST_CHARACTERS:,} characters.", details={"field": "messages"}
        )


def _existing(reader: ConversationReader, request: ConversationRequest) -> StoredConversation:
    found = reader.kept(request.project_id, request.conversation_id)
    if found is None:
        raise NotFound(
            f"There is no conversation '{request.conversation_id}' in this story.",
            suggestion="GET /stories/{storyId}/conversations lists them.",
        )
    return found


def _heading(known: StoredConversation) -> ConversationHeading:
    return ConversationHeading(**{name: getattr(known, name) for name in ConversationHeading.model_fields})


def _shown(known: StoredConversation) -> KeptConversation:
    messages = tuple(map(Turn.model_validate, known.messages or ()))
    return KeptConversation(**dict(_heading(known)), messages=messages)
