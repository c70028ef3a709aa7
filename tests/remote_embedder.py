"""A story whose vectors come from a played endpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from endpoints import Connected, data
from fabula.llm.openai_embeddings import OpenAiEmbedder
from fabula.memory import Memory
from fabula.operations.search.embedding import embed_story, embedding_status
from fabula.story_memory import StoryMemory
from postgres import place_at


def answering(house: Connected, before: Callable[[list[str]], object] = lambda texts: None) -> Any:
    """Give each text a vector of its own, and do first what `before` says."""

    def scene(handler: BaseHTTPRequestHandler) -> None:
        texts = house.played.bodies[-1]["input"]
        before(texts)
        rows = [[1.0, len(text) % 7, len(text) % 5, len(text) % 3] for text in texts]
        data({"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]})(handler)

    return scene


@contextmanager
def opened(path: Path, house: Connected, **wishes: Any) -> Iterator[tuple[Memory, StoryMemory]]:
    embedder = OpenAiEmbedder(house.endpoint(), "played")
    with Memory(place_at(path / "fabula.db"), vectors_by=embedder, **wishes) as memory:
        yield memory, memory.story("雾港", language="zh")


def embed(memory: Memory, story: StoryMemory) -> None:
    embed_story(memory.call(), story.id, lambda done, total: True)
    assert embedding_status(memory.call(), project_id=story.id).up_to_date


def person(story: StoryMemory, name: str, description: str, **fields: Any) -> str:
    made = story.entity.create(type="character", name=name, description=description, **fields)
    return str(made.id)


def tell(story: StoryMemory) -> str:
    """A story with secrets of every kind; the id of one of them."""
    salt = person(story, "盐先生", "灯塔下藏着钥匙。", aliases=["老盐"], ai_context_level="never")
    person(story, "陶婆婆", "她从前是海盗。", ai_context_level="manual_only")
    person(story, "江离", "望归塔的守灯人。她怕盐先生。", attributes={"债": "欠老盐三百两"})
    story.entry("潮信", "月圆之夜开门。", ai_context_level="never", keywords=["潮信"])
    story.entry("禁书", "第七页被撕了。", ai_context_level="manual_only", keywords=["禁书"])
    story.entry("风俗", "初一点灯。陶婆婆从不点灯。潮信来时闭户。")
    story.scene(0, 0, "雾起了。盐先生站在门外，手里是一把铜钥匙。江离没有回头。")
    story.scene(9, 0, "许多年后，塔倒了。")
    story.event.create(
        name="夜会", summary="两人在塔下见面。", roles=["盐先生", "江离"], moment={"chapter": 0, "scene": 0}
    )
    return salt
