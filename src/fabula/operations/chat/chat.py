"""A conversation with a model that knows the story: assemble the context, ask, optionally save."""

from __future__ import annotations

from dataclasses import dataclass

from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.llm.chat import ChatEnd, ChatModel, ChatRequest
from fabula.model.account import Role
from fabula.model.context import ChatMessage
from fabula.operations.access import require
from fabula.operations.chat.chat_context import ChatWishes, StoryTalk, ToldTalk, told_talk
from fabula.operations.chat.context_window import SizedMessage, Talk
from fabula.operations.chat.placement import GAP, Spoken, arranged
from fabula.operations.chat.prose_task import prose_task
from fabula.operations.chat.spoken import recent, sized
from fabula.operations.chat.told import note_told
from fabula.operations.chat.values import ChatDone, ContextUsed, SavedScene, StoryChatRequest
from fabula.operations.manuscript.after_saving import EXTRACTION, SNAPSHOT, subject_of
from fabula.operations.manuscript.manuscript import put_scene
from fabula.operations.table import operation


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
    model = call.model(request.task)
    with call.store.read() as reader:
        story = reader.story(project_id)
        saved = reader.manuscript.scene(project_id, request.chapter, request.scene)
        task = prose_task(reader, project_id, request.chapter, request.scene) if request.prose else None
    text = request.text if request.text is not None else saved.text if saved is not None else ""
    if not text.strip() and not any(turn.content.strip() for turn in request.messages if turn.role == "user"):
        raise InvalidInput(
            "There is nothing to answer: the scene has no text, and no message is from the user.",
            suggestion="Give text, or messages whose last one says what you want.",
        )
    scene = text if text.strip() else ""
    turns: list[Spoken] = [turn.spoken for turn in request.messages]
    if task is not None:
        turns.insert(0, {"role": "system", "content": task})
    messages: list[Spoken] = [*([{"role": "user", "content": scene}] if scene else ()), *turns]
    about = GAP.join(
        filter(None, (text, recent(turn.content for turn in request.messages if turn.role != "system")))
    )
    wishes = ChatWishes(
        token_budget=request.token_budget,
        pinned=request.pinned,
        shares=request.shares,
        conversation_id=request.conversation_id,
        pov=request.pov,
    )
    talk = StoryTalk(story, request.chapter, request.scene, messages, wishes, about)
    # The scene never gives way, as little as an instruction.
    stage = [SizedMessage("system", (scene,))] if scene else []
    window = Talk([*stage, *sized(turns)], answer=request.max_tokens)
    told = told_talk(call, talk, window, "scene" if scene else "beginning")
    receipt_id = note_told(call, project_id, "chat", (request.chapter, request.scene), told)
    return Conversation(
        context=_used(project_id, request, told, receipt_id),
        asked=ChatRequest(
            messages=tuple(
                ChatMessage(role=one["role"], content=one["content"])
                for one in arranged(told.insertions, told.messages)
                if one["content"]
            ),
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


def _used(project_id: str, request: StoryChatRequest, told: ToldTalk, receipt_id: str | None) -> ContextUsed:
    context, fitted = told.context, told.fitted
    return ContextUsed(
        story_id=project_id,
        chapter=request.chapter,
        scene=request.scene,
        memory=fitted.memory,
        dropped_messages=len(fitted.dropped),
        estimated_tokens=context.estimated_tokens,
        total_budget=context.total_budget,
        stable_prefix=context.stable_prefix,
        stable_prefix_tokens=context.stable_prefix_tokens,
        trace=context.trace,
        receipt_id=receipt_id,
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
