"""Projections: data derived from stories that follows the change log and can be rebuilt at any time."""
