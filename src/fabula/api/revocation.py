"""Ends what lasts (streams, sockets) when the token it was begun with is revoked, at whichever process."""

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
    """Whatever lasts at this process; one question for all of it, and none while nothing does."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._lasting: dict[object, tuple[str, End]] = {}
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def ending(self, token_id: str, end: End) -> Iterator[None]:
        """Call `end` if the token is revoked before this is over."""
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
        """Those of the tokens that are still known; all of them while the database does not answer."""
        try:
            return await run_in_threadpool(self._memory.known_tokens, token_ids)
        except FabulaError:  # whoever knows the database has logged it
            return frozenset(token_ids)
        except Exception:
            log.exception("failed")
            return frozenset(token_ids)
