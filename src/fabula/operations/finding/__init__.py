"""Who and what matters to a question, to a passage, to a search."""
