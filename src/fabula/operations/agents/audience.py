"""The view of an agent, which is a model: what it may query, and at which moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fabula.call import Call
from fabula.canon.knowing import refuse_knowing_nothing
from fabula.context.audience import ModelView
from fabula.context.point_of_view import PointOfView, eyes_of, nobody_called, somebody_called
from fabula.errors import NotFound
from fabula.matching import Matcher, Term
from fabula.model.audience import OpenText
from fabula.model.entity import Entity
from fabula.model.level import may_be_told
from fabula.model.moment import Moment, first_instant
from fabula.model.names import name_key
from fabula.model.story import Story
from fabula.store.naming import bearers_of
from fabula.store.reader import Reader
from fabula.store.scans import scan_hidden_words


@contextmanager
def listening(call: Call, project_id: str, moment: Moment | None) -> Iterator[ModelView]:
    """Open the view of an agent at a moment of a story, or for all of it."""
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            instant = None if moment is None else first_instant(moment)
            view = ModelView(reader, index, instant, deadline=call.deadline())
            yield view if call.pov is None else replace(view, pov=_heard_teller(view, call.pov))


def refuse_unheard_teller(call: Call, project_id: str, moment: Moment | None) -> None:
    """Refuse a point of view of somebody whom an agent may not be told of at a moment."""
    if call.pov is not None:
        with listening(call, project_id, moment):
            pass


def _heard_teller(view: ModelView, pov: str) -> PointOfView:
    """Return the point of view that an agent asks for.

    Somebody whom it may not be told of is reported as not found: hidden, not there at this moment, or asked
    for by a name that is not known yet. An id it has from a person.
    """
    entity = somebody_called(view.reader, view.index, pov)
    slot = view.index.roster.slot_of[entity.id]
    is_early = pov != entity.id and (view.is_name_unknown(entity.id, pov) or view.is_named_later(slot))
    is_open = may_be_told(view.index.roster.levels[slot], named=True)
    if is_early or not is_open or not view.index.roster.is_present(slot, view.instant):
        raise nobody_called(pov)
    refuse_knowing_nothing(view.as_named(entity), "pov")
    return eyes_of(view.reader, view.index, entity.id, view.instant)


def asked_for(view: ModelView, whom: str) -> tuple[ModelView, int, Entity]:
    """Return the entity that an agent means by an id, name or alias, with a view that includes it.

    An entity at level `manual_only` must be requested by id: an agent finds names in texts by itself, but
    an id it has from a person. A hidden entity is reported as not found.
    """
    slots = view.index.roster.slot_of
    if whom in slots:
        asking = replace(view, pinned_slots=view.pinned_slots | {slots[whom]})
        candidates = [(asking, slots[whom])]
    else:
        bearers = bearers_of(view.reader, view.index.project_id, {name_key(whom)}).get(name_key(whom), [])
        by_name = sorted(bearers, key=lambda bearer: (not bearer.is_name, bearer.id))
        candidates = [(view, slots[one.id]) for one in by_name if not view.is_name_unknown(one.id, whom)]
    for listener, one in candidates:
        slot = listener.leader(one)
        for entity in heard_of(listener, [slot]).values():
            return listener, slot, entity
    raise NotFound(
        f"There is nobody and nothing called '{whom}' that you may be told of here.",
        details={"entity": whom},
        suggestion="Search for it, list the entities, or ask as of a later scene.",
    )


def heard_of(view: ModelView, slots: list[int]) -> dict[int, Entity]:
    """Return the entities among these that an agent may see, by slot."""
    told = [slot for slot in slots if view.may_be_told(slot)]
    entities = view.index.entities(view.reader, told)
    known = zip(told, entities, strict=True)
    return {slot: view.as_named(one) for slot, one in known if view.own_names(one)}


def told_aliases(view: ModelView, entity: Entity) -> tuple[OpenText, ...]:
    """Return the open aliases of an entity."""
    return view.own_names(entity)[1:]


def open_title(call: Call, reader: Reader, story: Story) -> OpenText:
    """Return the title of a story, or an empty text if it names a secret."""
    names = [name for words in scan_hidden_words(reader, story.id) for name in words]
    secrets = Matcher((Term(name, name, "name", whole_word=False) for name in names), loose=True)
    if not secrets.owners(story.title):
        return OpenText(story.title)
    with call.indexes.lease(reader, story.id) as index:
        return heard_title(ModelView(reader, index, None), story)


def heard_title(view: ModelView, story: Story) -> OpenText:
    """Return the same for a view of the story that is already open."""
    return replace(view, instant=None).label(story.title)
