"""An agent is a model: whom it may ask about, and when."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.errors import NotFound
from fabula.matching import Matcher, Term
from fabula.model.audience import OpenText
from fabula.model.entity import Entity
from fabula.model.moment import Moment, first_instant
from fabula.model.names import name_key
from fabula.model.story import Story
from fabula.store.naming import bearers_of
from fabula.store.reader import Reader
from fabula.store.scans import scan_hidden_words


@contextmanager
def listening(call: Call, project_id: str, moment: Moment | None) -> Iterator[ModelView]:
    """The view of an agent at a moment of a story, or for the whole of it."""
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            instant = None if moment is None else first_instant(moment)
            yield ModelView(reader, index, instant, deadline=call.deadline())


def asked_for(view: ModelView, whom: str) -> tuple[ModelView, int, Entity]:
    """Whom an agent means by an id, a name or an alias, and the view that may hear of them.

    Who is told by hand only must be asked for by id: an agent finds names in texts by itself, an id it has
    from a person. Who may not be told of is not there.
    """
    slots = view.index.roster.slot_of
    if whom in slots:
        asking = replace(view, pinned_slots=view.pinned_slots | {slots[whom]})
        candidates = [(asking, slots[whom])]
    else:
        bearers = bearers_of(view.reader, view.index.project_id, {name_key(whom)}).get(name_key(whom), [])
        by_name = sorted(bearers, key=lambda bearer: (not bearer.is_name, bearer.id))
        candidates = [(view, slots[bearer.id]) for bearer in by_name]
    for listener, slot in candidates:
        for entity in heard_of(listener, [slot]).values():
            return listener, slot, entity
    raise NotFound(
        f"There is nobody and nothing called '{whom}' that you may be told of here.",
        details={"entity": whom},
        suggestion="Search for it, list the entities, or ask as of a later scene.",
    )


def heard_of(view: ModelView, slots: list[int]) -> dict[int, Entity]:
    """The entities among these that an agent may be told of: those whose very name is no secret's."""
    told = [slot for slot in slots if view.may_be_told(slot)]
    entities = view.index.entities(view.reader, told)
    return {slot: one for slot, one in zip(told, entities, strict=True) if view.own_names(one)}


def told_aliases(view: ModelView, entity: Entity) -> tuple[OpenText, ...]:
    """The other names of somebody, without those that are a secret's."""
    return view.own_names(entity)[1:]


def open_title(call: Call, reader: Reader, story: Story) -> OpenText:
    """The title of a story; nothing if it names what the author hides in it."""
    names = [name for words in scan_hidden_words(reader, story.id) for name in words]
    secrets = Matcher((Term(name, name, "name", whole_word=False) for name in names), loose=True)
    if not secrets.owners(story.title):
        return OpenText(story.title)
    with call.indexes.lease(reader, story.id) as index:
        return heard_title(ModelView(reader, index, None), story)


def heard_title(view: ModelView, story: Story) -> OpenText:
    """The same for somebody who listens to the story already."""
    return replace(view, instant=None).label(story.title)
