"""What a context is when it is assembled: the answers of its sections, the messages, and the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fabula.assembly.sections import SECTIONS, SectionAnswers
from fabula.model.context import ChatMessage, MatchPlace, ReasonCode
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition
from fabula.model.wire import Value

if TYPE_CHECKING:
    TraceKind = str
else:
    TraceKind = Literal[tuple(section.kind for section in SECTIONS)]


class TraceItem(Value):
    """One piece that was thought of: why it is in, or why it is not.

    `missing_tokens` says how much more room it would have needed; `cut` that only its beginning is in;
    `withheld` that sentences of it which name a secret were left out.
    """

    kind: TraceKind
    id: str
    label: str
    included: bool
    reason: ReasonCode
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


class AssembledContext(SectionAnswers):
    """What a model is told before it writes a scene, with the reason for every piece.

    `estimated_tokens` is the exact count of what the messages say apart from the scene's own text.
    `left_out_count` says how many candidates are not in it, also where the trace names only some of them.
    `stable_prefix` is the hash of the part that stays the same from scene to scene.
    """

    estimated_tokens: int
    total_budget: int
    messages: tuple[ChatMessage, ...]
    trace: tuple[TraceItem, ...]
    left_out_count: int
    stable_prefix: str
    stable_prefix_tokens: int
