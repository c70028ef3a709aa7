"""Every door behind which a model stands, asked about a story: what each of them says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabula.api.mcp.prompts import PROMPTS
from fabula.api.mcp.tools import TOOLS
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.operations.chat.chat import begin_chat
from fabula.operations.context import assemble_context, preview_context
from fabula.operations.graph.graph_view import graph_around
from fabula.operations.manuscript.open_questions import open_prompts
from fabula.operations.search.search import search_story

# Doors that are asked about the whole story, in which those who come later are there.
WITHOUT_A_MOMENT = frozenset({"relevant", "graph", "list_stories", "get_knowledge_schema", "open questions"})

Answer = tuple[str, str]
"""Which door, and what it said."""


def answers(
    memory: Memory, story_id: str, names: list[str], question: str, now: tuple[int, int]
) -> Iterator[Answer]:
    """What every door says; questions name only what is open."""
    call, (chapter, scene) = memory.call, now
    text = f"{question} {', '.join(names)}"
    moment = {"chapter": chapter, "scene": scene}
    found = assemble_context(call(), project_id=story_id, **moment, text=text, token_budget=50_000)
    told = found.model_dump(mode="json", exclude={"messages", "trace"})
    yield "context", f"{told} {[one.content for one in found.messages if one.role != 'user']}"
    with_story = memory.story("", id=story_id)
    preview = preview_context(call(), project_id=story_id, chapter=1, scene=0, token_budget=50_000)
    yield "preview", str([one.content for one in preview.messages if one.role != "user"])
    relevant = with_story.query.relevant(excerpt=text, max_entities=50)
    yield "relevant", relevant.model_dump_json()
    yield "retrieve", with_story.query.retrieve(query=text, as_of=moment).model_dump_json()
    asked = {"q": question, "audience": "model", "as_of": moment}
    yield (
        "search",
        search_story(call(), project_id=story_id, **asked).model_dump_json(),
    )
    for name in names:
        around = graph_around(call(), project_id=story_id, entity=name, depth=2, as_of=None)
        yield "graph", around.natural_language_description
    yield "open questions", str(open_prompts(call(), story_id))
    yield "chat", _chat(memory, story_id, text, now)
    yield from _agent(memory, story_id, names, question, moment)


def _chat(memory: Memory, story_id: str, text: str, now: tuple[int, int]) -> str:
    said = {"chapter": now[0], "scene": now[1], "text": text, "messages": []}
    talk = begin_chat(memory.call(), project_id=story_id, **said)
    return str([one.content for one in talk.asked.messages if one.role != "user"])


def _agent(
    memory: Memory, story_id: str, names: list[str], question: str, moment: dict[str, int]
) -> Iterator[Answer]:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_stories", {}),
        ("open_story", moment),
        ("search", {"query": question, **moment}),
        ("list_entities", moment),
        *(("get_entity", {"entity": name, **moment}) for name in names),
        *(("get_subgraph", {"entity": name, "depth": 3, **moment}) for name in names[:2]),
        ("find_path", {"source": names[0], "target": names[-1], **moment}),
        ("get_context", {**moment, "text": ", ".join(names)}),
        ("get_recent_scenes", moment),
        ("check_passage", {"text": f"{', '.join(names)} met.", **moment}),
        ("get_knowledge_schema", {}),
    ]
    for name, arguments in calls:
        tool = TOOLS[name]
        story = {"project_id": story_id} if tool.of_a_story else {}
        try:
            said = tool.operation(memory.call(), **story, **arguments)
        except FabulaError as error:
            yield name, f"{error.message} {error.details} {error.suggestion}"
        else:
            yield name, said.model_dump_json()
    for name, prompt in PROMPTS.items():
        said = prompt.operation(memory.call(), project_id=story_id, chapter=0, scene=0)
        yield f"prompt {name}", said
