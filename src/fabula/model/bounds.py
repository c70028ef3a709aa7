"""Number types that many requests share: limit, offset and version."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Limit = Annotated[int, Field(ge=1, le=50_000, strict=True)]
Offset = Annotated[int, Field(ge=0, le=10_000_000, strict=True)]
Version = Annotated[int, Field(ge=1, strict=True)]
