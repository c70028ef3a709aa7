"""What `import fabula` offers."""

from __future__ import annotations

import types
from pathlib import Path

import pytest

import fabula


def test_all_is_exactly_what_is_exported() -> None:
    offered = {
        name
        for name, value in vars(fabula).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType)
    }
    assert set(fabula.__all__) == offered
    assert len(fabula.__all__) == len(set(fabula.__all__))
    assert sorted(fabula.__all__) == ["FabulaError", "Memory", "StoryMemory", "open"]


def test_eight_lines_of_python(tmp_path: Path) -> None:
    with fabula.open(tmp_path / "novel.db") as memory:
        assert isinstance(memory, fabula.Memory)
        story = memory.story("海港", language="zh")
        assert isinstance(story, fabula.StoryMemory)
        lin = story.entity.create(type="character", name="林远", aliases=["阿远"])
        bay = story.entity.create(type="location", name="雾港")
        story.relation.create(source_entity_id=lin.id, target_entity_id=bay.id, relation_type="located_at")
        assert [item.name for item in story.query.relevant(excerpt="阿远回来了").items] == ["林远"]
        assert story.query.subgraph(center_entity_id=bay.id).node_count == 2
        with pytest.raises(fabula.FabulaError) as refused:
            story.entity.create(type="character", name="林远")
        assert refused.value.code == "KG_ENTITY_DUPLICATE"


def test_a_story_is_found_again_by_its_title(tmp_path: Path) -> None:
    with fabula.open(tmp_path / "novel.db") as memory:
        first = memory.story("海港")
    with fabula.open(str(tmp_path / "novel.db")) as memory:
        assert memory.story("海港").id == first.id
        assert len(memory.stories()) == 1


def test_a_story_in_memory_is_thrown_away() -> None:
    with fabula.open(":memory:") as memory:
        memory.story("一夜")
        kept = memory.place
        assert kept.exists()
    assert not kept.exists()


@pytest.mark.parametrize("title", ["", " ", "\u200b", "长" * 257])
def test_a_title_that_is_none_is_refused_as_everywhere(tmp_path: Path, title: str) -> None:
    with fabula.open(tmp_path / "novel.db") as memory:
        with pytest.raises(fabula.FabulaError) as refused:
            memory.story(title)
        assert refused.value.code == "VALIDATION_ERROR"
        assert memory.stories() == ()


def test_words_that_are_no_channel_are_no_attribute(tmp_path: Path) -> None:
    with fabula.open(tmp_path / "novel.db") as memory:
        story = memory.story("海港")
        assert not hasattr(story, "dragon")
        assert not hasattr(story.entity, "explode")
        assert "create" in dir(story.entity)
        assert story.entity.create.__doc__
