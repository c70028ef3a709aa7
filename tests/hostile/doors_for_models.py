"""Every door behind which a model stands, asked about a story: what each of them says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import orjson

from fabula.api.mcp import resources
from fabula.api.mcp.prompts import PROMPTS
from fabula.api.mcp.tools import TOOLS
from fabula.call import Call
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.operations.agents.receipts import told_receipt
from fabula.operations.agents.scenes import told_context
from fabula.operations.chat.chat import begin_chat
from fabula.operations.chat.messages import chat_context
from fabula.operations.chat.proxy import forwarded
from fabula.operations.checks.with_model import model_prompts
from fabula.operations.context import assemble_context, preview_context
from fabula.operations.graph.graph_view import full_graph, graph_around
from fabula.operations.lorebook.books import list_books
from fabula.operations.manuscript.open_questions import open_prompts
from fabula.operations.search.search import search_story

# Doors that are asked about the whole story, in which those who come later are there.
WITHOUT_A_MOMENT = frozenset(
    {
        "relevant",
        "graph",
        "graph as seen",
        "subgraph as seen",
        "path as seen",
        "list_stories",
        "get_knowledge_schema",
        "open questions",
        "resource story",
        "resource entity",
    }
)

Answer = tuple[str, str]
"""Which door, and what it said."""


def answers(
    memory: Memory,
    story_id: str,
    names: list[str],
    question: str,
    now: tuple[int, int],
    pov: str | None = None,
) -> Iterator[Answer]:
    """What every door says; questions name only what is open, and may be asked from a point of view."""
    call, (chapter, scene) = memory.call, now
    text = f"{question} {', '.join(names)}"
    moment = {"chapter": chapter, "scene": scene}
    found = assemble_context(call(), project_id=story_id, **moment, text=text, token_budget=50_000, pov=pov)
    told = found.model_dump(mode="json", exclude={"messages", "trace"})
    yield "context", f"{told} {[one.content for one in found.messages if one.role != 'user']}"
    with_story = memory.story("", id=story_id)
    preview = preview_context(call(), project_id=story_id, chapter=1, scene=0, token_budget=50_000, pov=pov)
    yield "preview", str([one.content for one in preview.messages if one.role != "user"])
    relevant = with_story.query.relevant(excerpt=text, max_entities=50, pov=pov)
    yield "relevant", relevant.model_dump_json()
    yield "retrieve", with_story.query.retrieve(query=text, as_of=moment, pov=pov).model_dump_json()
    asked = {"q": question, "audience": "model", "as_of": moment, "pov": pov}
    yield (
        "search",
        search_story(call(), project_id=story_id, **asked).model_dump_json(),
    )
    for name in names:
        around = graph_around(call(), project_id=story_id, entity=name, depth=2, as_of=None, pov=pov)
        yield "graph", around.natural_language_description
        if pov is not None:
            yield "graph as seen", around.model_dump_json()
    if pov is None:
        yield "open questions", str(open_prompts(call(), story_id))
        yield "questions of checks", str(model_prompts(call(), story_id))
    else:
        yield from _seen_by(memory, story_id, question, names, moment, pov)
    yield "chat", _chat(memory, story_id, text, now, pov)
    yield "proxy", _proxy(memory, story_id, text, now, pov)
    yield "chat context", _chat_context(memory, story_id, names, question, moment, pov)
    yield from _agent(memory, story_id, names, question, moment, pov)


def contradicting(names: list[str]) -> str:
    """A passage that may contradict much of what is established of these."""
    said = []
    for name, other in zip(names, names[1:] + names[:1], strict=True):
        said.append(
            f"{name} had blue eyes. {name} was three years old. {name}’s nine sisters met {name}’s uncle, "
            f"{other}. {name} was in {other}. “{other} is here,” said {name}. "
            f"{name} was shot at 8:15 with 7 guns. {name} carried the {other}. {name}举起{other}。"
            f"{name}的眼睛是蓝色的。{name}今年三岁。{name}有九个妹妹。{name}的叔叔{other}走进来。{name}道：“{other}在吗？”"
        )
    return "\n".join(said)


def _seen_by(
    memory: Memory, story_id: str, question: str, names: list[str], moment: dict[str, int], pov: str
) -> Iterator[Answer]:
    """What doors for authors show as somebody sees it."""
    story = memory.story("", id=story_id)
    yield "graph as seen", full_graph(memory.call(), project_id=story_id, pov=pov).model_dump_json()
    yield "author search", story.search(question, as_of=moment, pov=pov).model_dump_json()
    for text in (", ".join(names), contradicting(names)):
        yield "author check", story.check(text, **moment, pov=pov).model_dump_json()
    for node in full_graph(memory.call(), project_id=story_id, pov=pov).nodes[:3]:
        around = story.query.subgraph(center_entity_id=node.id, k=2, as_of=None, pov=pov)
        yield "subgraph as seen", around.model_dump_json()
    ids = [one.id for one in story.entity.list().items if one.name in names]
    found = story.query.path(source_entity_id=ids[0], target_entity_id=ids[-1], pov=pov)
    yield "path as seen", found.model_dump_json(exclude={"expansions"})


def _chat(memory: Memory, story_id: str, text: str, now: tuple[int, int], pov: str | None) -> str:
    said = {"chapter": now[0], "scene": now[1], "text": text, "messages": [], "pov": pov}
    talk = begin_chat(memory.call(), project_id=story_id, **said)
    return str([one.content for one in talk.asked.messages if one.role != "user"])


def _proxy(memory: Memory, story_id: str, text: str, now: tuple[int, int], pov: str | None) -> str:
    """What is added to the request of a client whose model name says the story, the speaker and the scene."""
    model = f"fabula/{story_id}{'' if pov is None else f'~{pov}'}@{now[0]}.{now[1]}"
    said = {"model": model, "messages": [{"role": "user", "content": text}]}
    sent = forwarded(memory.call(), body=orjson.dumps(said))
    return str([one["content"] for one in orjson.loads(sent.content)["messages"] if one["role"] != "user"])


def _chat_context(
    memory: Memory, story_id: str, names: list[str], question: str, moment: dict[str, int], pov: str | None
) -> str:
    """What is added to a conversation in which the open ones speak, name each other, and are asked about."""
    said = [
        {"role": "system", "content": f"You are {names[-1]}. {{{{outlet::out}}}}"},
        {"role": "user", "content": question, "name": names[0]},
        {"role": "assistant", "content": ", ".join(names), "name": names[-1]},
        {"role": "user", "content": question},
    ]
    wishes = {
        **moment,
        "char": names[-1],
        "user": names[0],
        "token_budget": 50_000,
        "note": "Be brief.",
        "pov": pov,
    }
    made = chat_context(memory.call(), project_id=story_id, messages=said, pinned=names[:1], **wishes)
    return str([one.content for one in made.messages if one.added or one.role == "system"])


def _receipts(call: Call, story_id: str, names: list[str], moment: dict[str, int]) -> Iterator[Answer]:
    """What an agent hears of its own contexts afterwards, and of those that the author asked for."""
    earlier = told_context(call, project_id=story_id, **moment, text=names[0], token_budget=100).receipt_id
    later = told_context(call, project_id=story_id, **moment, text=", ".join(names)).receipt_id
    for since in (None, earlier):
        said = told_receipt(call, project_id=story_id, receipt_id=later, since=since)
        yield "get_receipt", said.model_dump_json()
    own = assemble_context(
        replace(call, pov=None), project_id=story_id, **moment, text=", ".join(names), receipt=True
    )
    yield "get_receipt", _told(told_receipt, call, project_id=story_id, receipt_id=own.receipt_id)


def _resource(call: Call, address: str) -> str:
    return resources.read(call, address).text


def _told(ask: Callable[..., Any], call: Call, *given: str, **fields: Any) -> str:
    """What is answered, or with which words it is refused."""
    try:
        said = ask(call, *given, **fields)
    except FabulaError as error:
        return f"{error.message} {error.details} {error.suggestion}"
    return said if isinstance(said, str) else str(said.model_dump_json())


def _agent(
    memory: Memory, story_id: str, names: list[str], question: str, moment: dict[str, int], pov: str | None
) -> Iterator[Answer]:
    call = replace(memory.call(), pov=pov)
    books = list_books(memory.call(), project_id=story_id).items
    calls: list[tuple[str, dict[str, Any]]] = [
        ("list_stories", {}),
        ("open_story", moment),
        ("search", {"query": question, **moment}),
        ("list_entities", moment),
        *(("get_entity", {"entity": name, **moment}) for name in names),
        *(("get_subgraph", {"entity": name, "depth": 3, **moment}) for name in names[:2]),
        ("find_path", {"source": names[0], "target": names[-1], **moment}),
        ("get_context", {**moment, "text": ", ".join(names)}),
        ("get_chat_context", {**moment, "messages": [{"role": "user", "content": ", ".join(names)}]}),
        ("get_recent_scenes", moment),
        ("list_threads", moment),
        ("list_threads", {"all": True, **moment}),
        ("note_thread", {"id": "nobody", "chapter": 0, "scene": 0, "quotation": "x"}),
        ("check_passage", {"text": f"{', '.join(names)} met.", **moment}),
        ("check_passage", {"text": contradicting(names), **moment}),
        *(("export_lorebook", {"book": book.id, **moment}) for book in books),
        *(("export_lorebook", {"book": book.id, "format": "csv", **moment}) for book in books),
        ("get_knowledge_schema", {}),
    ]
    for name, arguments in calls:
        tool = TOOLS[name]
        story = {"project_id": story_id} if tool.of_a_story else {}
        yield name, _told(tool.operation, call, **story, **arguments)
    place = f"chapters/{moment['chapter']}/scenes/{moment['scene']}"
    for kind, path in (
        ("story", ""),
        *(("entity", f"/entities/{quote(name)}") for name in names),
        ("scene", f"/{place}"),
    ):
        yield f"resource {kind}", _told(_resource, call, f"fabula://stories/{story_id}{path}")
    yield from _receipts(call, story_id, names, moment)
    for name, prompt in PROMPTS.items():
        yield f"prompt {name}", _told(prompt.operation, call, project_id=story_id, chapter=0, scene=0)
