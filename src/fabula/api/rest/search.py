"""`/stories/{storyId}/search`: one field for everything in a story."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from fabula.api.rest.caller import Caller
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE
from fabula.model.parsing import parsed
from fabula.operations.search import search
from fabula.operations.search.search import MAX_QUERY, MOST_HITS, Kind, SearchRequest, SearchResults

router = APIRouter(prefix="/stories/{storyId}", tags=["search"])


@router.get("/search")
def search_story(
    call: Caller,
    storyId: str,
    q: Annotated[str, Query(max_length=MAX_QUERY)],
    kinds: Annotated[list[Kind] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_HITS)] = 20,
    chapter: Annotated[int | None, Query(ge=0, le=MAX_CHAPTER)] = None,
    scene: Annotated[int | None, Query(ge=0, le=MAX_SCENE)] = None,
    audience: Literal["author", "model"] = "author",
) -> SearchResults:
    """Find names, texts, events and passages that have to do with a few words or a question."""
    as_of = None if chapter is None else {"chapter": chapter, "scene": scene}
    wishes = {"q": q, "limit": limit, "as_of": as_of, "audience": audience}
    if kinds:
        wishes["kinds"] = tuple(kinds)
    return search.search_story(call, parsed(SearchRequest, {"project_id": storyId, **wishes}))
