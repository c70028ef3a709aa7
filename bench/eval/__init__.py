"""Measurements of quality on real texts."""
