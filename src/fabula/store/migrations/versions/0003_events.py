"""Events with their roles, and relations whose target is not there yet."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
