"""Checks of passages and of the whole story, and waivers."""
