"""Stories on an engine that is sharded by story: which tables are spread, and a little of everything."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np

from fabula import store
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.graph.graph_layout import lay_out
from fabula.operations.import_export.export_story import export_folder
from fabula.operations.live import Watched, editions_for
from fabula.operations.lorebook.entries import create_entry, list_entries
from fabula.operations.manuscript.novel_import import ImportNovelRequest, start_novel
from fabula.operations.manuscript.rearranging import delete_chapter
from fabula.operations.members import list_members, put_member, remove_member
from fabula.operations.search.embedding import JOB
from fabula.operations.stories import delete_story, list_stories
from fabula.samples import load_sample
from fabula.store.tables import metadata
from fabula.story_memory import StoryMemory
from plain_embedder import PlainEmbedder, vector_of

# Tables may stand in more than one file of the store.
for module in iter_modules(store.__path__):
    import_module(f"{store.__name__}.{module.name}")

# Small, of no story, and copied whole to every shard.
REFERENCE = {"users", "user_tokens"}
# About all stories, and in one place.
LOCAL = {"job_hints"}
SHARDED = {table.name: table for table in metadata.tables.values() if table.name not in REFERENCE | LOCAL}


class AnyEmbedder(PlainEmbedder):
    """One that takes questions, too."""

    def embed(self, texts: Any, *, kind: Any = "document") -> Any:
        return np.array([vector_of(text) for text in texts])


def work(memory: Memory, folder: Path) -> None:
    """A little of everything that is done with stories."""
    sample = load_sample(memory, "harbor.zh")
    story = memory.story("另一个", id="other")
    lin = story.entity.create(type="character", name="林远", aliases=["阿远"])
    su = story.entity.create(type="character", name="苏晴")
    twin = story.entity.create(type="character", name="苏小姐")
    story.relation.create(source_entity_id=lin.id, target_entity_id=su.id, relation_type="师徒")
    story.relation.list(filter={"entityId": lin.id})
    story.state.create(entity_id=lin.id, description="受伤", since={"chapter": 3})
    met = story.event.create(summary="相遇。", roles=["阿远", "未来的人"], moment={"chapter": 1})
    story.event.list(filter={"entityId": lin.id, "keyword": "相遇", "since": {"chapter": 0}})
    story.event.companions(entity_id=lin.id)
    story.entity.merge(target_entity_id=su.id, source_entity_ids=[twin.id])
    story.history.undo()
    story.history.redo()
    story.history.list(id=su.id)
    story.entity.impact(id=lin.id)
    story.entity.list(filter={"keyword": "林", "type": "character"})
    story.query.subgraph(center_entity_id=lin.id)
    story.query.relevant(excerpt="林远与苏晴")
    story.query.validate()
    create_entry(
        memory.call(), project_id=story.id, entry=LorebookEntryCreate(entry_key="雾", content="常年有雾。")
    )
    list_entries(memory.call(), project_id=story.id, keyword="雾", size=10)
    story.scene(0, 0, text="林远走进雾里，苏晴跟在后面。")
    story.context(text="林远回头。", chapter=0, scene=1)
    story.search("雾")
    story.extract(text="林远遇见了沈舟。沈舟说：“林远，跟我来。”")
    story.event.delete(id=met.id)
    add_user(memory.call(), name="lin")
    reader = memory.identify(create_token(memory.call(), user_name="lin").secret)
    put_member(memory.call(), project_id=story.id, user_name="lin", role=Role.READER)
    assert [known.id for known in list_stories(memory.call(reader))] == [story.id]
    editions_for(memory.call(), [Watched(sample.id, None), Watched(story.id, reader.user_id)])
    list_members(memory.call(), project_id=story.id)
    remove_member(memory.call(), project_id=story.id, user_name="lin")
    _longer_work(memory, story, folder)
    assert [report.differing for report in memory.audit()] == [()] * len(memory.stories())
    delete_story(memory.call(), project_id=story.id)
    assert sample.id in {known.id for known in memory.stories()}


def _longer_work(memory: Memory, story: StoryMemory, folder: Path) -> None:
    """What goes over a whole story, or is done in the background."""
    jobs = memory.call().jobs
    story.batch.upsert(
        entities=[{"type": "item", "name": "铜铃"}, {"type": "location", "name": "雾港"}],
        relations=[{"source_name": "林远", "target_name": "铜铃", "relation_type": "owns"}],
    )
    story.import_bundle("- {type: Character, name: 老陈}")
    story.propose({"entityName": "沈舟", "entityType": "character", "confidence": 0.9})
    story.review(story.proposals()[0].id, "approved")
    story.scene(1, 0, text="雨停了。")
    story.snapshot(1, 0, "雨停了。")
    story.move_scene((1, 0), (0, 1))
    story.move_chapter(0, 3)
    delete_chapter(memory.call(), project_id=story.id, chapter=3)
    story.history.undo()
    story.query.retrieve(query="谁有铜铃？")
    lay_out(memory.call(), project_id=story.id)
    begin = jobs.do(memory.call(), JOB, story.id, "again", "", lambda progress, message: None)
    assert begin.status == "done"
    assert begin in jobs.page(story.id, 0, 10).items
    novel = start_novel(
        memory.call(),
        ImportNovelRequest(text="第一章 雾\n\n林远遇见苏晴。\n\n第二章 港\n\n苏晴走了。", title="雾港"),
    )
    jobs.crew.run_due()
    assert novel.task_id is not None
    jobs.cancel(novel.task_id)
    export_folder(memory.call(), project_id=story.id, path=folder / "out")
    again = memory.import_story(folder / "out")
    assert len(again.entity.list().items) == len(story.entity.list().items)
