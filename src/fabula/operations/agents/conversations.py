"""The context of a conversation for agents, without the author's trace."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.moment import Moment
from fabula.model.wire import Id, Name, Value
from fabula.operations.agents.audience import listening, refuse_unheard_teller
from fabula.operations.agents.scenes import MissedPiece, ToldPiece, pinned_id, told_pieces
from fabula.operations.chat.messages import (
    MOST_MESSAGES,
    ContextMessage,
    KnowledgeContextChatRequest,
    chat_context_for,
)
from fabula.operations.chat.model_names import next_scene
from fabula.operations.chat.values import PersonName, Turn
from fabula.operations.context import TokenBudget
from fabula.operations.table import StoryRequest, operation


class TellChatContextRequest(StoryRequest):
    """A conversation, who takes part in it, and its place in the story, by default the next scene."""

    messages: Annotated[tuple[Turn, ...], Field(max_length=MOST_MESSAGES)]
    user: PersonName = ""
    char: PersonName = ""
    conversation_id: Id | None = None
    chapter: ChapterIndex | None = None
    scene: SceneIndex | None = None
    token_budget: TokenBudget | None = None
    pinned: Annotated[tuple[Id | Name, ...], Field(max_length=1000)] = ()


class TellChatContextResponse(Value):
    """The messages to send, with those that were added; what they contain and why, and what did not fit.

    `receiptId` names the receipt of what was told.
    """

    messages: tuple[ContextMessage, ...]
    included: tuple[ToldPiece, ...]
    no_room: tuple[MissedPiece, ...]
    estimated_tokens: int
    total_budget: int
    receipt_id: str | None


@operation("agent.context.chat", role=Role.READER, audience="model")
def told_chat_context(call: Call, request: TellChatContextRequest) -> TellChatContextResponse:
    """Add what a model must know to a conversation, without the author's trace."""
    asked = None if request.chapter is None else Moment(chapter=request.chapter, scene=request.scene or 0)
    with listening(call, request.project_id, asked) as view:
        pinned = tuple(pinned_id(view, whom) for whom in request.pinned)
        chapter, scene = next_scene(view.reader, request.project_id)
    if asked is None:
        scene = scene if request.scene is None else request.scene
        refuse_unheard_teller(call, request.project_id, Moment(chapter=chapter, scene=scene))
    asking = {**dict(request), "pinned": pinned, "pov": call.pov}
    made = chat_context_for(call, KnowledgeContextChatRequest(**asking), "mcp")
    moment = Moment(chapter=made.chapter, scene=made.scene)
    with listening(call, request.project_id, moment) as view:
        included, missed = told_pieces(view, made.trace)
    return TellChatContextResponse(
        messages=made.messages,
        included=included,
        no_room=missed,
        estimated_tokens=made.estimated_tokens,
        total_budget=made.total_budget,
        receipt_id=made.receipt_id,
    )
