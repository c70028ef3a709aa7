"""Chapters, scenes, snapshots, and what saving a scene brings with it."""
