"""Assemble a context from candidates within a token budget, and explain every choice."""
