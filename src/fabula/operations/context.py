"""The context for a scene: detect names in its text, gather candidates, assemble."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, create_model

from fabula.assembly.assemble import assemble
from fabula.assembly.context import AssembledContext
from fabula.assembly.sections import SECTIONS
from fabula.assembly.setting import Budget, SceneSetting
from fabula.assembly.trace import for_display, nearest_left_out
from fabula.call import Call
from fabula.context.candidates.catalogue import CANDIDATES, Question
from fabula.context.candidates.gathering import stage
from fabula.context.candidates.topic import questions_of, topic_of
from fabula.context.detection import detect
from fabula.context.edition_cache import RECENT_SNAPSHOTS, snapshots_before
from fabula.index.deadline import Deadline
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.moment import Moment, first_instant
from fabula.model.story_settings import LARGEST_BUDGET, RECALL_ENTRIES, budget_for, wants
from fabula.model.wire import Id, Text, Value
from fabula.operations.manuscript.manuscript import no_scene
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

TokenBudget = Annotated[int, Field(ge=0, le=LARGEST_BUDGET)]
Share = Annotated[float, Field(ge=0, le=1)]


# Assembling a context runs many queries, so it may take this many times the query timeout.
CONTEXT_PATIENCE = 5


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
    then has no levels, priorities and scores, and over HTTP no fields that have their defaults.
    """

    chapter: ChapterIndex
    scene: SceneIndex
    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] | None = None
    token_budget: TokenBudget | None = None
    pinned: Annotated[tuple[Id, ...], Field(max_length=1000)] = ()
    shares: Shares = Shares()
    left_out_limit: Annotated[int, Field(ge=0, le=100_000)] | None = None
    with_messages: bool = True


@operation("context.assemble", role=Role.READER)
def assemble_context(call: Call, request: AssembleContextRequest) -> AssembledContext:
    """Assemble what a model must know to write a scene, with a reason for every piece."""
    project_id = request.project_id
    began = call.clock.monotonic()
    context = _assembled(call, project_id, request)
    call.meters.context_seconds.note(call.clock.monotonic() - began)
    call.meters.context_tokens.note(context.estimated_tokens)
    return _as_asked(context, request)


def _as_asked(context: AssembledContext, request: AssembleContextRequest) -> AssembledContext:
    less: dict[str, object] = {}
    trace = context.trace
    if request.left_out_limit is not None:
        less["trace"] = trace = nearest_left_out(trace, request.left_out_limit)
    if not request.with_messages:
        less = {"trace": for_display(trace), "messages": ()}
    return context.model_copy(update=less) if less else context


def _assembled(call: Call, project_id: str, request: AssembleContextRequest) -> AssembledContext:
    moment = Moment(chapter=request.chapter, scene=request.scene)
    meaning = call.meaning.about(
        call.store, project_id, lambda reader: _questions(reader, project_id, request)
    )
    with call.store.read() as reader:
        story = reader.story(project_id)
        budget = budget_for(story.settings, request.token_budget)
        text = _text(reader, project_id, request)
        with call.indexes.lease(reader, project_id) as index:
            index.build_for_text(reader)
            deadline = Deadline(call.clock.monotonic, CONTEXT_PATIENCE * call.limits.query_timeout_ms)
            view = stage(reader, index, moment, text, request.pinned, deadline)
            found = detect(reader, index, text, deadline.check)
            setting = SceneSetting(first_instant(moment), story.language, call.tokens, text)
            snapshots = snapshots_before(reader, index, moment)
            recalls = wants(story.settings, RECALL_ENTRIES)
            question = Question(view, setting, found, snapshots, meaning, budget, recalls)
            asking = {section.key: CANDIDATES[section.key](question) for section in SECTIONS}
    return assemble(setting, asking, Budget(budget, dict(request.shares)))


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
    """A saved scene, or the next one to write, and the token budget of its context."""

    chapter: ChapterIndex
    scene: SceneIndex
    token_budget: TokenBudget | None = None


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
            project_id=project_id, chapter=chapter, scene=scene, token_budget=request.token_budget
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
