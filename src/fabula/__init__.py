"""The memory of a story."""

from fabula.errors import FabulaError
from fabula.memory import Memory, StoryMemory
from fabula.memory import open_memory as open

__version__ = "0.1.0"

__all__ = ["FabulaError", "Memory", "StoryMemory", "open"]
