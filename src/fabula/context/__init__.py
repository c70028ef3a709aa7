"""What an audience may learn of a story: detection of names, redaction, and candidates for a context."""
