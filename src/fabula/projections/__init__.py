"""Followers of the log, kept beside the story and rebuilt at will."""
