"""`/health`, `/ready`, `/page-token` and `/settings`: the server's state and configuration."""

from __future__ import annotations

from time import monotonic
from typing import Literal

from fastapi import APIRouter, Request, Response

from fabula.api.threads import threads
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.model.wire import Value
from fabula.operations.readiness import condition

# How long other processes may change the number of stories unseen.
COUNT_SECONDS = 1.0


class Health(Value):
    """The server is alive; the number of stories is shown only if no accounts are required.

    An unresponsive database is no reason to restart the server and is reported by `/ready`.
    """

    status: Literal["ok"] = "ok"
    version: str
    stories: int | None


class Readiness(Value):
    """Whether the server can take requests: the state of each part, and of all together."""

    status: Literal["ready", "not_ready"]
    database: bool
    schema_current: bool
    jobs: bool
    staying: bool


class PageToken(Value):
    """The token that pages of this server send with every write; null where there are accounts."""

    token: str | None


class LanguageModel(Value):
    """Whether a language model is configured, and its name, but neither its address nor its key."""

    configured: bool
    name: str | None


class PublicSettings(Value):
    """The settings that a client may know: no paths, no keys."""

    limits: Limits
    language_model: LanguageModel


def house_routes(
    memory: Memory, version: str, *, is_public: bool = False, page_token: str | None = None
) -> APIRouter:
    """Return the routes about the server itself."""
    router = APIRouter(tags=["server"])
    stories = _StoryCount(memory)

    @router.get("/health", response_model=Health)
    async def health() -> Response:
        """Report that the server is alive."""
        count = None if is_public else await stories.now()
        return _json(Health.trusted(status="ok", version=version, stories=count))

    @router.get("/ready", responses={503: {"model": Readiness}})
    def ready(request: Request, response: Response) -> Readiness:
        """Report whether the server can take requests; 503 with the same body if not."""
        found = condition(memory.call())
        staying = not request.app.state.is_leaving()
        is_ready = found.is_ready and staying
        if not is_ready:
            response.status_code = 503
        return Readiness(
            status="ready" if is_ready else "not_ready",
            database=found.database,
            schema_current=found.schema,
            jobs=found.crew,
            staying=staying,
        )

    @router.get("/page-token")
    async def page_token_here(response: Response) -> PageToken:
        """Return the page token to the server's own pages; pages of other origins cannot read it."""
        response.headers["Cache-Control"] = "no-store"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return PageToken(token=page_token)

    @router.get("/settings")
    async def settings() -> PublicSettings:
        """Return the limits in force, and whether a language model is configured."""
        call = memory.call()
        name = None if call.chat is None else call.chat.name
        model = LanguageModel(configured=name is not None, name=name)
        return PublicSettings(limits=call.limits, language_model=model)

    return router


class _StoryCount:
    """How many stories there are; a change in this process is seen at once, in another within a second."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._count: int | None = None
        self._looked_at = float("-inf")
        memory.call().store.hear(self._forget)

    async def now(self) -> int | None:
        """Return the number; None if the database does not respond."""
        if monotonic() - self._looked_at > COUNT_SECONDS:
            await threads.run(self._look)
        return self._count

    def _look(self) -> None:
        # Set before looking: what is written meanwhile counts as not seen.
        self._looked_at = monotonic()
        try:
            self._count = len(self._memory.stories())
        except FabulaError:
            self._count = None

    def _forget(self, _: str) -> None:
        self._looked_at = float("-inf")


def _json(value: Value) -> Response:
    return Response(value.model_dump_json(by_alias=True), media_type="application/json")
