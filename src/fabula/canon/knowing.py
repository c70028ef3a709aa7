"""Knowings: the only way to save, change and remove them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from fabula.canon.fact import existing_fact
from fabula.canon.scope import existing_entity
from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.errors import InvalidInput, NotFound
from fabula.model.entity import Entity
from fabula.model.fact import FactRef
from fabula.model.knowing import KNOW_NOTHING, LONGEST_BELIEF, HowKnown, Knowing, KnowingSource
from fabula.model.relation import Period
from fabula.model.wire import Id, Text, is_same
from fabula.store.reader import Reader

Belief = Annotated[Text, StringConstraints(max_length=LONGEST_BELIEF)]


class KnowingFields(Period):
    """Who knows which fact, since when and how; `knows: false` refuses what would follow from taking part."""

    fact: FactRef
    knower_id: Id
    knows: bool = True
    how: HowKnown = HowKnown.TOLD
    belief: Belief = ""
    source: KnowingSource | None = Field(default=None)

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        if self.belief.strip() and not self.knows:
            raise ValueError("give a belief, or knows: false, but not both")
        return self


def save(step: Step, before: Knowing | None, told: KnowingFields) -> Knowing:
    """Save a new or changed knowing."""
    _check(step, told)
    if before is not None:
        fields = {name: getattr(told, name) for name in KnowingFields.model_fields}
        after = before.model_copy(update=fields)
        if is_same(before, after):
            return before
        after = touched(step, after)
        step.replace([(before, after)])
        return after
    knowing = _new(step, told)
    step.add([knowing])
    return knowing


def _new(step: Step, told: KnowingFields) -> Knowing:
    return Knowing.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        **{name: getattr(told, name) for name in KnowingFields.model_fields},
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )


def add_all(step: Step, told: Iterable[KnowingFields]) -> None:
    """Save many new knowings at once whose facts, knowers and sources were already looked up."""
    step.add([_new(step, one) for one in told])


def _check(step: Step, told: KnowingFields) -> None:
    """Refuse a fact, a knower or a source that does not exist, and a knower that cannot know anything."""
    existing_fact(step, step.project_id, told.fact)
    refuse_knowing_nothing(existing_entity(step, step.project_id, told.knower_id), "knowerId")
    source = told.source
    if source is None:
        return
    if source.event_id is not None:
        existing_entity(step, step.project_id, source.event_id)
    if source.scene_id is not None:
        scene = step.manuscript.scene_of_id(step.project_id, source.scene_id)
        if scene is None:
            raise NotFound(
                f"There is no scene '{source.scene_id}' in this story.", details={"id": source.scene_id}
            )


def refuse_knowing_nothing(entity: Entity, field: str) -> None:
    """Refuse a knower that cannot know anything."""
    if entity.type in KNOW_NOTHING:
        raise InvalidInput(
            f"'{entity.name}' is a {entity.type}, which knows nothing.",
            details={"field": field, "type": entity.type},
            suggestion="Give a character or a faction.",
        )


def remove(step: Step, knowing: Knowing) -> None:
    """Remove a knowing."""
    step.remove([knowing])


def existing_knowing(reader: Reader, project_id: str, knowing_id: str) -> Knowing:
    """Return the knowing; NotFound if the story has none with this id."""
    knowing = reader.knowings.knowing(project_id, knowing_id)
    if knowing is None:
        reader.story(project_id)
        raise NotFound(f"There is no knowing '{knowing_id}' in this story.", details={"id": knowing_id})
    return knowing


def hand_over_knowers(step: Step, heirs: Mapping[str, str]) -> None:
    """Let entities that take the place of others know what they knew; events stay the sources they were."""
    own = step.knowings.of_knowers(step.project_id, heirs)
    step.replace([(one, touched(step, one, knower_id=heirs[one.knower_id])) for one in own])
    step.remove(_repeated(step.knowings.of_knowers(step.project_id, set(heirs.values()))))
    learned = step.knowings.learned_in(step.project_id, [], list(heirs))
    for one in learned:
        event_id = heirs[one.source.event_id or ""] if one.source is not None else ""
        source = one.source and one.source.model_copy(update={"event_id": event_id})
        step.replace([(one, touched(step, one, source=source))])


def said_by(one: Knowing | KnowingFields) -> tuple[object, ...]:
    """Return everything that a knowing says, by which two are the same."""
    return one.fact, one.knower_id, one.knows, one.since, one.until, one.how, one.belief, one.source


def _repeated(knowings: Iterable[Knowing]) -> list[Knowing]:
    """Return those that say nothing else than an earlier one."""
    seen: set[tuple[object, ...]] = set()
    repeated = []
    for one in knowings:
        said = said_by(one)
        if said in seen:
            repeated.append(one)
        seen.add(said)
    return repeated
