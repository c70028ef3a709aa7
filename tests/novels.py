"""A small novel, imported and read; and all that a reading leaves."""

from __future__ import annotations

import random
from typing import Any

from fabula.memory import Memory
from fabula.operations.manuscript.manuscript import list_snapshots
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, NovelStory, import_novel

PEOPLE = ("林惊羽", "苏瑶", "赵无极", "陆青崖")
PLACES = ("望归塔", "青云镇")
LINES = (
    "{a}走进{p}，看见{b}坐在窗前。",
    "{a}说道：“{b}，你怎么在这里？”",
    "{b}笑道：“我等了你三天。”{a}没有回答。",
    "雨下了一夜，{p}的灯一直亮着。{a}想起从前的事，叹了口气。",
    "{a}问道：“{p}还有多远？”{b}指了指前面的山。",
)


def novel(chapters: int, people: tuple[str, ...] = PEOPLE) -> str:
    """A novel whose third person appears from the middle on."""
    chance = random.Random(1)
    told = []
    for number in range(1, chapters + 1):
        present = people if number > chapters // 2 else people[:2]
        lines = []
        for _ in range(12):
            a, b = chance.sample(present, 2)
            lines.append(chance.choice(LINES).format(a=a, b=b, p=chance.choice(PLACES)))
        told.append(f"第{number}章 无题\n\n" + "\n".join(lines))
    return "\n\n".join(told)


def imported(memory: Memory, text: str, **wishes: Any) -> NovelStory:
    call = memory.call()
    story = import_novel(call, ImportNovelRequest(text=text, **{"title": "雾", **wishes}))
    if story.task_id is not None:
        call.jobs.crew.run(call.jobs.claimed(call, KIND, story.story_id, "", ""))
    return story


def found(memory: Memory, story_id: str) -> dict[str, Any]:
    listed = memory.story("雾", id=story_id).entity.list(limit=1000).items
    return {one.name: one for one in listed}


def outcome(memory: Memory, story_id: str) -> Any:
    """All that a reading leaves, without ids and times."""
    people = found(memory, story_id)
    told = memory.story("雾", id=story_id)
    return (
        {name: (one.type, one.aliases, one.since, one.description) for name, one in people.items()},
        sorted((one.entity_name, one.kind, one.confidence) for one in told.proposals(reviewed=None)),
        [
            (
                one.chapter_index,
                one.summary,
                one.active_characters and [c.name for c in one.active_characters],
            )
            for one in list_snapshots(memory.call(), project_id=story_id)
        ],
    )
