"""Trying which entries of World Info books fire in a chat, without a story."""

from __future__ import annotations

from fabula.call import Call
from fabula.errors import QueryTimeout
from fabula.model.wire import Value
from fabula.operations.table import operation
from fabula.world_info.answer import TriedScan, TriedTurn
from fabula.world_info.case import LorebookCase
from fabula.world_info.trial import tried, vectors_count

SECONDS = 20.0


class TryLorebookRequest(Value):
    """Books, settings and a chat."""

    case: LorebookCase


@operation("lorebook.try", role=None)
def try_lorebook(call: Call, request: TryLorebookRequest) -> TriedScan | tuple[TriedTurn, ...]:
    """Show which entries fire in a chat, where their texts go, and why; nothing is kept."""
    case = request.case
    ends = call.clock.monotonic() + SECONDS

    def check() -> None:
        if call.clock.monotonic() > ends:
            raise QueryTimeout(
                f"The case took longer than {SECONDS:g} seconds.",
                details={"timeoutMs": int(SECONDS * 1000)},
                suggestion="Try fewer entries, turns or messages at once.",
            )

    count = vectors_count if case.tokenizer == "vectors" else call.tokens.count
    return tried(case, count, check)
