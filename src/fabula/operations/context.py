"""The context for a scene: detect names in its text, gather candidates, assemble."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, create_model

from fabula.assembly.assemble import assembled
from fabula.assembly.context import AssembledContext
from fabula.assembly.pieces import Weighed
from fabula.assembly.sections import SECTIONS
from fabula.assembly.setting import Budget, SceneSetting
from fabula.assembly.trace import for_display, nearest_left_out
from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.context.book_scan import compile_books
from fabula.context.candidates.catalogue import CANDIDATES, BooksAsked, Question
from fabula.context.candidates.gathering import ids_called, stage
from fabula.context.candidates.topic import questions_of, topic_of
from fabula.context.detection import detect, told_as_one, with_names
from fabula.context.edition_cache import RECENT_SNAPSHOTS, snapshots_before
from fabula.context.point_of_view import Pov, seen_by
from fabula.index.deadline import Deadline
from fabula.index.story_index import StoryIndex
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.moment import Moment, first_instant
from fabula.model.story_settings import LARGEST_BUDGET, RECALL_ENTRIES, budget_for, wants
from fabula.model.wire import Id, Name, Text, Value
from fabula.operations.manuscript.manuscript import no_scene
from fabula.operations.receipt_keeping import (
    AskedContext,
    MadeContext,
    ReceiptDoor,
    keep_receipt,
    new_receipt,
    state_of,
)
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

TokenBudget = Annotated[int, Field(ge=0, le=LARGEST_BUDGET)]
Share = Annotated[float, Field(ge=0, le=1)]


# Assembling a context runs many queries, so it may take this many times the query timeout.
CONTEXT_PATIENCE = 5
_TOO_SLOW = "Try again in a moment. If the machine is always this slow, raise FABULA_QUERY_TIMEOUT_MS."


if TYPE_CHECKING:

    class Shares(Value):
        """Which part of the budget a section may claim before the lore."""

else:
    Shares = create_model(
        "Shares",
        __base__=Value,
        __doc__="Which part of the budget a section may claim before the lore.",
        __module__=__name__,
        **{section.key: (Share, section.share) for section in SECTIONS if section.share is not None},
    )


class AssembleContextRequest(StoryRequest):
    """The scene to write: its position, its text so far (by default the saved text), and pinned items.

    Without a token budget, that of the story's settings applies, or else 4,000. Clients that query at
    every pause in typing can limit what was left out with `left_out_limit` and omit the messages; the trace
    then has no levels, priorities and scores, and over HTTP no fields that have their defaults. In lorebooks
    that are scanned, `{{user}}` and `{{char}}` stand for `user` and `char`, and `seed` decides the dice;
    without one, the story and the scene do. With `receipt`, the server keeps a receipt of what was told.
    """

    chapter: ChapterIndex
    scene: SceneIndex
    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] | None = None
    token_budget: TokenBudget | None = None
    pinned: Annotated[tuple[Id, ...], Field(max_length=1000)] = ()
    shares: Shares = Shares()
    left_out_limit: Annotated[int, Field(ge=0, le=100_000)] | None = None
    with_messages: bool = True
    user: Annotated[Name, Field(max_length=100)] = "User"
    char: Annotated[Text, Field(max_length=100)] = ""
    seed: Annotated[Text, Field(max_length=200)] | None = None
    pov: Pov = None
    receipt: bool = False


@dataclass(frozen=True, slots=True)
class BesideText:
    """What a conversation says beside its text: where only names count, and who is pinned by name."""

    naming: str = ""
    pinned: tuple[str, ...] = ()


NOTHING_BESIDE = BesideText()


@operation("context.assemble", role=Role.READER)
def assemble_context(call: Call, request: AssembleContextRequest) -> AssembledContext:
    """Assemble what a model must know to write a scene, with a reason for every piece."""
    return context_for(call, request, "context" if request.receipt else None)


def context_for(call: Call, request: AssembleContextRequest, door: ReceiptDoor | None) -> AssembledContext:
    """Assemble the context of a scene for whoever asks, with a receipt unless `door` is None."""
    made = made_context(call, request)
    context = made.context
    if door is not None:
        asked = AskedContext(request.chapter, request.scene, request.pov, scene_input(request))
        messages = [message.model_dump() for message in context.messages]
        receipt = new_receipt(call, request.project_id, door, asked, made, messages)
        kept = {"receipt_id": keep_receipt(call, request.project_id, receipt)}
        context = context.model_copy(update=kept)
    return _as_asked(context, request)


def made_context(call: Call, request: AssembleContextRequest) -> MadeContext:
    """Assemble the context of a scene, whole and without a receipt."""
    with measured(call) as made:
        with question_about(call, request) as question:
            asking = candidates_for(question)
            seed = "" if question.scan is None else question.scan.seed
            state = state_of(call, question)
        fitted = assembled(question.setting, asking, Budget(question.token_budget, dict(request.shares)))
        context = fitted.context.model_copy(update={"seed": seed}) if seed else fitted.context
        made.append(context)
    return MadeContext(fitted, context, state)


def scene_input(request: AssembleContextRequest) -> dict[str, Any]:
    """Return what the context of a scene depends on beside the story."""
    beside = {"project_id", "left_out_limit", "with_messages", "receipt"}
    return {"scene": request.model_dump(mode="json", by_alias=True, exclude=beside)}


@contextmanager
def measured(call: Call) -> Iterator[list[AssembledContext]]:
    """Note how long the block takes, and the tokens of the context that it makes."""
    began = call.clock.monotonic()
    made: list[AssembledContext] = []
    yield made
    call.meters.context_seconds.note(call.clock.monotonic() - began)
    call.meters.context_tokens.note(made[-1].estimated_tokens)


def _as_asked(context: AssembledContext, request: AssembleContextRequest) -> AssembledContext:
    less: dict[str, object] = {}
    trace = context.trace
    if request.left_out_limit is not None:
        less["trace"] = trace = nearest_left_out(trace, request.left_out_limit)
    if not request.with_messages:
        less = {"trace": for_display(trace), "messages": ()}
    return context.model_copy(update=less) if less else context


def candidates_for(question: Question) -> dict[str, Iterable[Any] | Weighed[Any]]:
    """Gather the candidates of every section."""
    return {section.key: CANDIDATES[section.key](question) for section in SECTIONS}


@contextmanager
def question_about(
    call: Call,
    request: AssembleContextRequest,
    beside: BesideText = NOTHING_BESIDE,
    supposing: Callable[[StoryIndex], StoryIndex] = lambda index: index,
) -> Iterator[Question]:
    """Open the question that a context answers: a scene or a conversation, and what stands beside it.

    `supposing` may put another story in the place of the one that is told.
    """
    project_id = request.project_id
    moment = Moment(chapter=request.chapter, scene=request.scene)
    meaning = call.meaning.about(
        call.store, project_id, lambda reader: _questions(reader, project_id, request)
    )
    with call.store.read() as reader:
        story = reader.story(project_id)
        budget = budget_for(story.settings, request.token_budget)
        text = _text(reader, project_id, request)
        with call.indexes.lease(reader, project_id) as leased:
            index = supposing(leased)
            index.build_for_questions(reader)
            index.date_by_appearance(reader)
            compile_books(reader, index)
            tokens = call.tokens
            patience_ms = CONTEXT_PATIENCE * call.limits.query_timeout_ms
            deadline = Deadline(call.clock.monotonic, patience_ms, _TOO_SLOW)
            pov = seen_by(reader, index, request.pov, first_instant(moment))
            unknown = ModelView(reader, index, first_instant(moment), pov=pov).unknown_term()
            found = detect(reader, index, text, deadline.check, unknown)
            if beside.naming:
                found = with_names(found, detect(reader, index, beside.naming, deadline.check, unknown))
            called = (key for name in beside.pinned for key in ids_called(reader, index, name, unknown))
            pins = (*request.pinned, *called)
            view = stage(reader, index, moment, text, pins, deadline, found, pov)
            found = told_as_one(found, view.leader)
            titles = reader.manuscript.chapter_titles(project_id)
            setting = SceneSetting(first_instant(moment), story.language, tokens, text, titles)
            snapshots = snapshots_before(reader, index, moment)
            recalls = wants(story.settings, RECALL_ENTRIES)
            asked = BooksAsked(request.user, request.char, request.seed)
            pinned = frozenset(request.pinned)
            yield Question(view, setting, found, snapshots, meaning, budget, recalls, asked, pinned)


def _text(reader: Reader, project_id: str, request: AssembleContextRequest) -> str:
    if request.text is not None:
        return request.text
    saved = reader.manuscript.scene(project_id, request.chapter, request.scene)
    return saved.text if saved is not None else ""


def _questions(reader: Reader, project_id: str, request: AssembleContextRequest) -> tuple[str, ...]:
    """Return the queries that the scene will make, so that they can be embedded in advance."""
    text, language = _text(reader, project_id, request), reader.story(project_id).language
    place = (request.chapter, request.scene)
    snapshots = reader.manuscript.snapshots_before(project_id, *place, RECENT_SNAPSHOTS)
    return questions_of(topic_of(text, language, snapshots), language)


class PreviewContextRequest(StoryRequest):
    """A saved scene or the next one to write, the budget of its context, and whether to keep a receipt."""

    chapter: ChapterIndex
    scene: SceneIndex
    token_budget: TokenBudget | None = None
    pov: Pov = None
    receipt: bool = False


@operation("context.preview", role=Role.READER)
def preview_context(call: Call, request: PreviewContextRequest) -> AssembledContext:
    """Preview the context of a saved scene or of the next one to write; NotFound beyond that."""
    project_id, chapter, scene = request.project_id, request.chapter, request.scene
    with call.store.read() as reader:
        reader.story(project_id)
        _refuse_out_of_range(reader, project_id, chapter, scene)
    return assemble_context(
        call,
        AssembleContextRequest(
            project_id=project_id,
            chapter=chapter,
            scene=scene,
            token_budget=request.token_budget,
            pov=request.pov,
            receipt=request.receipt,
        ),
    )


def _refuse_out_of_range(reader: Reader, project_id: str, chapter: int, scene: int) -> None:
    """Refuse a scene beyond the end: at most one past the last scene of a chapter, or the last chapter."""
    places = [(h.chapter_index, h.scene_index) for h in reader.manuscript.headings(project_id)]
    places += [(s.chapter_index, s.scene_index) for s in reader.manuscript.snapshots(project_id)]
    if not places:
        return
    last_chapter = max(chapter for chapter, _ in places)
    last_scene = max((s for c, s in places if c == chapter), default=-1)
    if chapter > last_chapter + 1 or scene > last_scene + 1:
        raise no_scene(chapter, scene)
