"""Rules that check a text against the story."""
