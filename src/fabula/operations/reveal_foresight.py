"""What would change in the contexts of scenes if a reveal came at another moment."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from fabula.assembly.assemble import assemble
from fabula.assembly.context import AssembledContext, TraceItem
from fabula.assembly.setting import Budget
from fabula.call import Call
from fabula.canon.reveal import existing_reveal
from fabula.index.story_index import StoryIndex
from fabula.model.account import Role
from fabula.model.moment import Moment, first_instant, instant_of
from fabula.model.reveal import Reveal
from fabula.model.wire import Id, Value
from fabula.operations.context import AssembleContextRequest, candidates_for, question_about
from fabula.operations.table import StoryRequest, operation

MOST_SCENES = 50


class ChangedPiece(Value):
    """A piece of a context, as its trace names it."""

    kind: str
    id: str
    label: str


class ChangedScene(Value):
    """What the context of a scene would gain and lose, and what it would tell in other words."""

    chapter: int
    scene: int
    title: str
    gains: tuple[ChangedPiece, ...]
    loses: tuple[ChangedPiece, ...]
    changes: tuple[ChangedPiece, ...]


class RevealWhatIfResponse(Value):
    """The scenes between the two moments whose contexts would differ; `sceneCount` counts all of them."""

    reveal: Reveal
    at: Moment
    scenes: tuple[ChangedScene, ...]
    scene_count: int
    truncated: bool


class RevealWhatIfRequest(StoryRequest):
    """A reveal, and the moment at which it might come."""

    id: Id
    at: Moment


@operation("reveal.what_if", role=Role.READER)
def what_if(call: Call, request: RevealWhatIfRequest) -> RevealWhatIfResponse:
    """Show what the contexts of scenes would gain and lose if a reveal came at another moment."""
    project_id = request.project_id
    with call.store.read() as reader:
        reveal = existing_reveal(reader, project_id, request.id)
        headings = reader.manuscript.headings(project_id)
    first, last = sorted((first_instant(reveal.at), first_instant(request.at)))
    between = [one for one in headings if first <= instant_of(one.chapter_index, one.scene_index) < last]
    moved = reveal.model_copy(update={"at": request.at})
    scenes = []
    for one in between[:MOST_SCENES]:
        wish = AssembleContextRequest(project_id=project_id, chapter=one.chapter_index, scene=one.scene_index)
        now, then = (_told(call, wish, supposed) for supposed in (_supposing(reveal), _supposing(moved)))
        changed = _difference(now, then)
        if any(changed.values()):
            place = {"chapter": one.chapter_index, "scene": one.scene_index, "title": one.title}
            scenes.append(ChangedScene.trusted(**place, **changed))
    return RevealWhatIfResponse(
        reveal=reveal,
        at=request.at,
        scenes=tuple(scenes),
        scene_count=len(between),
        truncated=len(between) > MOST_SCENES,
    )


def _supposing(reveal: Reveal) -> Callable[[StoryIndex], StoryIndex]:
    def supposed(index: StoryIndex) -> StoryIndex:
        other = copy(index)
        other.identities = index.identities.supposing(reveal)
        return other

    return supposed


def _told(
    call: Call, wish: AssembleContextRequest, supposing: Callable[[StoryIndex], StoryIndex]
) -> AssembledContext:
    with question_about(call, wish, supposing=supposing) as question:
        asking = candidates_for(question)
    return assemble(question.setting, asking, Budget(question.token_budget, {}))


def _difference(now: AssembledContext, then: AssembledContext) -> dict[str, tuple[ChangedPiece, ...]]:
    had, has = _included(now), _included(then)
    return {
        "gains": tuple(_piece(has[key]) for key in has if key not in had),
        "loses": tuple(_piece(had[key]) for key in had if key not in has),
        "changes": tuple(
            _piece(has[key])
            for key in has
            if key in had and (had[key].tokens, had[key].label) != (has[key].tokens, has[key].label)
        ),
    }


def _included(context: AssembledContext) -> dict[tuple[str, str], TraceItem]:
    return {(item.kind, item.id): item for item in context.trace if item.included}


def _piece(item: TraceItem) -> ChangedPiece:
    return ChangedPiece(kind=item.kind, id=item.id, label=item.label)
