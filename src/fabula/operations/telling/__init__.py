"""Chapters, scenes and snapshots, and what saving or importing them brings along."""
