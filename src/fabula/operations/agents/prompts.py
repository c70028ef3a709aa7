"""Prompts that an agent's user picks from a list: extract from a scene, summarise it, write the next one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.context.detection import detect
from fabula.context.edition_cache import snapshots_before
from fabula.context.open_types import open_type
from fabula.extraction.prompts import fenced
from fabula.extraction.summary_prompts import SceneToSum, summary_messages
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.relation import Language
from fabula.model.wire import Text
from fabula.operations.agents.audience import heard_of, heard_title, listening, told_aliases
from fabula.operations.agents.prompt_texts import EXTRACT, INSTRUCTIONS, NOBODY, WRITE
from fabula.operations.agents.reading import TellStoryRequest, told_story
from fabula.operations.agents.scenes import TellContextRequest, TellSceneRequest, told_context, told_scene
from fabula.operations.context import TokenBudget
from fabula.operations.stories import read_story
from fabula.operations.table import StoryRequest, operation

MOST_NAMES = 80


class ExtractionPromptRequest(AsOf, StoryRequest):
    """The text to read, or the position of a saved scene."""

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] | None = None


class SummaryPromptRequest(TellSceneRequest):
    """The scene to summarise."""


class WritingPromptRequest(AsOf, StoryRequest):
    """The scene to write, by default the one after the last, and instructions for it."""

    instructions: Annotated[Text, Field(max_length=20_000)] = ""
    token_budget: TokenBudget | None = None


@operation("agent.prompt.extraction", role=Role.READER, audience="model")
def extraction_prompt(call: Call, request: ExtractionPromptRequest) -> str:
    """Build a prompt that asks for all entities in a text, to be proposed with the matching tool."""
    project_id = request.project_id
    text = request.text
    if text is None:
        text = told_scene(
            call,
            TellSceneRequest(project_id=project_id, chapter=request.chapter or 0, scene=request.scene or 0),
        ).text
    with listening(call, project_id, request.moment) as view:
        language = view.reader.story(project_id).language
        people = heard_of(
            view,
            list(detect(view.reader, view.index, text, unknown=view.unknown_term()).entities)[:MOST_NAMES],
        )
        known = "\n".join(
            " | ".join((one.name, open_type(view, one.type), ", ".join(told_aliases(view, one)))).rstrip(" |")
            for one in people.values()
        )
    place = "" if request.chapter is None else f", chapter={request.chapter}, scene={request.scene or 0}"
    asked = EXTRACT[language].format(place=place, known=known or NOBODY[language])
    return f"{asked}\n\n{fenced(text)}"


@operation("agent.prompt.summary", role=Role.READER, audience="model")
def summary_prompt(call: Call, request: SummaryPromptRequest) -> str:
    """Build a prompt that asks for the summary of a scene."""
    project_id = request.project_id
    story = read_story(call, StoryRequest(project_id=project_id))
    scene = told_scene(call, request)
    with listening(call, project_id, AsOf(chapter=request.chapter, scene=request.scene).moment) as view:
        moment = AsOf(chapter=request.chapter, scene=request.scene).moment
        past = () if moment is None else snapshots_before(view.reader, view.index, moment)
        title = heard_title(view, story)
        previous = view.prose(past[0].summary) if past else ""
    whole = SceneToSum(title, request.chapter + 1, request.scene + 1, scene.text, previous)
    return "\n\n".join(message.content for message in summary_messages(whole, story.language))


@operation("agent.prompt.writing", role=Role.READER, audience="model")
def writing_prompt(call: Call, request: WritingPromptRequest) -> str:
    """Build a prompt that asks for the next scene, with its full context."""
    project_id = request.project_id
    language = read_story(call, StoryRequest(project_id=project_id)).language
    chapter, scene = _place(call, project_id, request)
    context = told_context(
        call,
        TellContextRequest(
            project_id=project_id, chapter=chapter, scene=scene, token_budget=request.token_budget
        ),
    )
    told = "\n\n".join(message.content for message in context.messages)
    asked = WRITE[language].format(chapter=chapter, scene=scene)
    return "\n\n".join(part for part in (told, asked, _wanted(request.instructions, language)) if part)


def _place(call: Call, project_id: str, wish: WritingPromptRequest) -> tuple[int, int]:
    """Return the scene to write: the given one, or the one after the last."""
    outline = told_story(call, TellStoryRequest(project_id=project_id, limit=1))
    if wish.chapter is not None:
        return wish.chapter, wish.scene or 0
    if outline.last_chapter is None or outline.last_scene is None:
        return 0, 0
    return outline.last_chapter, outline.last_scene + 1


def _wanted(instructions: str, language: Language) -> str:
    return INSTRUCTIONS[language].format(instructions=instructions.strip()) if instructions.strip() else ""
