"""Finds the entities and events of a story that are relevant to a text."""
