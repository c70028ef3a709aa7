"""Relations as part of an entity's profile: another way to write and read the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from fabula.canon.consequences.bindings import PREFERRED
from fabula.canon.relation import bad_ends, new_pending, new_relation, refuse_backward_period, save_all
from fabula.canon.relation_fields import RelationFields
from fabula.canon.step import Step
from fabula.errors import InvalidInput
from fabula.model.entity import Entity
from fabula.model.event import EVENT, TIMELINE, PendingRelation
from fabula.model.fact import Secrecy
from fabula.model.moment import first_instant
from fabula.model.names import name_key
from fabula.model.ontology import relation_type
from fabula.model.parsing import invalid_fields
from fabula.model.prompt_text import IDENTITY
from fabula.model.relation import Period, Relation
from fabula.model.validity import NOT_DATED
from fabula.model.wire import Description, Id, Name, RelationWord
from fabula.store.naming import bearers_of
from fabula.store.reader import Reader

RELATIONS = "relations"
TAGS = "tags"

KnownT = TypeVar("KnownT", Relation, PendingRelation)

_COMMAS = str.maketrans("，、；;", ",,,,")


class ProfileRelation(Period):
    """A relation as given in a profile; `targetId` is set if the target exists."""

    target: Name | None = None
    target_id: Id | None = None
    type: RelationWord
    description: Description | None = Field(default=None)

    @model_validator(mode="after")
    def _has_a_target(self) -> Self:
        if self.target is None and self.target_id is None:
            raise ValueError("names no target")
        return self


class Profile(NamedTuple):
    """The parts of a profile: own attributes, relations, and targets to which relations are removed."""

    attributes: dict[str, Any]
    relations: tuple[ProfileRelation, ...] = ()
    parted: tuple[str, ...] = ()


class Kept(NamedTuple):
    """How many relations were created and changed."""

    created: int
    updated: int


def profile_of(attributes: dict[str, Any]) -> Profile:
    """Separate a profile into attributes and relations; InvalidInput where a reserved key is misused."""
    if attributes.keys().isdisjoint((RELATIONS, TAGS, IDENTITY)):
        return Profile(attributes)
    own = {key: value for key, value in attributes.items() if key != RELATIONS}
    if not isinstance(own.get(IDENTITY, ""), str):
        raise _misshapen((IDENTITY,), "must be text")
    if TAGS in own:
        own[TAGS] = _tags(own[TAGS])
    if RELATIONS not in attributes:
        return Profile(own)
    said = attributes[RELATIONS]
    if isinstance(said, Mapping):
        return _from_object(own, said)
    if not isinstance(said, list | tuple):
        raise _misshapen((RELATIONS,), "must be a list of relations, or an object of them by target")
    return Profile(own, tuple(_relation(item, (RELATIONS, number)) for number, item in enumerate(said)))


def _from_object(own: dict[str, Any], said: Mapping[str, Any]) -> Profile:
    """Read the form `{target: {type…}}`, where null removes the relations to that target."""
    given = {target: value for target, value in said.items() if value is not None}
    relations = []
    for target, value in given.items():
        if not isinstance(value, Mapping):
            raise _misshapen((RELATIONS, target), "must be an object with a type")
        relations.append(_relation({**value, "target": target}, (RELATIONS, target)))
    return Profile(own, tuple(relations), tuple(target for target in said if target not in given))


def _relation(said: Any, path: tuple[str | int, ...]) -> ProfileRelation:
    try:
        return ProfileRelation.model_validate(said)
    except ValidationError as error:
        problems = error.errors(include_input=False, include_url=False, include_context=False)
        raise invalid_fields(
            [{"loc": ("attributes", *path, *problem["loc"]), "msg": problem["msg"]} for problem in problems]
        ) from error


def _tags(said: Any) -> list[str]:
    listed = said.translate(_COMMAS).split(",") if isinstance(said, str) else said
    if not isinstance(listed, list | tuple) or not all(isinstance(tag, str) for tag in listed):
        raise _misshapen((TAGS,), "must be a list of texts")
    return list(dict.fromkeys(tag.strip() for tag in listed if tag.strip()))


def _misshapen(path: tuple[str | int, ...], problem: str) -> InvalidInput:
    return invalid_fields([{"loc": ("attributes", *path), "msg": problem}])


# Writing


def keep_relations(step: Step, said: Mapping[str, Profile]) -> Kept:
    """Save the relations that profiles name, keyed by the id of the profile's entity.

    An existing relation takes the new description; a relation to an unknown target is kept pending.
    """
    speaking = {key: profile for key, profile in said.items() if profile.relations or profile.parted}
    if not speaking:
        return Kept(0, 0)
    step.settle()
    keeping = _Keeping(step, speaking)
    for source, profile in speaking.items():
        keeping.part(source, profile.parted)
        for number, wish in enumerate(profile.relations):
            keeping.take(source, wish, number)
    for _, after in keeping.changed.values():
        refuse_backward_period(after)
    step.remove(keeping.parted)
    step.remove(keeping.unwanted)
    save_all(step, list(keeping.fresh.values()), list(keeping.changed.values()), keeping.words)
    step.add(list(keeping.waiting.values()))
    step.replace(list(keeping.rewritten.values()))
    return Kept(len(keeping.fresh), len(keeping.changed))


class _Keeping:
    """The existing relations, and the changes that profiles make to them."""

    def __init__(self, step: Step, said: Mapping[str, Profile]) -> None:
        self.words: dict[str, str] = {}
        self.fresh: dict[str, Relation] = {}
        self.changed: dict[str, tuple[Relation, Relation]] = {}
        self.parted: list[Relation] = []
        self.waiting: dict[str, PendingRelation] = {}
        self.rewritten: dict[str, tuple[PendingRelation, PendingRelation]] = {}
        self.unwanted: list[PendingRelation] = []
        self._step, project_id = step, step.project_id
        targets = {name for profile in said.values() for name in profile.parted}
        targets |= {wish.target for profile in said.values() for wish in profile.relations if wish.target}
        self._bearers = bearers_of(step, project_id, set(map(name_key, targets)))
        ids = {wish.target_id for profile in said.values() for wish in profile.relations if wish.target_id}
        self._present = set(step.entities(project_id, ids))
        self._relations: dict[tuple[str, str], list[Relation]] = {}
        for relation in step.relations_from(project_id, said):
            ends = (relation.source_entity_id, relation.target_entity_id)
            self._relations.setdefault(ends, []).append(relation)
        self._pending: dict[tuple[str, str], list[PendingRelation]] = {}
        for pending in step.events.pending_of(project_id, said):
            ends = (pending.source_entity_id, name_key(pending.target_name))
            self._pending.setdefault(ends, []).append(pending)

    def part(self, source: str, names: Iterable[str]) -> None:
        """Remove an entity's relations, including pending ones, to the named targets."""
        for name in names:
            target = self._meant(source, name)
            if target is not None:
                self.parted += self._relations.pop((source, target), [])
            self.unwanted += self._pending.pop((source, name_key(name)), [])

    def take(self, source: str, wish: ProfileRelation, number: int) -> None:
        """Relate an entity to another, or add a pending relation."""
        kind = relation_type(wish.type)
        self.words.setdefault(kind, wish.type)
        target = self._target(source, wish, number)
        if target is not None:
            self._relate(source, target, kind, wish)
        elif wish.target is not None:
            self._wait(source, wish.target, kind, wish)

    def _target(self, source: str, wish: ProfileRelation, number: int) -> str | None:
        if wish.target_id is None:
            target = self._meant(source, wish.target or "")
            bearers = self._bearers.get(name_key(wish.target or ""), [])
            if target is None and any(bearer.id == source for bearer in bearers):
                raise _misshapen((RELATIONS, number), "an entity cannot be related to itself")
            return target
        if wish.target_id == source:
            raise _misshapen((RELATIONS, number), "an entity cannot be related to itself")
        if wish.target_id not in self._present:
            raise bad_ends(self._step, self._step.project_id, [wish.target_id])
        return wish.target_id

    def _meant(self, source: str, name: str) -> str | None:
        return self._bearers.meant_by(name_key(name), preferred=PREFERRED["role"], but_not=source)

    def _relate(self, source: str, target: str, kind: str, wish: ProfileRelation) -> None:
        known = self._relations.setdefault((source, target), [])
        if _take_up(wish, kind, known, self.fresh, self.changed):
            return
        fields = RelationFields.model_construct(
            relation_type=wish.type,
            description=wish.description or "",
            properties={},
            secrecy=Secrecy.PUBLIC,
            since=wish.since,
            until=wish.until,
            **NOT_DATED,
        )
        relation = new_relation(self._step, source, target, fields)
        known.append(relation)
        self.fresh[relation.id] = relation

    def _wait(self, source: str, name: str, kind: str, wish: ProfileRelation) -> None:
        known = self._pending.setdefault((source, name_key(name)), [])
        if not _take_up(wish, kind, known, self.waiting, self.rewritten):
            period = (wish.since, wish.until)
            pending = new_pending(self._step, source, name, kind, wish.description or "", *period)
            known.append(pending)
            self.waiting[pending.id] = pending


def _take_up(
    wish: ProfileRelation,
    kind: str,
    known: list[KnownT],
    fresh: dict[str, KnownT],
    changed: dict[str, tuple[KnownT, KnownT]],
) -> bool:
    """Update the latest relation that a profile relation may refer to; return False if there is none."""
    same = [one for one in known if one.relation_type == kind and _fits(wish, one)]
    if not same or any(_says(one, wish) for one in same):
        return bool(same)
    latest = max(same, key=lambda one: first_instant(one.since))
    after = latest.model_copy(update=_changes(wish))
    known[known.index(latest)] = after
    if latest.id in fresh:
        fresh[latest.id] = after
    else:
        changed[latest.id] = (changed.get(latest.id, (latest,))[0], after)
    return True


def _fits(wish: ProfileRelation, known: Relation | PendingRelation) -> bool:
    """Whether a profile relation may refer to a known one: it gives no beginning, or the same one."""
    return wish.since is None or first_instant(wish.since) == first_instant(known.since)


def _says(known: Relation | PendingRelation, wish: ProfileRelation) -> bool:
    return all(getattr(known, name) == value for name, value in _changes(wish).items())


def _changes(wish: ProfileRelation) -> dict[str, Any]:
    said = {"description": wish.description, "until": wish.until}
    return {name: value for name, value in said.items() if value is not None}


# Reading


def shown_profile(reader: Reader, entity: Entity, made_of: set[str] | None = None) -> dict[str, Any]:
    """Return an entity's attributes with its outgoing relations as a list; `made_of` takes the rows' ids."""
    project_id = entity.project_id
    relations = sorted(reader.relations_from(project_id, [entity.id]), key=lambda relation: relation.id)
    targets = {relation.target_entity_id for relation in relations}
    names = reader.events.names(project_id, targets) if targets else {}
    shown = [
        _shown(relation, names[relation.target_entity_id], relation.target_entity_id)
        for relation in relations
    ]
    awaiting = reader.events.pending_of(project_id, [entity.id])
    shown += [_shown(pending, pending.target_name, None) for pending in awaiting]
    if made_of is not None:
        made_of |= {relation.id for relation in relations} | {one.id for one in awaiting} | targets
    attributes = shown_attributes(reader, (entity,))[entity.id]
    return {**attributes, RELATIONS: shown} if shown else attributes


def shown_attributes(reader: Reader, entities: Sequence[Entity]) -> dict[str, dict[str, Any]]:
    """Return the attributes of entities by id, those of events with their time, ready to be sent back."""
    events = [entity.id for entity in entities if entity.type == EVENT]
    anchors = reader.events.anchors(entities[0].project_id, events) if events else {}
    return {
        entity.id: {**entity.attributes, TIMELINE: anchors[entity.id]}
        if entity.id in anchors
        else dict(entity.attributes)
        for entity in entities
    }


def _shown(relation: Relation | PendingRelation, target: str, target_id: str | None) -> dict[str, Any]:
    said: dict[str, Any] = {"target": target, "type": relation.relation_type}
    if relation.description:
        said["description"] = relation.description
    if target_id is not None:
        said["targetId"] = target_id
    for end in ("since", "until"):
        moment = getattr(relation, end)
        if moment is not None:
            said[end] = moment.model_dump(mode="json", by_alias=True)
    return said
