"""The timed effects of a conversation, kept between its turns.

Clients of OpenAI send no id of a conversation, only its messages. So effects are kept under the hash of the
messages so far, and the longest beginning that is known counts: they follow edits, answers that are made
again, and forks. A client whose window is full leaves out the oldest messages, so that no beginning is known
any more; then the last few messages of an earlier turn are looked for instead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from pydantic import ValidationError

from fabula.call import Call
from fabula.errors import FabulaError
from fabula.model.clock import later
from fabula.model.wire import Value
from fabula.operations.chat.context_window import log
from fabula.world_info import TimedEffects

KEPT_SECONDS = 90 * 86_400
# So many messages in a row are not said twice by chance.
TAIL = 4
NO_EFFECTS = TimedEffects()


@dataclass(frozen=True, slots=True)
class ConversationState:
    """What is known of a conversation from its earlier turns: their effects, and what the client left out.

    `keys` are those of the conversation as it is now, and `missing` is how many of its messages are not sent
    any more.
    """

    keys: tuple[str, ...]
    length: int
    timed: TimedEffects = NO_EFFECTS
    missing: int = 0

    @property
    def seed(self) -> str:
        """What distinguishes this turn of this conversation from any other."""
        return f"{self.keys[0]}/{self.length + self.missing}"


class _Kept(Value):
    """The effects after a turn, and how many messages the conversation had."""

    timed: TimedEffects
    length: int


def conversation_state(
    call: Call, project_id: str, said: Sequence[tuple[str, str]], conversation_id: str | None
) -> ConversationState:
    """Read the effects for a conversation of roles and texts, or for the one with this id."""
    turns = [(f"id {conversation_id}",)] if conversation_id is not None else list(_keys(said))
    now = ConversationState(turns[-1], len(said))
    with call.store.read() as reader:
        every = [key for keys in turns for key in keys]
        known = reader.conversations.states(project_id, every, later(call.clock.now(), -KEPT_SECONDS))
    for length in range(len(turns) - 1, -1, -1):
        for key in turns[length]:
            kept = _kept(known.get(key))
            if kept is None:
                continue
            if conversation_id is not None:
                return replace(now, timed=kept.timed)
            # The same words may come again; but nothing said so early can be the end of what is that long.
            if kept.length >= length:
                return replace(now, timed=kept.timed, missing=kept.length - length)
    return now


def _kept(content: Any) -> _Kept | None:
    try:
        return None if content is None else _Kept.model_validate(content)
    except ValidationError:  # written by another version
        return None


def keep_state(call: Call, project_id: str, state: ConversationState, timed: TimedEffects) -> None:
    """Keep the effects after a turn; if that fails, the conversation goes on without them."""
    if timed == state.timed == NO_EFFECTS:
        return
    now = call.clock.now()
    before = later(now, -KEPT_SECONDS)
    kept = _Kept(timed=timed, length=state.length + state.missing).model_dump(mode="json", by_alias=True)
    try:
        with call.store.write_conversations(project_id) as writer:
            for key in state.keys:
                writer.put_state(key, now, kept, before)
    except FabulaError as error:
        log.warning("not kept", extra={"projectId": project_id, "code": error.code})


def _keys(said: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Yield the keys of each beginning of a conversation: its hash, and that of its last messages."""
    so_far, tail = blake2b(digest_size=20), deque[bytes](maxlen=TAIL)
    yield (so_far.hexdigest(),)
    for role, text in said:
        content = text.encode("utf-8", "surrogatepass")
        message = b"%s %d %s" % (role.encode(), len(content), content)
        so_far.update(message)
        tail.append(message)
        last = (f"end {blake2b(b''.join(tail), digest_size=20).hexdigest()}",) if len(tail) == TAIL else ()
        yield (so_far.hexdigest(), *last)
