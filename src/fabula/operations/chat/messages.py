"""The messages to send to a model for a conversation that a story takes part in, with every reason."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.assembly.context import TraceItem
from fabula.call import Call
from fabula.context.point_of_view import Pov
from fabula.llm.chat import ChatRole
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.wire import Description, Id, Name, Text, Value
from fabula.operations.chat.book_texts import USUAL_DEPTH, AuthorsNote
from fabula.operations.chat.chat_context import ChatWishes, StoryTalk, ToldTalk, told_talk
from fabula.operations.chat.model_names import next_scene
from fabula.operations.chat.placement import arranged
from fabula.operations.chat.values import PersonName, ScanDepth, Trigger, Turn
from fabula.operations.context import Shares, TokenBudget
from fabula.operations.receipt_keeping import ReceiptDoor, keep_receipt
from fabula.operations.table import Request, operation
from fabula.world_info import ScanData

MOST_MESSAGES = 20_000


class CharacterTexts(Value):
    """What entries of lorebooks may ask to be searched, and what macros such as `{{scenario}}` stand for."""

    persona: Description = ""
    description: Description = ""
    personality: Description = ""
    scenario: Description = ""
    depth_prompt: Description = ""
    creator_notes: Description = ""


class ContextMessage(Value):
    """A message to send; `added` if it comes from the story."""

    role: ChatRole
    content: str
    name: str | None = None
    added: bool = False


class KnowledgeContextChatResponse(Value):
    """The messages to send, and the reason for every piece that was added or left out.

    `estimated_tokens` are those of the added messages. `seed` decided the dice of scanned lorebooks.
    `receipt_id` is that of the receipt, if one is kept.
    """

    messages: tuple[ContextMessage, ...]
    chapter: int
    scene: int
    estimated_tokens: int
    total_budget: int
    seed: str
    trace: tuple[TraceItem, ...]
    left_out_count: int
    receipt_id: str | None = None


class KnowledgeContextChatRequest(Request[KnowledgeContextChatResponse]):
    """A conversation, who takes part in it, and its place in the story, by default the next scene.

    `pinned` are ids, names or aliases. The rest is for lorebooks scanned as in SillyTavern: `scan_depth` is
    in place of their own setting, timed effects are kept under `conversation_id` or else under the messages
    themselves, and with `dry_run` they are neither used nor kept. With `receipt`, the server keeps a
    receipt of what was told.
    """

    messages: Annotated[tuple[Turn, ...], Field(max_length=MOST_MESSAGES)]
    user: PersonName = ""
    char: PersonName = ""
    trigger: Trigger = "normal"
    conversation_id: Id | None = None
    chapter: ChapterIndex | None = None
    scene: SceneIndex | None = None
    token_budget: TokenBudget | None = None
    pinned: Annotated[tuple[Id | Name, ...], Field(max_length=1000)] = ()
    shares: Shares = Shares()
    scan_depth: ScanDepth | None = None
    character: CharacterTexts = CharacterTexts()
    note: Description = ""
    note_depth: Annotated[int, Field(ge=0, le=1_000)] = USUAL_DEPTH
    seed: Annotated[Text, Field(max_length=200)] | None = None
    dry_run: bool = False
    pov: Pov = None
    receipt: bool = False


@operation("context.chat", role=Role.READER, channel="knowledge:context:chat")
def chat_context(call: Call, request: KnowledgeContextChatRequest) -> KnowledgeContextChatResponse:
    """Add what a model must know to a conversation: memory, lorebooks at their places, and every reason."""
    return chat_context_for(call, request, "conversation" if request.receipt else None)


def chat_context_for(
    call: Call, request: KnowledgeContextChatRequest, door: ReceiptDoor | None
) -> KnowledgeContextChatResponse:
    """Add what a model must know to a conversation of whoever asks, with a receipt unless `door` is None."""
    chapter, scene, told = told_conversation(call, request)
    context, receipt_id = told.context, None
    if door is not None:
        receipt_id = keep_receipt(call, request.project_id, told.receipt(call, door))
    mine = {id(message) for message in told.messages}
    return KnowledgeContextChatResponse(
        messages=tuple(
            ContextMessage(**message, added=id(message) not in mine)
            for message in arranged(told.insertions, told.messages)
        ),
        chapter=chapter,
        scene=scene,
        estimated_tokens=context.estimated_tokens,
        total_budget=context.total_budget,
        seed=context.seed,
        trace=context.trace,
        left_out_count=context.left_out_count,
        receipt_id=receipt_id,
    )


def told_conversation(call: Call, request: KnowledgeContextChatRequest) -> tuple[int, int, ToldTalk]:
    """Return the chapter and scene of a conversation, and the conversation with its context."""
    with call.store.read() as reader:
        story = reader.story(request.project_id)
        place = next_scene(reader, request.project_id) if request.chapter is None else (request.chapter, 0)
    chapter, scene = place[0], place[1] if request.scene is None else request.scene
    texts = request.character
    wishes = ChatWishes(
        token_budget=request.token_budget,
        called=request.pinned,
        shares=request.shares,
        user=request.user,
        char=request.char,
        scan_data=ScanData(
            persona_description=texts.persona,
            character_description=texts.description,
            character_personality=texts.personality,
            character_depth_prompt=texts.depth_prompt,
            scenario=texts.scenario,
            creator_notes=texts.creator_notes,
            trigger=request.trigger,
        ),
        conversation_id=request.conversation_id,
        scan_depth=request.scan_depth,
        note=AuthorsNote(request.note, request.note_depth),
        seed=request.seed,
        dry_run=request.dry_run,
        pov=request.pov,
    )
    messages = [turn.spoken for turn in request.messages]
    return chapter, scene, told_talk(call, StoryTalk(story, chapter, scene, messages, wishes))
