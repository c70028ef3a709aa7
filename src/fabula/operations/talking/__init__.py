"""Conversations with a model that remembers the story."""
