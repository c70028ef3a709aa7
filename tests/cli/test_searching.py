"""`fabula search` and `fabula embed`: what they print, in two languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doors import rows
from fabula.cli.search_texts import SEARCH_TEXTS
from fabula.cli.searching import MARKED, marked, way
from fabula.context.hop_paths import Hop
from fabula.memory import Memory
from fabula.operations.search.search import SearchHit, SnippetSpan
from postgres import place_at

Run = Callable[..., Any]
PLAIN = {"FABULA_EMBEDDING_MODEL": "none"}


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        story = memory.story("雾[港]", language="zh")
        li, shen = (
            story.entity.create(type="character", name=name, description=said)
            for name, said in (("江离", "守灯人。"), ("沈潮", "巡港的队长。"))
        )
        story.relation.create(source_entity_id=shen.id, target_entity_id=li.id, relation_type="enemy")
        story.event.create(name="空船", summary="船来了。", roles=["沈潮"], moment={"chapter": 2})
        story.scene(1, 3, "有人在礁石缝里捡到一只铜铃[red]。")
    return tmp_path / "novel.db"


def lines(out: str) -> list[str]:
    return [re.sub(r"\s{2,}", " | ", line.strip()) for line in out.splitlines() if line.strip()]


def test_a_table_says_what_was_found_why_and_where(run: Run, novel: Path) -> None:
    done = run("search", "雾[港]", "江离的", "仇人", "--db", str(novel), **PLAIN)
    assert done.code == 0, done.err
    heading, _, *found = lines(done.out)
    assert heading == "What | Name | Why | Place | Text"
    assert found[0] == "entity | 江离 | name | 守灯人。"
    assert "entity | 沈潮 | near: 江离 ←Enemy— 沈潮 | 巡港的队长。" in found


def test_the_table_in_chinese(run: Run, novel: Path) -> None:
    chinese = {**PLAIN, "FABULA_LANG": "zh"}
    done = run("search", "雾[港]", "铜铃", "--db", str(novel), **chinese)
    assert lines(done.out)[0] == "类别 | 名称 | 缘由 | 位置 | 文字"
    assert lines(done.out)[2] == "原文 | 1.3 | 文字 | 1.3 | 有人在礁石缝里捡到一只铜铃[red]。"
    near = run("search", "雾[港]", "江离的仇人", "--kind", "entity", "--db", str(novel), **chinese)
    assert "相近: 江离 ←敌人— 沈潮" in near.out


@pytest.mark.long
def test_options_narrow_what_is_found(run: Run, novel: Path) -> None:
    def found(*options: str) -> list[str]:
        done = run("search", "雾[港]", "沈潮", "空船", "铜铃", "--db", str(novel), *options, **PLAIN)
        assert done.code == 0, done.err
        return [line.split(" | ")[0] for line in lines(done.out)[2:]]

    assert set(found()) >= {"entity", "event", "passage"}
    assert set(found("--kind", "event", "--kind", "passage")) == {"event", "passage"}
    assert len(found("--limit", "1")) == 1
    assert "event" not in found("--chapter", "1")
    assert "passage" in found("--chapter", "1")
    assert "passage" not in found("--chapter", "1", "--scene", "2")


def test_nothing_found_is_said(run: Run, novel: Path) -> None:
    done = run("search", "雾[港]", "zzz", "--db", str(novel), **PLAIN)
    assert (done.code, done.out) == (0, "Nothing was found.\n")
    done = run("search", "雾[港]", "zzz", "--db", str(novel), FABULA_LANG="zh", **PLAIN)
    assert done.out == "没有找到。\n"


@pytest.mark.long
def test_bad_questions_are_refused(run: Run, novel: Path) -> None:
    def refused(*arguments: str) -> str:
        done = run(*arguments, "--db", str(novel), **PLAIN)
        assert (done.code, done.out) == (1, "")
        assert "Traceback" not in done.err
        return str(done.err)

    assert refused("search", "nowhere", "x").startswith("NOT_FOUND: There is no story 'nowhere'.")
    assert refused("search", "雾[港]", "x", "--kind", "people").startswith("VALIDATION_ERROR: kinds[0]: ")
    assert refused("search", "雾[港]", "x", "--scene", "1").startswith("VALIDATION_ERROR: as_of.chapter: ")
    assert refused("search", "雾[港]", "长" * 2001).startswith("VALIDATION_ERROR: q: ")
    assert refused("embed", "nowhere").startswith("NOT_FOUND: ")
    assert refused("embed", "雾[港]").startswith("VALIDATION_ERROR: Vectors are switched off.")
    assert run("search", "雾[港]", "x", "--limit", "0", "--db", str(novel)).code == 2
    assert run("search", "雾[港]", "--db", str(novel)).code == 2


@pytest.mark.long
def test_vectors_are_made_once_and_counted(run: Run, novel: Path) -> None:
    done = run("embed", "雾[港]", "--db", str(novel))
    assert (done.code, done.out) == (0, "fabula-static-1: 4 texts embedded, 4 vectors in all.\n")
    assert rows(novel, "SELECT count(*) FROM embeddings") == [4]
    again = run("embed", "雾[港]", "--db", str(novel), FABULA_LANG="zh")
    assert again.out == "fabula-static-1：新生成 0 个向量，共 4 个。\n"


def test_words_of_the_question_are_marked() -> None:
    hit = SearchHit(
        kind="passage",
        id="1.3:0",
        type="passage",
        title="1.3",
        snippet="一只[b]铜铃",
        marks=(SnippetSpan(start=5, end=7),),
        why="text",
        score=0.8,
    )
    text = marked(hit)
    assert text.plain == "一只[b]铜铃"
    assert [(span.start, span.end, span.style) for span in text.spans] == [(5, 7, MARKED)]


def test_arrows_point_as_the_relation_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def hop(source: str, target: str, kind: str, outward: bool, by: Any = "relation") -> Hop:
        ends = {"source": source, "target": target}
        return Hop(**ends, way=by, kind=kind, outward=outward, answers=0.0, words=())

    path = (hop("A", "B", "ally", True), hop("B", "C", "师从", False))
    monkeypatch.setenv("FABULA_LANG", "en")
    assert way(path) == "A —Ally→ B ←师从— C"
    assert way((hop("A", "B", "mention", False, "mention"),)) == "A ←names— B"
    assert way((hop("A", "B", "takes_part", False, "together"),)) == "A ←takes part— B"
    assert way((hop("A", "B", "together", True, "together"),)) == "A —together→ B"
    monkeypatch.setenv("FABULA_LANG", "zh")
    assert way(path) == "A —盟友→ B ←师从— C"


def test_every_text_is_there_in_both_languages() -> None:
    for english, chinese in SEARCH_TEXTS.values():
        assert english
        assert re.search(r"[\u4e00-\u9fff]", chinese)
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", chinese))
