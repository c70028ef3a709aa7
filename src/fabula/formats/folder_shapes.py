"""The schemas of the files in a story folder."""

from __future__ import annotations

import json
import uuid
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, StringConstraints, model_validator

from fabula.model.activation import ActivationRules
from fabula.model.book import OWN_BOOK, BookActivation
from fabula.model.entity import Coordinate, EntityNames, Significance
from fabula.model.fact import FactRef, KeptKind, Secrecy
from fabula.model.knowing import HowKnown, KnowingSource
from fabula.model.level import AiContextLevel
from fabula.model.lore import DEFAULT_TOKEN_BUDGET, InsertionPosition
from fabula.model.manuscript import (
    AUTHOR,
    UNPLANNED,
    ScenePlan,
    SnapshotCharacter,
    SnapshotLocation,
    SnapshotSource,
)
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE, Moment
from fabula.model.proposal import ProposalKind, ReviewAction, Suggestion
from fabula.model.relation import Language, Period
from fabula.model.reveal import KnownTo
from fabula.model.scan_settings import BookSource, ScanSettings
from fabula.model.story_settings import StorySettings
from fabula.model.validity import Validity
from fabula.model.wire import Id, Name, OpenJson, RelationWord, Text, Value
from fabula.model.world_time import SceneTime

FORMAT = 1
LOCAL_USER = "local"
USUAL_SIGNIFICANCE = 0.5

_NAMESPACE = uuid.UUID("c1f6a1c0-52a5-4c39-8a3e-5d1e0a6b2f47")

# Longer than a request allows, because merging entities joins their texts.
Prose = Annotated[Text, StringConstraints(max_length=1 << 20)]
Count = Annotated[int, Field(ge=0, strict=True)]


def _is_reference(text: str) -> str:
    if "/" not in text.strip("/ "):
        raise ValueError("must be a type and a name, as in character/Ann")
    return text


Reference = Annotated[Text, StringConstraints(max_length=512), AfterValidator(_is_reference)]


def usual_id(*identity: str | int) -> str:
    """The default id of a row without one, derived from its identity."""
    return str(uuid.uuid5(_NAMESPACE, json.dumps(identity, ensure_ascii=False)))


class StoryFile(Value):
    """`story.yaml`."""

    fabula: Literal[1]
    title: Name
    language: Language
    settings: StorySettings = Field(default_factory=dict)


class RelationTypeRow(Value):
    """A line of `relation-types.yaml`."""

    key: RelationWord
    label: Prose
    labels: dict[Language, Prose] = Field(default_factory=dict)
    builtin: StrictBool = False
    id: Id | None = None


class RelationRow(Validity):
    """A relation, in the file of its source entity."""

    type: RelationWord
    to: Reference
    id: Id | None = None
    description: Prose = ""
    properties: OpenJson = Field(default_factory=dict)
    secrecy: Secrecy = Secrecy.PUBLIC


class WaitingRow(Period):
    """A relation that waits for an entity with its target's name."""

    type: RelationWord
    to: Name
    id: Id | None = None
    description: Prose = ""


class StateRow(Validity):
    """A state of an entity."""

    id: Id | None = None
    description: Prose = ""
    attributes: OpenJson = Field(default_factory=dict)
    secrecy: Secrecy = Secrecy.PUBLIC


class RoleRow(Period):
    """A role or place of an event; with a name alone, it waits for an entity of that name."""

    entity: Reference | None = None
    name: Name | None = None
    role: Prose = ""
    id: Id | None = None
    description: Prose = ""
    properties: OpenJson = Field(default_factory=dict)

    @model_validator(mode="after")
    def _is_somebody(self) -> Self:
        if self.entity is None and self.name is None:
            raise ValueError("needs an entity or a name")
        return self


class EventPart(Value):
    """The fields of an event beyond those of every entity."""

    event: Prose = ""
    time_anchor: Prose = ""
    logic: tuple[Prose, ...] = ()
    causality: Prose = ""
    level: Count = 0
    place: Count = 0
    tells: tuple[FactRef, ...] = ()


class EntryPart(Validity):
    """A lorebook entry: its rules, and its text if it has no entity."""

    key: Name | None = None
    id: Id | None = None
    place: Count = 0
    display_name: Prose | None = None
    user_id: Prose | None = None
    ai_context_level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    secrecy: Secrecy = Secrecy.PUBLIC
    keywords: tuple[Name, ...] = ()
    priority: Annotated[int, Field(strict=True, ge=-(2**53), le=2**53)] = 0
    enabled: StrictBool = True
    insertion_position: InsertionPosition = InsertionPosition.BEFORE_SCENE
    token_budget: Count = DEFAULT_TOKEN_BUDGET
    rules: ActivationRules = ActivationRules()
    extensions: OpenJson = Field(default_factory=dict)
    content: Prose = ""


class KnowingRow(Period):
    """What the entity knows or believes about a fact."""

    kind: KeptKind
    fact: Id
    knows: StrictBool = True
    how: HowKnown = HowKnown.TOLD
    belief: Prose = ""
    source: KnowingSource | None = None
    id: Id | None = None


class RevealRow(Value):
    """A reveal, in the file of the entity that both are told as."""

    other: Reference
    at: Moment
    known_to: KnownTo | None = None
    id: Id | None = None


class EntityFile(Validity):
    """`entities/…`: an entity with its entry, states, relations and event fields."""

    type: RelationWord
    type_unlisted: StrictBool = False
    name: Name
    id: Id | None = None
    aliases: tuple[Name, ...] = ()
    names: EntityNames = ()
    ai_context_level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    secrecy: Secrecy = Secrecy.PUBLIC
    significance: Significance = USUAL_SIGNIFICANCE
    layout_x: Coordinate | None = None
    layout_y: Coordinate | None = None
    description: Prose = ""
    attributes: OpenJson = Field(default_factory=dict)
    event: EventPart | None = None
    places: tuple[RoleRow, ...] = ()
    roles: tuple[RoleRow, ...] = ()
    entry: EntryPart | None = None
    states: tuple[StateRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    waiting: tuple[WaitingRow, ...] = ()
    knowings: tuple[KnowingRow, ...] = ()
    reveals: tuple[RevealRow, ...] = ()


class EntryFile(EntryPart):
    """`lorebook/…` or `lorebooks/…/…`: an entry without an entity, and the book it stands in."""

    key: Name
    book: Id = OWN_BOOK


class BookFile(Value):
    """`lorebooks/….yaml`: a lorebook beside the story's own."""

    id: Id
    name: Prose
    source: BookSource = "global"
    activation: BookActivation = "fabula"
    enabled: StrictBool = True
    settings: ScanSettings = ScanSettings()
    position: Annotated[int, Field(strict=True, ge=-(2**53), le=2**53)] = 0
    extensions: OpenJson = Field(default_factory=dict)


class ChapterFile(Value):
    """`manuscript/…/chapter.yaml`."""

    title: Prose


class SnapshotPart(Value):
    """The snapshot of a scene."""

    id: Id | None = None
    manuscript_id: Prose | None = None
    timeline_position: Prose = ""
    emotional_tone: Prose = ""
    word_count: Count = 0
    source: SnapshotSource = AUTHOR
    summary: Prose = ""
    active_characters: tuple[SnapshotCharacter, ...] = ()
    active_locations: tuple[SnapshotLocation, ...] = ()


class SaidRow(Value):
    """The part of a fact that a quotation says."""

    text: Prose = ""
    attributes: OpenJson = Field(default_factory=dict)


class EvidenceRow(Value):
    """A quotation from the scene that a fact rests on."""

    kind: KeptKind
    fact: Id
    quotation: Annotated[Prose, StringConstraints(min_length=1)]
    occurrence: Count = 0
    says: SaidRow | None = None
    id: Id | None = None


class WaiverRow(Value):
    """A line of `waivers.yaml`: a finding that is intended, by what is written and what is established."""

    rule: Id
    here: Prose
    there: Prose = ""
    facts: tuple[Prose, ...] = ()
    reason: Prose = ""
    id: Id | None = None


class SceneFile(Value):
    """`manuscript/…/….yaml`: the metadata of a scene."""

    title: Prose = ""
    id: Id | None = None
    world_time: SceneTime | None = None
    plan: ScenePlan = UNPLANNED
    snapshot: SnapshotPart | None = None
    evidence: tuple[EvidenceRow, ...] = ()


class FactRow(Value):
    """What a proposal says about its entity at one place."""

    text: Prose
    attributes: OpenJson = Field(default_factory=dict)
    source_text: Prose = ""
    source_start: Count | None = None
    source_end: Count | None = None
    scene_id: Prose | None = None


class ProposalRow(Value):
    """A line of `proposals/….yaml`."""

    kind: ProposalKind
    entity_name: Name
    entity_type: Prose
    id: Id | None = None
    chapter: Annotated[int, Field(ge=0, le=MAX_CHAPTER, strict=True)] | None = None
    scene: Annotated[int, Field(ge=0, le=MAX_SCENE, strict=True)] | None = None
    review_action: ReviewAction = ReviewAction.PENDING
    reviewed: StrictBool | None = None
    suggestion: Suggestion = Suggestion.NEW
    extractor: Prose = ""
    confidence: Annotated[float, Field(ge=0, le=1, strict=True)] = 0.5
    same_as: Prose | None = None
    aliases: tuple[Prose, ...] = ()
    attributes: OpenJson = Field(default_factory=dict)
    facts: tuple[FactRow, ...] = ()
    source_text: Prose = ""
    source_start: Count | None = None
    source_end: Count | None = None
    manuscript_id: Prose | None = None
    linked_lorebook_id: Prose | None = None
    linked_entity_id: Prose | None = None
