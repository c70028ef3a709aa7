"""Whole stories as files, and files of any kind."""
