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


class LanguageModel(Value):
    """Whether there is a language model, and its name; neither its address nor its key."""

    configured: bool
    name: str | None


class PublicSettings(Value):
    """What a client may know of the settings: no paths, no keys."""

    limits: Limits
    language_model: LanguageModel


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
        """Show the limits in force, and whether there is a language model."""
        call = memory.call()
        name = None if call.chat is None else call.chat.name
        model = LanguageModel(configured=name is not None, name=name)
        return PublicSettings(limits=call.limits, language_model=model)

    return router
