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


def test_the_picture_says_how_the_manuscript_names_the_nodes(memory: Memory, story: StoryMemory) -> None:
    def named(as_of: Moment | None = None) -> dict[str, tuple[int, int | None, str | None]] | None:
        picture = graph_picture(
            memory.call(), GraphPictureRequest(project_id=story.id, as_of=as_of, implicit=True)
        )
        if picture.named is None:
            return None
        names = picture.nodes.names
        return {
            name: (times, chapter, None if place is None else names[place])
            for name, times, chapter, place in zip(
                names, picture.named.times, picture.named.chapters, picture.named.places, strict=True
            )
        }

    for kind, name in (("character", "林逸"), ("character", "赵九"), ("location", "崖"), ("location", "城")):
        story.entity.create(type=kind, name=name)
    assert named() is None
    for chapter, text in enumerate(("林逸在城里。", "林逸上了崖，崖上有雪。", "林逸下崖。", "城里无人。")):
        story.scene(chapter, 0, text)
    assert named() == {
        "林逸": (3, 0, "崖"),
        "赵九": (0, None, None),
        "崖": (3, 1, None),
        "城": (2, 0, None),
    }
    early = named(Moment(chapter=0, scene=0))
    assert early is not None
    assert early["林逸"] == (1, 0, "城")
    assert graph_picture(memory.call(), GraphPictureRequest(project_id=story.id)).named is None
