"""Chapters, scenes and snapshots, and the jobs that follow saving a scene."""
