"""The assembled context: the answers of its sections, the messages, and the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fabula.assembly.reasons import ReasonCode
from fabula.assembly.sections import SECTIONS, SectionAnswers
from fabula.model.context import ChatMessage, MatchPlace, ScanTrace
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition
from fabula.model.wire import Value

if TYPE_CHECKING:
    TraceKind = str
else:
    TraceKind = Literal[tuple(section.kind for section in SECTIONS)]


class TraceItem(Value):
    """A candidate that was considered, and the reason it was included or left out.

    `missing_tokens` is how many more tokens it would have needed; `cut` means that only its beginning is
    included; `threshold` is the least score with which something comes to mind; `withheld` means that
    sentences naming a secret were removed from it; `scan` is how the scan of a lorebook came to it;
    `stale` means that the manuscript no longer says it, or some of it.
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
    threshold: float = 0.0
    tokens: int = 0
    missing_tokens: int = 0
    cut: bool = False
    withheld: bool = False
    scan: ScanTrace | None = None
    stale: bool = False


class AssembledContext(SectionAnswers):
    """What a model is told before it writes a scene, with the reason for every piece.

    `estimated_tokens` is the exact token count of the messages without the scene's own text.
    `left_out_count` counts all candidates that were left out, even if the trace names only some of them.
    `stable_prefix` is the hash of the part that stays the same from scene to scene. `seed` decided the dice
    of scanned lorebooks, and is empty if there are none. `receipt_id` is that of its receipt, if one is kept.
    """

    estimated_tokens: int
    total_budget: int
    messages: tuple[ChatMessage, ...]
    trace: tuple[TraceItem, ...]
    left_out_count: int
    stable_prefix: str
    stable_prefix_tokens: int
    seed: str = ""
    receipt_id: str | None = None
