"""The terminal: every command of `fabula`."""

from fabula.cli.main import main

__all__ = ["main"]
