"""Lorebook entries: the calls."""
