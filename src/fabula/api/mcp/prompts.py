"""The MCP prompts: what a user may ask an agent to do with a story, in the story's language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fabula.call import Call
from fabula.operations.agents.prompts import extraction_prompt, summary_prompt, writing_prompt
from fabula.operations.agents.stories import story_meant
from fabula.operations.table import Operation, run

STORY = "The id or title of the story; left out, the usual one."


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt: its name, purpose and arguments, and the operation that renders it."""

    name: str
    description: str
    arguments: dict[str, str]
    operation: Operation[Any, str]

    def text(self, call: Call, arguments: dict[str, str] | None, usual_story: str | None) -> str:
        """Render the prompt; raises a FabulaError if that is not possible."""
        given = {name: value for name, value in (arguments or {}).items() if value != ""}
        story_id = story_meant(call, given.pop("story", None), usual_story)
        return run(self.operation, call, {**given, "project_id": story_id})

    def is_required(self, argument: str) -> bool:
        """Whether an argument is required."""
        return any(
            field.is_required()
            for field in self.operation.request.model_fields.values()
            if field.alias == argument
        )


PROMPTS: dict[str, Prompt] = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "extract_entities",
            "Read a text for who and what is in it, and propose the finds for review.",
            {
                "text": "The text; left out, the saved scene at this place.",
                "chapter": "The chapter of the scene, counted from 0.",
                "scene": "The scene, counted from 0.",
                "story": STORY,
            },
            extraction_prompt,
        ),
        Prompt(
            "summarize_scene",
            "Sum up a saved scene for those who write the next ones.",
            {
                "chapter": "The chapter of the scene, counted from 0.",
                "scene": "The scene, counted from 0.",
                "story": STORY,
            },
            summary_prompt,
        ),
        Prompt(
            "write_next_scene",
            "Write a scene with everything in mind that must be known, check it, and save it.",
            {
                "chapter": "The chapter, counted from 0; left out, the scene after the last one is meant.",
                "scene": "The scene, counted from 0.",
                "instructions": "What the scene should bring.",
                "tokenBudget": "Tokens for what must be known; if left out, the story's setting or 4000.",
                "story": STORY,
            },
            writing_prompt,
        ),
    )
}
