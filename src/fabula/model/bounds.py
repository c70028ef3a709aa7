"""Numbers that many requests give: how many, from where on, and which version."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Limit = Annotated[int, Field(ge=1, le=50_000, strict=True)]
Offset = Annotated[int, Field(ge=0, le=10_000_000, strict=True)]
Version = Annotated[int, Field(ge=1, strict=True)]
PageNumber = Annotated[int, Field(ge=0, le=1_000_000)]
PageSize = Annotated[int, Field(ge=1, le=1000)]
