"""A conversation with a model that knows the story: assemble the context, ask, optionally save."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fabula.assembly.context import AssembledContext
from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.llm.chat import ChatEnd, ChatModel, ChatRequest, ChatRole
from fabula.model.account import Role
from fabula.model.context import ChatMessage
from fabula.operations.access import require
from fabula.operations.chat.context_window import context_budget
from fabula.operations.chat.placement import GAP, told_by
from fabula.operations.chat.values import ChatDone, ContextUsed, SavedScene, StoryChatRequest
from fabula.operations.context import AssembleContextRequest, assemble_context
from fabula.operations.manuscript.after_saving import EXTRACTION, SNAPSHOT, subject_of
from fabula.operations.manuscript.manuscript import put_scene
from fabula.operations.table import operation

# This much of a conversation shows its topic; names mentioned long ago are no longer relevant.
RECENT_CHARACTERS = 8_000
RECENT_MESSAGES = 12


@dataclass(frozen=True, slots=True)
class Conversation:
    """The request to the model, the context it includes, and the scene as it was read."""

    context: ContextUsed
    asked: ChatRequest
    model: ChatModel
    text: str
    version: int


@operation("chat.begin", role=Role.READER)
def begin_chat(call: Call, request: StoryChatRequest) -> Conversation:
    """Prepare a model request with the story's context; it is metered but not yet sent.

    LlmUnavailable without a model, RateLimited if the caller has to wait.
    """
    project_id = request.project_id
    if request.save is not None:
        require(call, project_id, Role.EDITOR)
    model = call.model()
    with call.store.read() as reader:
        story = reader.story(project_id)
        saved = reader.manuscript.scene(project_id, request.chapter, request.scene)
    text = request.text if request.text is not None else saved.text if saved is not None else ""
    said = [turn.content for turn in request.messages]
    if not text.strip() and not any(turn.content.strip() for turn in request.messages if turn.role == "user"):
        raise InvalidInput(
            "There is nothing to answer: the scene has no text, and no message is from the user.",
            suggestion="Give text, or messages whose last one says what you want.",
        )
    budget = context_budget(call, story, request.token_budget, [text, *said], request.max_tokens)
    turns = (turn.content for turn in request.messages if turn.role != "system")
    wanted = AssembleContextRequest(
        project_id=project_id,
        chapter=request.chapter,
        scene=request.scene,
        text=GAP.join(filter(None, (text, recent(turns)))),
        token_budget=budget,
        pinned=request.pinned,
        shares=request.shares,
    )
    context = assemble_context(call, wanted)
    return Conversation(
        context=_used(project_id, request, context),
        asked=ChatRequest(
            messages=_spoken(context, text, request),
            temperature=request.temperature,
            max_tokens=request.max_tokens,
        ),
        model=model.for_one_call(),
        text=text,
        version=0 if saved is None else saved.version,
    )


def end_chat(
    call: Call, request: StoryChatRequest, talk: Conversation, answer: str, end: ChatEnd
) -> ChatDone:
    """Save the answer if requested, and report how it ended.

    Conflict, with nothing saved, if somebody else has changed the scene since it was read.
    """
    saved, project_id = None, request.project_id
    if request.save is not None and answer.strip():
        whole = answer if request.save == "replace" else _joined(talk.text, answer)
        kept, _ = put_scene(
            call,
            project_id=project_id,
            chapter=request.chapter,
            scene=request.scene,
            text=whole,
            expected_version=talk.version,
        )
        saved = SavedScene(
            chapter=kept.chapter, scene=kept.scene, version=kept.version, word_count=kept.word_count
        )
    return ChatDone(
        model=end.model,
        finish_reason=end.finish_reason,
        prompt_tokens=end.prompt_tokens,
        completion_tokens=end.completion_tokens,
        saved=saved,
        jobs=() if saved is None else _jobs_about(call, project_id, saved),
    )


def recent(texts: Iterable[str]) -> str:
    """Return the last messages of a conversation, the oldest of them truncated, separated by blank lines."""
    kept: list[str] = []
    room = RECENT_CHARACTERS
    for text in list(texts)[: -RECENT_MESSAGES - 1 : -1]:
        if room > 0 and text.strip():
            kept.append(text[-room:])
            room -= len(text)
    return GAP.join(reversed(kept))


def _spoken(context: AssembledContext, text: str, request: StoryChatRequest) -> tuple[ChatMessage, ...]:
    """Return the messages for the model: system, context, scene, what follows it, and the conversation."""
    told = told_by(context)
    scene = text if text.strip() else ""
    spoken: list[tuple[ChatRole, str]] = [
        ("system", told.system),
        ("system", told.before),
        ("user", scene),
        ("system", told.after),
        *((turn.role, turn.content) for turn in request.messages),
    ]
    return tuple(ChatMessage(role=role, content=said) for role, said in spoken if said)


def _used(project_id: str, request: StoryChatRequest, context: AssembledContext) -> ContextUsed:
    return ContextUsed(
        story_id=project_id,
        chapter=request.chapter,
        scene=request.scene,
        estimated_tokens=context.estimated_tokens,
        total_budget=context.total_budget,
        stable_prefix=context.stable_prefix,
        stable_prefix_tokens=context.stable_prefix_tokens,
        trace=context.trace,
    )


def _jobs_about(call: Call, project_id: str, saved: SavedScene) -> tuple[str, ...]:
    """Return the unfinished jobs that saving a scene has queued."""
    subject = subject_of(saved.chapter, saved.scene)
    with call.store.read() as reader:
        found = [reader.jobs.unfinished(project_id, kind, subject) for kind in (EXTRACTION, SNAPSHOT)]
    return tuple(one.job.id for one in found if one is not None)


def _joined(text: str, answer: str) -> str:
    """Append a continuation to the text, as a new paragraph unless whitespace separates them already."""
    is_apart = not text or text[-1].isspace() or answer[:1].isspace()
    return text + answer if is_apart else text + GAP + answer
