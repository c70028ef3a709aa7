"""`/health`, `/ready`, `/page-token` and `/settings`: how the server is, and how it was set up."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from fastapi import APIRouter, Request, Response

from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.model.wire import Value
from fabula.operations.readiness import condition


class Health(Value):
    """A server that is alive; how many stories it holds is told only where no accounts are required.

    A database that does not answer is no reason to start the server anew: `/ready` tells of it.
    """

    status: Literal["ok"] = "ok"
    version: str
    stories: int | None


class Readiness(Value):
    """Whether requests can be sent here: each part that must be in order, and all of them."""

    status: Literal["ready", "not_ready"]
    database: bool
    schema_current: bool
    jobs: bool
    staying: bool


class PageToken(Value):
    """What pages of this server show with all that they write; none where there are accounts."""

    token: str | None


class LanguageModel(Value):
    """Whether there is a language model, and its name; neither its address nor its key."""

    configured: bool
    name: str | None


class PublicSettings(Value):
    """What a client may know of the settings: no paths, no keys."""

    limits: Limits
    language_model: LanguageModel


def house_routes(
    memory: Memory, version: str, *, is_public: bool = False, page_token: str | None = None
) -> APIRouter:
    """The routes about the server itself."""
    router = APIRouter(tags=["server"])

    @router.get("/health")
    def health() -> Health:
        """Say that the server is alive."""
        count = None
        if not is_public:
            with suppress(FabulaError):
                count = len(memory.stories())
        return Health(version=version, stories=count)

    @router.get("/ready", responses={503: {"model": Readiness}})
    def ready(request: Request, response: Response) -> Readiness:
        """Say whether requests can be sent here; 503 with the same body if not."""
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
    def page_token_here(response: Response) -> PageToken:
        """Hand the server's own pages the token they show; pages from elsewhere cannot read it."""
        response.headers["Cache-Control"] = "no-store"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return PageToken(token=page_token)

    @router.get("/settings")
    def settings() -> PublicSettings:
        """Show the limits in force, and whether there is a language model."""
        call = memory.call()
        name = None if call.chat is None else call.chat.name
        model = LanguageModel(configured=name is not None, name=name)
        return PublicSettings(limits=call.limits, language_model=model)

    return router
