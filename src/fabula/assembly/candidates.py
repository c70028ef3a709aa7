"""What asks for a place in a context, and how much room there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fabula.model.audience import OpenText
from fabula.model.context import MatchPlace
from fabula.model.level import AiContextLevel
from fabula.model.lore import ActivationRules, Category, InsertionPosition
from fabula.model.moment import Moment
from fabula.model.relation import Language
from fabula.model.story_settings import DEFAULT_BUDGET

_NOTHING = OpenText("")


@dataclass(frozen=True, slots=True)
class LoreCandidate:
    """An entry, or an entity without one, with what the text says about it.

    `id` is the entry's, or the entity's if it has no entry. `secondary_hits` are name keys of those
    secondary keywords that stand in the text; `excluded_hit` says that an exclude keyword does.
    `withheld` says that sentences were taken out of the content because they name a secret, `secret` that its
    own name would give one away; `title` is what the author calls it, for the trace.
    """

    id: str
    entity_id: str | None
    entry_key: OpenText
    display_name: OpenText
    category: Category
    content: OpenText
    priority: int
    position: InsertionPosition
    token_budget: int
    level: AiContextLevel
    enabled: bool = True
    since: Moment | None = None
    until: Moment | None = None
    pinned: bool = False
    matches: tuple[MatchPlace, ...] = ()
    rules: ActivationRules = field(default_factory=ActivationRules)
    secondary_hits: frozenset[str] = frozenset()
    excluded_hit: bool = False
    score: float = 0.0
    hop_path: tuple[str, ...] = ()
    withheld: bool = False
    secret: bool = False
    title: str = ""


@dataclass(slots=True)
class RelationCandidate:
    """A relation between two entities with the words for it.

    Not frozen, because hundreds are made for every context and that would take twice as long.
    `secret` says that one of its ends is something the model must not hear of, or not yet.
    """

    id: str
    source_id: str
    source_name: OpenText
    target_id: str
    target_name: OpenText
    relation_type: str
    label: OpenText
    description: OpenText = _NOTHING
    properties: Mapping[str, Any] = field(default_factory=dict)
    since: Moment | None = None
    until: Moment | None = None
    secret: bool = False
    score: float = 0.0
    hop_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SnapshotCandidate:
    """What happened in an earlier scene.

    `withheld` says that sentences were taken out of the summary because they name a secret.
    """

    id: str
    chapter: int
    scene: int
    summary: OpenText
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class CharacterCandidate:
    """Somebody who may be on stage: because a scene left them there, or because the text names them."""

    name: OpenText
    current_state: OpenText = _NOTHING
    emotional_state: OpenText = _NOTHING
    entity_id: str | None = None
    secret: bool = False
    active: bool = True
    matches: tuple[MatchPlace, ...] = ()
    score: float = 0.0

    @property
    def id(self) -> str:
        """The entity's id, or the name of somebody the story does not know yet."""
        return self.entity_id or self.name


@dataclass(frozen=True, slots=True)
class RecalledCandidate:
    """An event, or a passage of an earlier scene, that the text brings to mind.

    `at` is when it happens or stands; `withheld` says that sentences were taken out that name a secret.
    """

    kind: Literal["event", "passage"]
    id: str
    label: OpenText
    text: OpenText
    at: Moment | None
    withheld: bool = False
    matches: tuple[MatchPlace, ...] = ()
    hop_path: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """The scene the context is for; `text` is what is written of it so far."""

    moment: Moment
    text: str = ""
    language: Language = "zh"
    title: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tokens there are, and which part of them each section may claim before the lore."""

    total: int = DEFAULT_BUDGET
    relations: float = 0.20
    snapshots: float = 0.25
    characters: float = 0.10
    events: float = 0.10
    passages: float = 0.10
