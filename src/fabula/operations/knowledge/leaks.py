"""What would leak if somebody told a scene: private facts in it that they do not know."""

from __future__ import annotations

from fabula.call import Call
from fabula.context.detection import detect
from fabula.context.point_of_view import seen_by
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.fact import FactKind, FactRef
from fabula.model.moment import instant_of
from fabula.model.wire import Name, Value
from fabula.operations.context import AssembleContextRequest, assemble_context
from fabula.operations.knowledge.told_facts import labels_of
from fabula.operations.table import StoryRequest, operation


class LeakingFact(Value):
    """A private fact that the point of view does not know.

    `inText` if the scene's text names or quotes it, `inContext` if a context without point of view tells it.
    """

    fact: FactRef
    label: str
    in_text: bool
    in_context: bool


class LeaksResponse(Value):
    """What would leak."""

    items: tuple[LeakingFact, ...]


class LeaksRequest(StoryRequest):
    """A scene, and from whose point of view it would be told."""

    chapter: ChapterIndex
    scene: SceneIndex
    pov: Name


@operation("knowledge.leaks", role=Role.READER)
def would_leak(call: Call, request: LeaksRequest) -> LeaksResponse:
    """Say which private facts in a scene and its context somebody does not know."""
    asked = AssembleContextRequest(
        project_id=request.project_id, chapter=request.chapter, scene=request.scene
    )
    context = assemble_context(call, asked)
    instant = instant_of(request.chapter, request.scene)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        pov = seen_by(reader, index, request.pov, instant)
        if pov is None:
            return LeaksResponse(items=())
        lorebook, rows = index.lorebook(reader), pov.knowledge.rows
        told = {
            FactRef.trusted(kind=kind, id=key)
            for item in context.trace
            if item.included
            for key in (item.id, item.id.partition(":")[2], lorebook.entity_of.get(item.id))
            if key
            for kind in rows.kinds
        }
        saved = reader.manuscript.scene(request.project_id, request.chapter, request.scene)
        text = "" if saved is None else saved.text
        found = detect(reader, index, text)
        named = {FactRef.trusted(kind=FactKind.ENTITY, id=index.roster.ids[slot]) for slot in found.entities}
        named |= {FactRef.trusted(kind=FactKind.ENTRY, id=key) for key in found.entries}
        named |= {
            one for one in index.known.quotations(reader).owners(text, None) if isinstance(one, FactRef)
        }
        leaking = [fact for fact in told | named if rows.is_private(fact) and pov.hides(fact)]
        labels = labels_of(reader, index, leaking)
    items = [
        LeakingFact.trusted(fact=fact, label=label, in_text=fact in named, in_context=fact in told)
        for fact, label in labels.items()
    ]
    return LeaksResponse(items=tuple(sorted(items, key=lambda one: (one.label, one.fact.id))))
