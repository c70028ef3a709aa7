"""The candidates for a context."""
