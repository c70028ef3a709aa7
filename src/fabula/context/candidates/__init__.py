"""Everything that asks for a place in a context."""
