"""Search and retrieval: the calls."""
