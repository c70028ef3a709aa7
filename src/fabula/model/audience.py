"""Who is told: what every audience shares."""

from __future__ import annotations

from typing import NewType

OpenText = NewType("OpenText", str)
"""A text that its audience may hear. Only redaction makes one; only such texts are rendered for a model."""
