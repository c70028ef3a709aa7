"""What texts mean, as vectors."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables."""
