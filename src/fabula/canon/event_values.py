"""Events as they are shown and sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Self

from pydantic import AfterValidator, AliasChoices, ConfigDict, Field, StringConstraints, model_validator
from pydantic.alias_generators import to_camel

from fabula.model.entity import Aliases, Entity, Significance
from fabula.model.event import MAX_TOLD, Event, EventRole, blank_event
from fabula.model.fact import FactRef, Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.participation import edge_properties
from fabula.model.patch import Patch
from fabula.model.wire import Description, Id, Name, OpenJson, Text, Value
from fabula.model.world_time import WorldTime, WorldTimeGiven
from fabula.store.event_reader import roles_by_event
from fabula.store.reader import Reader

MAX_ROLES = 1000
MAX_PLACES = 64
LONGEST_NAME = 256
# The separator between the names of several places in one text.
PLACES_APART = "、"


def _places(text: str) -> tuple[str, ...]:
    """Return the names of places in one text."""
    return tuple(name.strip() for name in text.split(PLACES_APART) if name.strip())


def _fit_places(text: str) -> str:
    names = _places(text)
    if len(names) > MAX_PLACES:
        raise ValueError(f"names more than {MAX_PLACES} places")
    if any(len(name) > LONGEST_NAME for name in names):
        raise ValueError(f"names a place with more than {LONGEST_NAME} characters")
    return text


EventTitle = Annotated[Text, StringConstraints(max_length=256)]
Places = Annotated[Text, StringConstraints(max_length=MAX_PLACES * 257), AfterValidator(_fit_places)]
PhraseText = Annotated[Text, StringConstraints(max_length=1024)]
Logic = Annotated[tuple[PhraseText, ...], Field(max_length=64)]
EventLevel = Annotated[int, Field(ge=0, le=1, strict=True)]
EventOrder = Annotated[int, Field(ge=0, le=1_000_000, strict=True)]
Tells = Annotated[tuple[FactRef, ...], Field(max_length=MAX_TOLD)]


class StructuredKv(Value):
    """An event as key-value pairs under the names other programs use; places are joined into one text."""

    model_config = ConfigDict(alias_generator=None)

    time_anchor: str
    role: tuple[str, ...]
    location: str
    event: str
    logic: tuple[str, ...]
    causality: str


class StructuredKvGiven(Value):
    """The same pairs in a request: all optional, and `location` may be a text or a list."""

    model_config = ConfigDict(alias_generator=None)

    time_anchor: PhraseText | None = None
    role: Annotated[tuple[Name, ...], Field(max_length=MAX_ROLES)] | None = None
    location: Annotated[tuple[Name, ...], Field(max_length=MAX_PLACES)] | Places | None = None
    event: EventTitle | None = None
    logic: Logic | None = None
    causality: Description | None = None


class EventPlace(Value):
    """Where an event happens; without `entityId`, the name is pending until an entity bears it.

    `properties` are those of the corresponding relation.
    """

    entity_id: str | None
    name: str
    properties: dict[str, Any]


class EventParticipant(EventPlace):
    """Who takes part in an event, and in which role."""

    role: str


class EventPlaceGiven(Value):
    """A place by id, name or alias; omitted properties keep their current values."""

    entity_id: Id | None = None
    name: Name | None = None
    properties: OpenJson | None = None

    @model_validator(mode="after")
    def _means_somebody(self) -> Self:
        if self.entity_id is None and self.name is None:
            raise ValueError("names nobody: give entityId or name")
        return self


class EventParticipantGiven(EventPlaceGiven):
    """A participant by id, name or alias; an omitted role keeps its current value."""

    role: EventTitle | None = None


PlacesGiven = Annotated[tuple[EventPlaceGiven | Name, ...], Field(max_length=MAX_PLACES)]
RolesGiven = Annotated[tuple[EventParticipantGiven | Name, ...], Field(max_length=MAX_ROLES)]


class StoryEvent(Value):
    """An event as shown: its entity's fields under the names that events use for them."""

    id: str
    project_id: str
    name: str
    summary: str
    structured_kv: StructuredKv
    event: str
    time_anchor: str
    locations: tuple[EventPlace, ...]
    roles: tuple[EventParticipant, ...]
    logic: tuple[str, ...]
    causality: str
    level: int
    place: int
    tells: tuple[FactRef, ...]
    significance: float
    moment: Moment | None
    world_time: WorldTime | None
    told: Moment | None
    ai_context_level: AiContextLevel
    secrecy: Secrecy
    aliases: tuple[str, ...]
    attributes: dict[str, Any]
    prompt_text: str
    version: int
    created_at: str
    updated_at: str


# The field for each key of `structuredKv`.
_KV_FIELDS = {
    "time_anchor": "time_anchor",
    "role": "roles",
    "location": "locations",
    "event": "event",
    "logic": "logic",
    "causality": "causality",
}


class _Said(Value):
    """Fields that may be given directly or in `structuredKv`, but not in both."""

    structured_kv: StructuredKvGiven | None = None

    def _refuse_twice(self) -> None:
        for word in self._words():
            if _KV_FIELDS[word] in self.model_fields_set:
                field = to_camel(_KV_FIELDS[word])
                raise ValueError(f"{field} and structuredKv.{word} say the same; give one of them")

    def _words(self) -> list[str]:
        if self.structured_kv is None:
            return []
        said = self.structured_kv
        return [
            word for word in _KV_FIELDS if word in said.model_fields_set and getattr(said, word) is not None
        ]

    def said(self) -> dict[str, Any]:
        """Return the given fields, wherever they were given."""
        fields = {name: getattr(self, name) for name in self.model_fields_set & _SAYABLE}
        for word in self._words():
            fields[_KV_FIELDS[word]] = getattr(self.structured_kv, word)
        if isinstance(fields.get("locations"), str):
            fields["locations"] = _places(fields["locations"])
        return fields


class EventFields(_Said):
    """The fields of a new event; without a name it is named after its title."""

    name: Name | None = None
    summary: Description = ""
    event: EventTitle = ""
    time_anchor: PhraseText = ""
    locations: PlacesGiven = ()
    roles: RolesGiven = ()
    logic: Logic = ()
    causality: Description = ""
    level: EventLevel = 0
    place: EventOrder = 0
    tells: Tells = ()
    significance: Significance = 0.5
    moment: Moment | None = None
    world_time: WorldTimeGiven | None = None
    told: Moment | None = None
    ai_context_level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    secrecy: Secrecy = Secrecy.PUBLIC
    aliases: Aliases = ()
    attributes: OpenJson = Field(default_factory=dict, validation_alias=AliasChoices("attributes", "profile"))

    @model_validator(mode="after")
    def _can_be_told(self) -> Self:
        self._refuse_twice()
        said = self.said()
        if self.name is None and not (said.get("event") or "").strip() and not self.summary.strip():
            raise ValueError("an event needs a name, a title (event) or a summary")
        return self


class EventPatch(_Said, Patch):
    """The fields of an event to change; the others stay as they are, and only its times may be null."""

    nullable = frozenset({"moment", "world_time", "told"})

    name: Name | None = None
    summary: Description | None = None
    event: EventTitle | None = None
    time_anchor: PhraseText | None = None
    locations: PlacesGiven | None = None
    roles: RolesGiven | None = None
    logic: Logic | None = None
    causality: Description | None = None
    level: EventLevel | None = None
    place: EventOrder | None = None
    tells: Tells | None = None
    significance: Significance | None = None
    moment: Moment | None = None
    world_time: WorldTimeGiven | None = None
    told: Moment | None = None
    ai_context_level: AiContextLevel | None = None
    secrecy: Secrecy | None = None
    aliases: Aliases | None = None
    attributes: OpenJson | None = Field(default=None, validation_alias=AliasChoices("attributes", "profile"))

    @model_validator(mode="after")
    def _says_it_once(self) -> Self:
        self._refuse_twice()
        return self


_SAYABLE = frozenset(EventFields.model_fields) - {"structured_kv"}


def shown_event(reader: Reader, entity: Entity) -> StoryEvent:
    """Return an event as it is shown."""
    return shown_events(reader, (entity,))[0]


def shown_events(reader: Reader, entities: tuple[Entity, ...]) -> tuple[StoryEvent, ...]:
    """Return events as they are shown."""
    if not entities:
        return ()
    project_id, ids = entities[0].project_id, [entity.id for entity in entities]
    rows = reader.events.rows(project_id, ids)
    roles = roles_by_event(reader.events.roles(project_id, ids))
    players = {role.entity_id for links in roles.values() for role in links if role.entity_id is not None}
    names = reader.events.names(project_id, players)
    return tuple(
        _shown(
            entity, rows.get(entity.id) or blank_event(project_id, entity.id), roles.get(entity.id, ()), names
        )
        for entity in entities
    )


def _shown(entity: Entity, event: Event, links: Iterable[EventRole], names: dict[str, str]) -> StoryEvent:
    named = [(link, names.get(link.entity_id or "", link.name)) for link in links]
    places = [(link, name) for link, name in named if link.kind == "place"]
    people = [(link, name) for link, name in named if link.kind == "role"]
    return StoryEvent.trusted(
        id=entity.id,
        project_id=entity.project_id,
        name=entity.name,
        summary=entity.description,
        structured_kv=StructuredKv.trusted(
            time_anchor=event.time_anchor,
            role=tuple(dict.fromkeys(name for _, name in people)),
            location=PLACES_APART.join(name for _, name in places),
            event=event.event,
            logic=event.logic,
            causality=event.causality,
        ),
        event=event.event,
        time_anchor=event.time_anchor,
        locations=tuple(
            EventPlace.trusted(entity_id=link.entity_id, name=name, properties=edge_properties(link))
            for link, name in places
        ),
        roles=tuple(
            EventParticipant.trusted(
                entity_id=link.entity_id, name=name, properties=edge_properties(link), role=link.role
            )
            for link, name in people
        ),
        logic=event.logic,
        causality=event.causality,
        level=event.level,
        place=event.place,
        tells=event.tells,
        significance=entity.significance,
        moment=entity.since,
        world_time=entity.valid_from,
        told=entity.told,
        ai_context_level=entity.ai_context_level,
        secrecy=entity.secrecy,
        aliases=entity.aliases,
        attributes=entity.attributes,
        prompt_text=entity.prompt_text,
        version=entity.version,
        created_at=entity.created_at,
        updated_at=entity.updated_at,
    )
