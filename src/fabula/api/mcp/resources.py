"""The MCP resources: stories, entities and scenes by URI."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote

from fabula.call import Call
from fabula.errors import NotFound
from fabula.operations.agents.reading import (
    StoryBrief,
    TellStoriesRequest,
    told_entity,
    told_stories,
    told_story,
)
from fabula.operations.agents.scenes import told_scene
from fabula.operations.agents.stories import story_meant
from fabula.operations.table import run

JSON = "application/json"
PLAIN = "text/plain"
PAGE = 100

_ADDRESS = re.compile(
    r"fabula://stories/(?P<story>[^/]+)"
    r"(/entities/(?P<entity>[^/]+)|/chapters/(?P<chapter>\d{1,10})/scenes/(?P<scene>\d{1,7}))?"
)


@dataclass(frozen=True, slots=True)
class Template:
    """A URI template."""

    name: str
    uri_template: str
    description: str
    mime_type: str


TEMPLATES = (
    Template("story", "fabula://stories/{story}", "A story's outline and its types.", JSON),
    Template(
        "entity",
        "fabula://stories/{story}/entities/{entity}",
        "An entity by id, name or alias: text, attributes, relations, events.",
        JSON,
    ),
    Template(
        "scene",
        "fabula://stories/{story}/chapters/{chapter}/scenes/{scene}",
        "The text of a scene; chapters and scenes count from 0.",
        PLAIN,
    ),
)


class Content(NamedTuple):
    """The content of a resource."""

    text: str
    mime_type: str


class Listing(NamedTuple):
    """A page of stories, and the cursor of the next one."""

    stories: tuple[StoryBrief, ...]
    following: str | None


def address_of(story: StoryBrief) -> str:
    """Return the URI of a story."""
    return f"fabula://stories/{quote(story.id, safe='')}"


def listed(call: Call, cursor: str | None) -> Listing:
    """Return the stories from a cursor on; an unreadable cursor means the beginning."""
    offset = int(cursor) if cursor is not None and re.fullmatch(r"[0-9]{1,7}", cursor) else 0
    part = run(told_stories, call, TellStoriesRequest(limit=PAGE, offset=offset))
    return Listing(part.items, None if part.next_offset is None else str(part.next_offset))


def read(call: Call, uri: str) -> Content:
    """Read the resource at a URI; raises NotFound if there is none."""
    found = _ADDRESS.fullmatch(uri)
    if found is None:
        raise NotFound(
            f"There is nothing at '{uri}'.",
            suggestion="Addresses: " + ", ".join(one.uri_template for one in TEMPLATES) + ".",
        )
    story = {"project_id": story_meant(call, unquote(found["story"]))}
    if found["entity"] is not None:
        entity = run(told_entity, call, {**story, "entity": unquote(found["entity"])})
        return Content(entity.model_dump_json(by_alias=True), JSON)
    if found["chapter"] is not None:
        place = {"chapter": int(found["chapter"]), "scene": int(found["scene"])}
        return Content(run(told_scene, call, {**story, **place}).text, PLAIN)
    return Content(run(told_story, call, story).model_dump_json(by_alias=True), JSON)
