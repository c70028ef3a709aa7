"""`/health` and `/settings`: how the server is, and how it was set up."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter

from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.model.wire import Value


class Health(Value):
    """A server that answers; how many stories it holds is told only where no accounts are required."""

    status: Literal["ok"] = "ok"
    version: str
    stories: int | None


class PublicSettings(Value):
    """What a client may know of the settings: no paths, no keys."""

    limits: Limits


def house_routes(memory: Memory, version: str, *, is_public: bool = False) -> APIRouter:
    """The routes about the server itself."""
    router = APIRouter(tags=["server"])

    @router.get("/health")
    def health() -> Health:
        """Say that the server and its database answer."""
        count = len(memory.stories())
        return Health(version=version, stories=None if is_public else count)

    @router.get("/settings")
    def settings() -> PublicSettings:
        """Show the limits in force."""
        return PublicSettings(limits=memory.call().limits)

    return router
