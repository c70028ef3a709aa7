"""The AI context level: when a model may be told about an entity."""

from __future__ import annotations

from enum import StrEnum


class AiContextLevel(StrEnum):
    """When an entity may enter a model's context."""

    ALWAYS = "always"
    WHEN_DETECTED = "when_detected"
    MANUAL_ONLY = "manual_only"
    NEVER = "never"


_SECRECY = {AiContextLevel.MANUAL_ONLY: 1, AiContextLevel.NEVER: 2}


def may_be_told(level: AiContextLevel, *, named: bool) -> bool:
    """Whether a model may be told about an entity of this level; `named` if the call names its id."""
    if level is AiContextLevel.NEVER:
        return False
    return named or level is not AiContextLevel.MANUAL_ONLY


def stricter(kept: AiContextLevel, other: AiContextLevel) -> AiContextLevel:
    """The level of an entity merged from two: a secret stays as secret as it was."""
    return other if _SECRECY.get(other, 0) > _SECRECY.get(kept, 0) else kept
