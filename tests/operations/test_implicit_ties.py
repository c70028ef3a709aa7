"""Implicit ties: who shares scenes is drawn, as of a moment, and never stored."""

from __future__ import annotations

from fabula.memory import Memory
from fabula.model.moment import Moment
from fabula.operations.graph.graph_picture import GraphPictureRequest, graph_picture
from fabula.story_memory import StoryMemory


def pairs(memory: Memory, story: StoryMemory, as_of: Moment | None = None) -> set[tuple[str, ...]]:
    picture = graph_picture(
        memory.call(), GraphPictureRequest(project_id=story.id, as_of=as_of, implicit=True)
    )
    name = dict(zip(picture.nodes.ids, picture.nodes.names, strict=True))
    return {tuple(sorted((name[tie.source_id], name[tie.target_id]))) for tie in picture.implicit}


def test_who_shares_scenes_is_tied_as_of_a_moment(memory: Memory, story: StoryMemory) -> None:
    for kind, name in (
        ("character", "林逸"),
        ("character", "苏瑶"),
        ("character", "赵九"),
        ("location", "崖"),
    ):
        story.entity.create(type=kind, name=name)
    for chapter, text in enumerate(
        ("林逸遇见苏瑶。", "苏瑶看着林逸，崖上有雪。", "赵九来了。", "赵九与苏瑶说话。", "苏瑶骂赵九。")
    ):
        story.scene(chapter, 0, text)
    assert pairs(memory, story) == {("林逸", "苏瑶"), ("苏瑶", "赵九")}
    assert pairs(memory, story, Moment(chapter=3, scene=0)) == {("林逸", "苏瑶")}
    assert pairs(memory, story, Moment(chapter=0, scene=0)) == set()
    picture = graph_picture(memory.call(), GraphPictureRequest(project_id=story.id, implicit=True))
    first = min(picture.implicit, key=lambda tie: tie.first.chapter)
    assert ((first.first.chapter, first.last.chapter), 0 < first.weight < 1) == ((0, 1), True)
    assert story.relation.list().items == ()
    assert not graph_picture(memory.call(), GraphPictureRequest(project_id=story.id)).implicit
