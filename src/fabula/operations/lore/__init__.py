"""The lorebook, and what it shares with the entities."""
