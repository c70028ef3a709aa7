"""Extraction from texts, and the review of what was found."""
