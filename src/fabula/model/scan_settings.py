"""How a World Info book is scanned: the settings that SillyTavern keeps beside its books."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.model.wire import Value

BookSource = Literal["global", "character", "chat", "persona"]

_Count = Annotated[int, Field(ge=0, le=1_000_000_000)]


class ScanSettings(Value):
    """The settings of a scan; the defaults are the ones SillyTavern ships."""

    scan_depth: Annotated[int, Field(ge=-1_000_000, le=1_000_000)] = 2
    recursive: bool = True
    max_recursion_steps: _Count = 0
    case_sensitive: bool = False
    match_whole_words: bool = True
    budget_percent: Annotated[float, Field(ge=0, le=100)] = 25
    budget_cap: _Count = 0
    max_context: _Count = 8192
    min_activations: _Count = 0
    min_activations_depth_max: _Count = 0
    include_names: bool = True
    use_group_scoring: bool = False
    character_strategy: Literal[0, 1, 2] = 1
