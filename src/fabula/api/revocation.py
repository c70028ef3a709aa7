"""End streams and WebSockets when their token is revoked, in whichever process that happens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.concurrency import run_in_threadpool

from fabula.errors import FabulaError
from fabula.memory import Memory

LOOK_EVERY_SECONDS = 0.5

log = logging.getLogger("fabula.accounts")

End = Callable[[], object]


class Revocations:
    """The open streams and WebSockets of this process, all checked with one query while there are any."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._lasting: dict[object, tuple[str, End]] = {}
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def ending(self, token_id: str, end: End) -> Iterator[None]:
        """Call `end` if the token is revoked during the block."""
        mark = object()
        self._lasting[mark] = (token_id, end)
        if self._task is None:
            self._task = asyncio.create_task(self._look())
        try:
            yield
        finally:
            self._lasting.pop(mark, None)

    async def _look(self) -> None:
        try:
            while self._lasting:
                await asyncio.sleep(LOOK_EVERY_SECONDS)
                known = await self._known({token_id for token_id, _ in self._lasting.values()})
                for mark, (token_id, end) in tuple(self._lasting.items()):
                    if token_id not in known:
                        del self._lasting[mark]
                        end()
        finally:
            self._task = None

    async def _known(self, token_ids: set[str]) -> frozenset[str]:
        """Return the tokens that are still valid; all of them while the database does not respond."""
        try:
            return await run_in_threadpool(self._memory.known_tokens, token_ids)
        except FabulaError:  # already logged by the store
            return frozenset(token_ids)
        except Exception:
            log.exception("failed")
            return frozenset(token_ids)
