"""Rules that hold a text against the story."""
