"""What extraction proposes, waiting for the author."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
