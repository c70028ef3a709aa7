"""The context for a scene: what a model is told, and why."""

from __future__ import annotations

from typing import Literal

from fabula.model.level import AiContextLevel
from fabula.model.lore import Category, InsertionPosition
from fabula.model.wire import Value

Reason = Literal[
    # included
    "always",
    "pinned",
    "detected",
    "related",
    "recent_scene",
    "active",
    "recalled",
    # left out
    "disabled",
    "level_never",
    "level_manual_only",
    "not_yet",
    "no_longer",
    "secondary_keywords",
    "excluded_keyword",
    "names_a_secret",
    "empty",
    "budget",
]


class MatchPlace(Value):
    """A word of the text that points to something, and where it stands."""

    term: str
    kind: str
    start: int
    end: int


class LoreFragment(Value):
    """An entry in a prompt."""

    id: str
    entity_id: str | None
    entry_key: str
    display_name: str
    category: Category
    content: str
    priority: int
    estimated_tokens: int
    reason: Reason


class TraceItem(Value):
    """One piece that was thought of: why it is in, or why it is not.

    `missing_tokens` says how much more room it would have needed; `cut` that only its beginning is in;
    `withheld` that sentences of it which name a secret were left out.
    """

    kind: Literal["entry", "relation", "snapshot", "character", "event", "passage"]
    id: str
    label: str
    included: bool
    reason: Reason
    position: InsertionPosition | None = None
    level: AiContextLevel | None = None
    priority: int = 0
    matches: tuple[MatchPlace, ...] = ()
    hop_path: tuple[str, ...] = ()
    score: float = 0.0
    tokens: int = 0
    missing_tokens: int = 0
    cut: bool = False
    withheld: bool = False


class ChatMessage(Value):
    """A message of a chat with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


class ActiveCharacter(Value):
    """Who is on stage, and how they are."""

    name: str
    current_state: str
    emotional_state: str = ""


class Recollection(Value):
    """Something from earlier that the text brings to mind: an event, or the very words of a scene.

    `hop_path` leads from somebody in the scene to those it is about.
    """

    kind: Literal["event", "passage"]
    id: str
    label: str
    chapter: int | None
    scene: int | None
    text: str
    score: float
    hop_path: tuple[str, ...]
    estimated_tokens: int


class AssembledContext(Value):
    """What a model is told before it writes a scene, with the reason for every piece.

    `estimated_tokens` is the exact count of what the messages say apart from the scene's own text.
    `left_out_count` says how many candidates are not in it, also where the trace names only some of them.
    `stable_prefix` is the hash of the part that stays the same from scene to scene.
    """

    system_prompt_entries: tuple[LoreFragment, ...]
    before_scene_entries: tuple[LoreFragment, ...]
    after_scene_entries: tuple[LoreFragment, ...]
    graph_relationships: str
    recent_snapshots: tuple[str, ...]
    active_characters: tuple[ActiveCharacter, ...]
    recollections: tuple[Recollection, ...]
    estimated_tokens: int
    total_budget: int
    messages: tuple[ChatMessage, ...]
    trace: tuple[TraceItem, ...]
    left_out_count: int
    stable_prefix: str
    stable_prefix_tokens: int
