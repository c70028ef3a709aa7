"""Number types that many requests share: limit, offset, version, page, chapter and scene."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.model.moment import MAX_CHAPTER, MAX_SCENE

Limit = Annotated[int, Field(ge=1, le=50_000, strict=True)]
Offset = Annotated[int, Field(ge=0, le=10_000_000, strict=True)]
Version = Annotated[int, Field(ge=1, strict=True)]
PageNumber = Annotated[int, Field(ge=0, le=1_000_000)]
PageSize = Annotated[int, Field(ge=1, le=1000)]
ChapterIndex = Annotated[int, Field(ge=0, le=MAX_CHAPTER)]
SceneIndex = Annotated[int, Field(ge=0, le=MAX_SCENE)]
