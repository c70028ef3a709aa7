"""Requests that an agent's user picks from a list: read a scene for finds, sum it up, write the next one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.context.detection import detect
from fabula.context.edition_cache import snapshots_before
from fabula.context.open_types import open_type
from fabula.extraction.prompts import fenced
from fabula.extraction.summary_prompts import SceneToSum, summary_messages
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.relation import Language
from fabula.model.wire import Text
from fabula.operations.agents.audience import (
    AsOf,
    heard_of,
    heard_title,
    listening,
    told_aliases,
)
from fabula.operations.agents.prompt_texts import EXTRACT, INSTRUCTIONS, NOBODY, WRITE
from fabula.operations.agents.reading import OutlineWish, told_story
from fabula.operations.agents.scenes import ContextWish, SceneWish, told_context, told_scene
from fabula.operations.stories import read_story
from fabula.operations.table import StoryRequest

MOST_NAMES = 80


class ExtractPrompt(AsOf):
    """The text to read, or the place of a saved scene."""

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] | None = None


class SummaryPrompt(SceneWish):
    """The scene to sum up."""


class WritingPrompt(AsOf):
    """The scene to write, else the one after the last, and what is wanted of it."""

    instructions: Annotated[Text, Field(max_length=20_000)] = ""
    token_budget: Annotated[int, Field(ge=0, le=1_000_000)] = 4000


def extraction_prompt(call: Call, project_id: str, wish: ExtractPrompt) -> str:
    """Ask for everybody and everything in a text, proposed with the tool for it."""
    text = wish.text
    if text is None:
        text = told_scene(call, project_id, SceneWish(chapter=wish.chapter or 0, scene=wish.scene or 0)).text
    with listening(call, project_id, wish.moment) as view:
        language = view.reader.story(project_id).language
        people = heard_of(view, list(detect(view.reader, view.index, text).entities)[:MOST_NAMES])
        known = "\n".join(
            " | ".join((one.name, open_type(view, one.type), ", ".join(told_aliases(view, one)))).rstrip(" |")
            for one in people.values()
        )
    place = "" if wish.chapter is None else f", chapter={wish.chapter}, scene={wish.scene or 0}"
    asked = EXTRACT[language].format(place=place, known=known or NOBODY[language])
    return f"{asked}\n\n{fenced(text)}"


def summary_prompt(call: Call, project_id: str, wish: SummaryPrompt) -> str:
    """Ask for the summary of a scene."""
    story = read_story(call, StoryRequest(project_id=project_id))
    scene = told_scene(call, project_id, wish)
    with listening(call, project_id, AsOf(chapter=wish.chapter, scene=wish.scene).moment) as view:
        moment = AsOf(chapter=wish.chapter, scene=wish.scene).moment
        past = () if moment is None else snapshots_before(view.reader, view.index, moment)
        title = heard_title(view, story)
        previous = view.prose(past[0].summary) if past else ""
    whole = SceneToSum(title, wish.chapter + 1, wish.scene + 1, scene.text, previous)
    return "\n\n".join(message.content for message in summary_messages(whole, story.language))


def writing_prompt(call: Call, project_id: str, wish: WritingPrompt) -> str:
    """Ask for the next scene, with all that must be known to write it."""
    language = read_story(call, StoryRequest(project_id=project_id)).language
    chapter, scene = _place(call, project_id, wish)
    context = told_context(
        call, project_id, ContextWish(chapter=chapter, scene=scene, token_budget=wish.token_budget)
    )
    told = "\n\n".join(message.content for message in context.messages)
    asked = WRITE[language].format(chapter=chapter, scene=scene)
    return "\n\n".join(part for part in (told, asked, _wanted(wish.instructions, language)) if part)


def _place(call: Call, project_id: str, wish: WritingPrompt) -> tuple[int, int]:
    """Which scene is to be written: the one that is named, else the one after the last."""
    outline = told_story(call, project_id, OutlineWish(limit=1))
    if wish.chapter is not None:
        return wish.chapter, wish.scene or 0
    if outline.last_chapter is None or outline.last_scene is None:
        return 0, 0
    return outline.last_chapter, outline.last_scene + 1


def _wanted(instructions: str, language: Language) -> str:
    return INSTRUCTIONS[language].format(instructions=instructions.strip()) if instructions.strip() else ""
