"""A whole story as files, and a story of such files."""
