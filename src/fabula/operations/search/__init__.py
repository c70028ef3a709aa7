"""Search and retrieval operations."""
