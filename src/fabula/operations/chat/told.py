"""What clients were last told of a story, and why."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.assembly.context import TraceItem
from fabula.assembly.trace import nearest_left_out
from fabula.call import Call
from fabula.errors import FabulaError
from fabula.model.account import Role
from fabula.model.context import ChatMessage
from fabula.model.wire import Value
from fabula.operations.chat.chat_context import ToldTalk
from fabula.operations.chat.context_window import MemoryShare, log
from fabula.operations.chat.placement import added_by
from fabula.operations.table import StoryRequest, operation
from fabula.store.conversations import KEPT_CONTEXTS

# Of what was left out, the trace names this many that came closest.
LEFT_OUT = 100

ClientDoor = Literal["proxy", "chat"]


class ToldContext(Value):
    """What one request of a client was told: the messages that were added to it, and every reason.

    `memory` says whether that was all of the context, or whether the model's window had no room for the rest.
    `model` is the name that the client asked for, empty if it asked for none.
    """

    at: str
    door: ClientDoor
    model: str = ""
    chapter: int
    scene: int
    memory: MemoryShare
    dropped_messages: int
    estimated_tokens: int
    total_budget: int
    messages: tuple[ChatMessage, ...]
    trace: tuple[TraceItem, ...]
    left_out_count: int


class ToldContextsRequest(StoryRequest):
    """How many of the last requests to show."""

    limit: Annotated[int, Field(ge=1, le=KEPT_CONTEXTS)] = 1


class ToldContextsResponse(Value):
    """What clients were told, newest first."""

    items: tuple[ToldContext, ...]


@operation("context.told", role=Role.READER)
def told_contexts(call: Call, request: ToldContextsRequest) -> ToldContextsResponse:
    """Show what clients were last told, and why: their requests through the proxy and from the page."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        rows = reader.conversations.contexts(request.project_id, request.limit)
    return ToldContextsResponse(items=tuple(map(ToldContext.model_validate, rows)))


def note_told(
    call: Call,
    project_id: str,
    door: ClientDoor,
    place: tuple[int, int],
    talk: ToldTalk,
    model: str = "",
) -> str | None:
    """Keep what a client is told, and return its receipt's id; if that fails, the client gets its answer."""
    context, at = talk.context, call.clock.now()
    told = ToldContext(
        at=at,
        door=door,
        model=model,
        chapter=place[0],
        scene=place[1],
        memory=talk.fitted.memory,
        dropped_messages=len(talk.fitted.dropped),
        estimated_tokens=context.estimated_tokens,
        total_budget=context.total_budget,
        messages=added_by(talk.insertions),
        trace=nearest_left_out(context.trace, LEFT_OUT),
        left_out_count=context.left_out_count,
    )
    receipt = talk.receipt(call, door)
    try:
        with call.store.write_conversations(project_id) as writer:
            writer.note_context(call.clock.new_id(), at, told.model_dump(mode="json", by_alias=True))
            if receipt is not None:
                writer.put_receipt(receipt, call.receipts)
    except FabulaError as error:
        log.warning("not noted", extra={"projectId": project_id, "code": error.code})
        return None
    return None if receipt is None else receipt.id
