"""Where in the story a text stands, or a question is asked."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.moment import Moment
from fabula.model.wire import Value

_CHAPTER = "As of this chapter, from 0; left out: the whole story."
_SCENE = "As of this scene of it, from 0."


class StoryPlace(Value):
    """A chapter of the story, or a scene of one, counted from 0."""

    chapter: ChapterIndex | None = None
    scene: SceneIndex | None = None

    @property
    def moment(self) -> Moment | None:
        """The moment, if one is given; without a scene it is the beginning of the chapter."""
        return None if self.chapter is None else Moment(chapter=self.chapter, scene=self.scene)

    @model_validator(mode="after")
    def _scene_of_a_chapter(self) -> Self:
        if self.scene is not None and self.chapter is None:
            raise ValueError("a scene needs its chapter")
        return self


class AsOf(StoryPlace):
    """The place as of which a question is answered; without one, the whole story is meant."""

    chapter: Annotated[ChapterIndex | None, Field(description=_CHAPTER)] = None
    scene: Annotated[SceneIndex | None, Field(description=_SCENE)] = None
