"""The memory of a story."""

import logging

from fabula.collector import collector_paused as _collector_paused

# Importing creates many objects, all of which stay: looking for garbage among them costs a sixth of its time.
with _collector_paused():
    from fabula.errors import FabulaError
    from fabula.memory import Memory
    from fabula.memory import open_memory as open
    from fabula.story_memory import StoryMemory

# A library is silent unless the program that uses it listens.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__version__ = "0.1.0"

__all__ = ["FabulaError", "Memory", "StoryMemory", "open"]
