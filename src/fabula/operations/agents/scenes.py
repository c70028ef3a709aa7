"""Scenes for agents: reading the last ones, assembling the context of the next, and saving it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from fabula.assembly.context import TraceItem
from fabula.assembly.reasons import ReasonCode
from fabula.call import Call
from fabula.canon.scene_plan import Heading
from fabula.context.audience import ModelView
from fabula.context.world_words import world_time_words
from fabula.errors import Conflict
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.bounds import ChapterIndex, SceneIndex, Version
from fabula.model.context import ChatMessage
from fabula.model.manuscript import MAX_SCENE_LENGTH, Scene
from fabula.model.moment import Moment, instant_of
from fabula.model.wire import Id, Name, Text, Value
from fabula.operations.agents.audience import asked_for, listening
from fabula.operations.context import AssembleContextRequest, Shares, TokenBudget, context_for
from fabula.operations.manuscript.manuscript import PutSceneRequest, no_scene, put_scene
from fabula.operations.table import StoryRequest, operation

DEFAULT_CHARACTERS = 12_000
MOST_CHARACTERS = 200_000
MOST_SCENES = 50


class TellRecentScenesRequest(AsOf, StoryRequest):
    """The scenes before a moment, by default the last ones of the story, and how much text to return."""

    limit: Annotated[int, Field(ge=1, le=MOST_SCENES)] = 3
    max_characters: Annotated[int, Field(ge=1, le=MOST_CHARACTERS)] = DEFAULT_CHARACTERS


class TellSceneResponse(Value):
    """A scene as an agent may read it.

    `cut` says that only its end is returned, `withheld` that sentences you may not read are left out.
    """

    chapter: int
    scene: int
    title: str
    text: str
    word_count: int
    version: int
    world_time: str
    cut: bool
    withheld: bool


class TellRecentScenesResponse(Value):
    """The last scenes in story order; `earlier` says that there are more before them."""

    scenes: tuple[TellSceneResponse, ...]
    earlier: bool


class TellSceneRequest(StoryRequest):
    """A scene by its position."""

    chapter: ChapterIndex
    scene: SceneIndex


class TellContextRequest(TellSceneRequest):
    """The scene to write: its position, its text so far (by default the saved text), and pinned items."""

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] | None = None
    token_budget: TokenBudget | None = None
    pinned: Annotated[tuple[Id | Name, ...], Field(max_length=1000)] = ()


class ToldPiece(Value):
    """A piece of a context, why it is included, and its tokens."""

    kind: str
    label: str
    reason: ReasonCode
    tokens: int
    cut: bool


class MissedPiece(Value):
    """A piece that did not fit, and how many tokens were missing."""

    kind: str
    label: str
    missing_tokens: int


class TellContextResponse(Value):
    """The context for writing a scene: messages for a model, what they contain and why, and what did not fit.

    `stablePrefix` is the hash of the part that stays the same from scene to scene; `receiptId` names its
    receipt.
    """

    messages: tuple[ChatMessage, ...]
    included: tuple[ToldPiece, ...]
    no_room: tuple[MissedPiece, ...]
    estimated_tokens: int
    total_budget: int
    world_time: str
    stable_prefix: str
    stable_prefix_tokens: int
    receipt_id: str | None


class SaveSceneRequest(TellSceneRequest):
    """A scene's text; overwriting an existing scene requires the version that was read."""

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)]
    title: Heading | None = None
    expected_version: Annotated[Version, Field(strict=False)] | None = None


class SaveSceneResponse(Value):
    """The saved scene."""

    chapter: int
    scene: int
    title: str
    word_count: int
    version: int
    created: bool


@operation("agent.scene.recent", role=Role.READER, audience="model")
def recent_scenes(call: Call, request: TellRecentScenesRequest) -> TellRecentScenesResponse:
    """Read the last scenes before a moment, as far as an agent may see them."""
    project_id = request.project_id
    with listening(call, project_id, request.moment) as view:
        places = [
            (heading.chapter_index, heading.scene_index)
            for heading in view.reader.manuscript.headings(project_id)
            if view.instant is None or _is_before(view, heading.chapter_index, heading.scene_index)
        ]
        room, scenes = request.max_characters, []
        for chapter, number in reversed(places[-request.limit :]):
            scene = view.reader.manuscript.scene(project_id, chapter, number)
            if scene is None or room <= 0:
                break
            heard = _heard(view, scene, room)
            room -= len(heard.text)
            scenes.append(heard)
    return TellRecentScenesResponse(scenes=tuple(reversed(scenes)), earlier=len(places) > len(scenes))


@operation("agent.scene.read", role=Role.READER, audience="model")
def told_scene(call: Call, request: TellSceneRequest) -> TellSceneResponse:
    """Read one scene, as far as an agent may see it."""
    project_id = request.project_id
    with listening(call, project_id, None) as view:
        scene = view.reader.manuscript.scene(project_id, request.chapter, request.scene)
        if scene is None:
            raise no_scene(request.chapter, request.scene)
        return _heard(view, scene, MAX_SCENE_LENGTH)


@operation("agent.context.assemble", role=Role.READER, audience="model")
def told_context(call: Call, request: TellContextRequest) -> TellContextResponse:
    """Assemble the context for writing a scene, without the author's trace."""
    project_id = request.project_id
    moment = Moment(chapter=request.chapter, scene=request.scene)
    text = request.text
    with listening(call, project_id, moment) as view:
        pinned = tuple(pinned_id(view, whom) for whom in request.pinned)
        if text is None:
            saved = view.reader.manuscript.scene(project_id, request.chapter, request.scene)
            text = "" if saved is None else view.prose(saved.text)
    wanted = AssembleContextRequest(
        project_id=project_id,
        chapter=request.chapter,
        scene=request.scene,
        text=text,
        token_budget=request.token_budget,
        pinned=pinned,
        shares=Shares(),
        pov=call.pov,
    )
    assembled = context_for(call, wanted, "mcp")
    with listening(call, project_id, moment) as view:
        included, missed = told_pieces(view, assembled.trace)
        when = world_time_words(view)
    return TellContextResponse(
        messages=assembled.messages,
        included=included,
        no_room=missed,
        estimated_tokens=assembled.estimated_tokens,
        total_budget=assembled.total_budget,
        world_time=when,
        stable_prefix=assembled.stable_prefix,
        stable_prefix_tokens=assembled.stable_prefix_tokens,
        receipt_id=assembled.receipt_id,
    )


@operation("agent.scene.save", role=Role.EDITOR, audience="model")
def save_scene(call: Call, request: SaveSceneRequest) -> SaveSceneResponse:
    """Save a scene, without overwriting text that the agent has not read or may not read."""
    project_id = request.project_id
    with listening(call, project_id, None) as view:
        known = view.reader.manuscript.scene(project_id, request.chapter, request.scene)
        if known is not None:
            _refuse_unread(known, request.expected_version)
            _refuse_withheld(_heard(view, known, MAX_SCENE_LENGTH))
    put = PutSceneRequest(
        project_id=project_id,
        chapter=request.chapter,
        scene=request.scene,
        text=request.text,
        title=request.title,
        expected_version=None if known is None else known.version,
    )
    try:
        kept, is_new = put_scene(call, put)
    except Conflict as error:
        raise _changed(request.chapter, request.scene, (error.details or {}).get("latestVersion")) from None
    return SaveSceneResponse(
        **{name: getattr(kept, name) for name in SaveSceneResponse.model_fields if name != "created"},
        created=is_new,
    )


def _is_before(view: ModelView, chapter: int, scene: int) -> bool:
    """Whether a scene is told before the moment of a view, and has happened by then."""
    instant, now = instant_of(chapter, scene), view.instant or 0
    return instant < now and view.index.clock.has_happened(instant, now)


def _heard(view: ModelView, scene: Scene, room: int) -> TellSceneResponse:
    """Return a scene redacted as of its own moment, when entities that have since left were present."""
    instant = instant_of(scene.chapter_index, scene.scene_index)
    at = view.at(instant)
    text, title = at.prose(scene.text), at.label(scene.title)
    if view.pov is not None and view.instant is not None:
        # What somebody knew then they may have forgotten, or come to believe otherwise.
        text, title = view.prose(text), view.label(title)
    return TellSceneResponse(
        chapter=scene.chapter_index,
        scene=scene.scene_index,
        title=title,
        text=text[-room:],
        word_count=scene.word_count,
        version=scene.version,
        world_time=world_time_words(at),
        cut=len(text) > room,
        withheld=text != scene.text,
    )


def pinned_id(view: ModelView, whom: str) -> str:
    """Return the id of a pinned item: entries are given by id, entities by id or name."""
    if whom in view.index.lorebook(view.reader).entity_of:
        return whom
    return asked_for(view, whom)[2].id


def told_pieces(
    view: ModelView, trace: Iterable[TraceItem]
) -> tuple[tuple[ToldPiece, ...], tuple[MissedPiece, ...]]:
    """Return what an agent may know of a trace: the pieces that are included, and those that did not fit."""
    included: list[ToldPiece] = []
    missed: list[MissedPiece] = []
    for item in trace:
        label = view.label(item.label)
        if item.included:
            piece = ToldPiece(
                kind=item.kind, label=label, reason=item.reason, tokens=item.tokens, cut=item.cut
            )
            included.append(piece)
        elif item.reason == "budget":
            missed.append(MissedPiece(kind=item.kind, label=label, missing_tokens=item.missing_tokens))
    return tuple(included), tuple(missed)


def _refuse_unread(known: Scene, expected: int | None) -> None:
    if expected != known.version:
        raise _changed(known.chapter_index, known.scene_index, known.version, expected)


def _refuse_withheld(scene: TellSceneResponse) -> None:
    if scene.withheld:
        raise Conflict(
            f"Scene {scene.scene} of chapter {scene.chapter} has sentences that you may not read; "
            "saving over it would lose them.",
            details={"chapter": scene.chapter, "scene": scene.scene, "withheld": True},
            suggestion="Save your text as another scene, or ask the author to put it in.",
        )


def _changed(chapter: int, scene: int, latest: int | None, expected: int | None = None) -> Conflict:
    asked = "no expectedVersion was given" if expected is None else f"not at version {expected}"
    return Conflict(
        f"There is a scene {scene} in chapter {chapter} already, at version {latest}; {asked}.",
        details={"chapter": chapter, "scene": scene, "expectedVersion": expected, "latestVersion": latest},
        suggestion="Read the scene, change it, and save it with its version in expectedVersion.",
    )
