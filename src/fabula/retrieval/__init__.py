"""From a text to the part of the world that matters to it."""
