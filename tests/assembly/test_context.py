from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from fabula.assembly.assemble import assemble
from fabula.assembly.context import AssembledContext, TraceItem
from fabula.assembly.recollections import RecalledCandidate
from fabula.assembly.sections.characters import CharacterCandidate
from fabula.assembly.sections.lore import LoreCandidate
from fabula.assembly.sections.snapshots import SnapshotCandidate
from fabula.assembly.sentences import RelationCandidate
from fabula.assembly.setting import DEFAULT_BUDGET, Budget, SceneSetting
from fabula.model.audience import OpenText, Withheld
from fabula.model.context import MatchPlace
from fabula.model.level import AiContextLevel
from fabula.model.lore import Category, InsertionPosition
from fabula.model.moment import Moment, first_instant
from fabula.model.relation import Language
from fabula.tokens import counter

WORDS = counter("gpt-4o")
NOW = first_instant(Moment(chapter=3, scene=2))
HIT = (MatchPlace(term="x", kind="name", start=0, end=1),)
SYSTEM, BEFORE, AFTER = InsertionPosition
ALWAYS, DETECTED = AiContextLevel.ALWAYS, AiContextLevel.WHEN_DETECTED
SCENE = SceneSetting(NOW, "zh", WORDS, "林逸推开门。")


def entry(key: str, content: str, **more: Any) -> LoreCandidate:
    fields: dict[str, Any] = {
        "id": f"id-{key}",
        "entity_id": None,
        "entry_key": key,
        "display_name": key,
        "category": Category.CUSTOM,
        "content": content,
        "priority": 10,
        "position": BEFORE,
        "token_budget": 500,
        "level": DETECTED,
        "matches": HIT,
        "score": 0.5,
    }
    return LoreCandidate(**{**fields, **more})


def always(key: str, content: str, **more: Any) -> LoreCandidate:
    return entry(key, content, level=ALWAYS, matches=(), **more)


def context(
    lore: Any = (),
    relations: Any = (),
    snapshots: Any = (),
    characters: Any = (),
    recalled: Any = (),
    scene: SceneSetting = SCENE,
    total: int = DEFAULT_BUDGET,
    **shares: float,
) -> AssembledContext:
    asking = {
        "lore": lore,
        "relations": relations,
        "snapshots": snapshots,
        "characters": characters,
        "events": [one for one in recalled if one.kind == "event"],
        "passages": [one for one in recalled if one.kind == "passage"],
    }
    return assemble(scene, asking, Budget(total, shares))


def traced(found: AssembledContext) -> dict[str, TraceItem]:
    assert len({item.id for item in found.trace}) == len(found.trace)
    return {item.id: item for item in found.trace}


LORE = (
    always("世界观", "凡人修仙的世界。", position=SYSTEM, priority=100),
    entry("林逸", "林逸，男，二十岁。", entity_id="x1", category=Category.CHARACTER, priority=20),
    entry("青云宗", "五大宗门之一。", entity_id="x2", category=Category.FACTION),
    entry("文风", "多用短句。", position=AFTER),
)
RELATIONS = (RelationCandidate("r1", "x1", "林逸", "x3", "苏瑶", "ally", "盟友", "关系亲近"),)
SNAPSHOTS = (
    SnapshotCandidate("s0", 3, 0, "大比开幕。"),
    SnapshotCandidate("s1", 3, 1, "林逸与赵无极对决。"),
)
CHARACTERS = (
    CharacterCandidate("林逸", "受伤后恢复中", "坚定", "x1", score=1.0),
    CharacterCandidate("苏瑶", "", "", "x3"),
)


@pytest.mark.scenario("MEMORY-FLOW-MESSAGES")
def test_the_messages_read_as_one_would_write_them() -> None:
    found = context(LORE, RELATIONS, SNAPSHOTS, CHARACTERS)
    assert [(m.role, m.content) for m in found.messages] == [
        ("system", "凡人修仙的世界。"),
        (
            "system",
            "林逸，男，二十岁。\n\n青云宗：五大宗门之一。\n\n"
            "## 关系\n林逸与苏瑶是盟友（关系亲近）。\n\n"
            "## 前情\n【第4章·场景1】大比开幕。\n【第4章·场景2】林逸与赵无极对决。\n\n"
            "## 在场人物\n林逸：受伤后恢复中（情绪：坚定）\n苏瑶",
        ),
        ("user", "林逸推开门。"),
        ("system", "多用短句。"),
    ]


def test_the_parts_are_those_of_the_contract() -> None:
    found = context(LORE, RELATIONS, SNAPSHOTS, CHARACTERS)
    assert [f.entry_key for f in found.system_prompt_entries] == ["世界观"]
    assert [f.entry_key for f in found.before_scene_entries] == ["林逸", "青云宗"]
    assert [f.content for f in found.before_scene_entries] == ["林逸，男，二十岁。", "五大宗门之一。"]
    assert [f.reason for f in found.after_scene_entries] == ["detected"]
    assert found.graph_relationships == "林逸与苏瑶是盟友（关系亲近）。"
    assert found.recent_snapshots == ("【第4章·场景2】林逸与赵无极对决。", "【第4章·场景1】大比开幕。")
    assert [c.name for c in found.active_characters] == ["林逸", "苏瑶"]
    told = [m.content for m in found.messages if m.role == "system"]
    assert found.estimated_tokens == sum(WORDS.count(text) for text in told)
    assert found.total_budget == 4000
    assert all(f.estimated_tokens == WORDS.count(f.content) for f in found.before_scene_entries)


def test_an_english_story_is_told_in_english() -> None:
    scene = SceneSetting(NOW, "en", WORDS)
    found = context(
        [entry("Lin Yi", "A young swordsman.", entity_id="x1")],
        [RelationCandidate("r", "x1", "Lin Yi", "x3", "Su Yao", "knows", "Knows")],
        [SnapshotCandidate("s", 3, 1, "Lin Yi lost\nthe duel.")],
        [CharacterCandidate("Lin Yi", "recovering", "resolute")],
        scene=scene,
    )
    assert [m.content for m in found.messages] == [
        "Lin Yi: A young swordsman.\n\n## Relations\nLin Yi knows Su Yao.\n\n"
        "## The story so far\n[Chapter 4, scene 2] Lin Yi lost the duel.\n\n"
        "## On stage\nLin Yi: recovering (mood: resolute)"
    ]


@pytest.mark.parametrize(
    ("language", "title", "label"),
    [
        ("zh", "第十四回 赵无极之死", "【第十四回·场景2】"),
        ("zh", "", "【第4章·场景2】"),
        ("en", "Chapter XIV. The Death of Zhao", "[Chapter XIV, scene 2] "),
        ("en", "XIV", "[Chapter XIV, scene 2] "),
        ("en", "The Death of Zhao", "[Chapter 4, scene 2] "),
    ],
)
def test_a_model_reads_the_numbers_of_the_book_and_nothing_else_of_a_title(
    language: Language, title: str, label: str
) -> None:
    scene = SceneSetting(NOW, language, WORDS, chapter_titles={3: title})
    found = context([], [], [SnapshotCandidate("s", 3, 1, OpenText("下雨。"))], [], scene=scene)
    assert found.recent_snapshots == (f"{label}下雨。",)


def test_nothing_to_say_is_no_message() -> None:
    found = context(scene=SceneSetting(0, "zh", WORDS))
    assert found.messages == ()
    assert found.estimated_tokens == 0
    assert (found.stable_prefix, found.stable_prefix_tokens) == ("", 0)


def test_what_is_too_large_is_skipped_and_what_is_smaller_still_gets_in() -> None:
    large = entry("大", "雨" * 300 + "。", priority=50)
    small = entry("小", "雨停了。", priority=1)
    found = context([large, small], total=60)
    assert [f.entry_key for f in found.before_scene_entries] == ["小"]
    lost = traced(found)["id-大"]
    assert (lost.included, lost.reason) == (False, "budget")
    assert lost.missing_tokens == WORDS.count(large.content) - 60
    assert lost.tokens == WORDS.count(large.content)


def test_an_entry_gets_in_when_the_budget_is_exactly_its_size() -> None:
    text = "林逸走上青云山的石阶。"
    size = WORDS.count(text)
    assert context([entry("a", text)], total=size).estimated_tokens == size
    assert context([always("a", text)], total=size).estimated_tokens == size
    assert context([entry("a", text)], total=size - 1).messages[0].role == "user"


def test_constants_come_before_what_has_a_higher_priority() -> None:
    size = WORDS.count("雨停了。")
    found = context([entry("高", "风停了。", priority=99), always("低", "雨停了。", priority=1)], total=size)
    assert [f.entry_key for f in found.before_scene_entries] == ["低"]
    assert traced(found)["id-高"].reason == "budget"


def test_a_crumb_left_over_does_not_let_others_overtake_a_constant() -> None:
    lost = always("长", "雨停了，风也停了，林逸还在门外等着。", priority=0)
    kept = always("短", "雨停了。", priority=9)
    other = entry("别", "雨停了，风也停了，苏瑶还在门外等着。", priority=99)
    for total in range(WORDS.count(kept.content), 60):
        found = traced(context([lost, kept, other], total=total))
        assert found["id-长"].included or not found["id-别"].included


def test_a_constant_without_room_is_out_like_anybody_else() -> None:
    found = context([always("长", "雨" * 200)], total=20)
    assert traced(found)["id-长"].reason == "budget"
    assert traced(found)["id-长"].missing_tokens > 0


def test_of_one_priority_what_says_more_for_its_size_comes_first() -> None:
    dull, sharp = entry("a", "雨停了。", score=0.1), entry("b", "风停了。", score=0.9)
    found = context([dull, sharp], total=WORDS.count("雨停了。"))
    assert [f.entry_key for f in found.before_scene_entries] == ["b"]


def test_an_entry_keeps_to_its_own_budget_and_says_so() -> None:
    long = entry("林逸", "二十岁的剑修。" + "他在雨里走了很久。" * 40, entity_id="x", token_budget=20)
    found = context([long])
    [fragment] = found.before_scene_entries
    assert fragment.content.startswith("二十岁的剑修。")
    assert fragment.content.endswith("。")
    item = traced(found)["id-林逸"]
    assert item.cut
    assert item.tokens == WORDS.count("林逸：" + fragment.content) <= 20
    none = traced(context([replace(long, token_budget=1)]))["id-林逸"]
    assert (none.included, none.reason) == (False, "budget")
    assert none.missing_tokens == none.tokens - 1 > 0


def test_sections_keep_to_their_shares_until_the_lore_has_had_its_turn() -> None:
    snapshots = [SnapshotCandidate(f"s{n}", 2, n, "雨下了一整夜，没有人说话。") for n in range(8)]
    lore = [entry(f"k{n}", f"第{n}件事：雨停了，风也停了。") for n in range(40)]
    total = 400
    alone = context([], [], snapshots, total=total)
    crowded = context(lore, [], snapshots, total=total)
    assert len(alone.recent_snapshots) == 8
    told = "\n".join(("## 前情", *crowded.recent_snapshots))
    assert 0 < WORDS.count(told) <= total // 4
    assert crowded.recent_snapshots[0].startswith("【第3章·场景8】")


def test_a_secret_is_named_by_its_id_only() -> None:
    found = context(
        [],
        [replace(RELATIONS[0], since=Moment(chapter=9), target_name="影子", description="影子")],
        [
            SnapshotCandidate("s1", 3, 1, "雨停了。", withheld=Withheld.SENTENCES),
            SnapshotCandidate("s0", 3, 0, "", withheld=Withheld.SENTENCES),
        ],
        [CharacterCandidate("影子", "潜伏", entity_id="x9", withheld=Withheld.WHOLE)],
    )
    assert "影子" not in found.model_dump_json()
    items = traced(found)
    assert (items["r1"].label, items["r1"].reason) == ("r1", "not_yet")
    assert (items["x9"].label, items["x9"].reason) == ("x9", "level_never")
    assert (items["s1"].included, items["s1"].reason, items["s1"].cut) == (True, "names_a_secret", True)
    assert (items["s0"].included, items["s0"].reason) == (False, "names_a_secret")
    assert found.recent_snapshots == ("【第4章·场景2】雨停了。",)


def test_the_trace_tells_where_and_how_far_away() -> None:
    place = MatchPlace(term="小逸", kind="alias", start=3, end=5)
    relation = replace(RELATIONS[0], hop_path=("x1", "x3"), score=0.7)
    items = traced(context([entry("林逸", "剑修。", matches=(place,))], [relation]))
    assert items["id-林逸"].matches == (place,)
    assert items["id-林逸"].position is BEFORE
    assert items["id-林逸"].level is DETECTED
    assert items["id-林逸"].priority == 10
    assert (items["r1"].hop_path, items["r1"].score) == (("x1", "x3"), 0.7)
    assert items["r1"].label == "林逸 → 苏瑶 (盟友)"
    assert items["r1"].tokens == WORDS.count("林逸与苏瑶是盟友（关系亲近）。")


def test_relations_that_share_a_sentence_share_its_tokens() -> None:
    bonds = [RelationCandidate(f"r{n}", "x", "林逸", f"y{n}", f"乙{n}", "owns", "拥有") for n in range(5)]
    found = context([], bonds)
    assert sum(item.tokens for item in found.trace) == WORDS.count(found.graph_relationships)


def test_the_stable_part_comes_first_and_its_hash_is_that_of_its_bytes() -> None:
    lore = [
        always("b", "世界之二。", position=SYSTEM, priority=1),
        always("a", "世界之一。", position=SYSTEM, priority=9),
        always("c", "山门。", priority=0),
        entry("d", "钉住的事。", pinned=True, matches=(), priority=99),
        entry("e", "看见的事。", priority=100),
    ]
    found = context(lore)
    assert found.messages[0].content == "世界之一。\n\n世界之二。"
    assert found.messages[1].content == "山门。\n\n钉住的事。\n\n看见的事。"
    parts = ("世界之一。\n\n世界之二。", "山门。\n\n钉住的事。")
    assert found.stable_prefix == sha256("\0".join(parts).encode()).hexdigest()
    assert found.stable_prefix_tokens == sum(map(WORDS.count, parts))


def test_the_stable_part_ends_where_the_system_message_depends_on_the_text() -> None:
    lore = [always("a", "世界。", position=SYSTEM), always("c", "山门。")]
    found = context([*lore, entry("e", "看见的事。", position=SYSTEM, priority=100)])
    assert found.messages[0].content == "世界。\n\n看见的事。"
    assert found.stable_prefix == sha256("世界。".encode()).hexdigest()


def test_pinning_a_constant_does_not_move_it() -> None:
    lore = [always("a", "甲。", priority=1), always("b", "乙。", priority=0)]
    pinned = [lore[0], replace(lore[1], pinned=True)]
    assert context(lore).stable_prefix == context(pinned).stable_prefix


@pytest.mark.parametrize("total", [-5, 0])
def test_no_budget_is_no_context(total: int) -> None:
    found = context(LORE, RELATIONS, SNAPSHOTS, CHARACTERS, total=total)
    assert [m.role for m in found.messages] == ["user"]
    assert not any(item.included for item in found.trace)
    assert {item.reason for item in found.trace} == {"budget"}
    assert len(found.trace) == 9


def promise(**more: Any) -> RecalledCandidate:
    fields: dict[str, Any] = {
        "kind": "event",
        "id": "ev1",
        "label": "灯塔之约",
        "text": "苏瑶在灯塔下答应林逸，三年后还剑。",
        "at": Moment(chapter=1, scene=0),
        "hop_path": ("林逸", "苏瑶"),
        "score": 0.9,
    }
    return RecalledCandidate(**{**fields, **more})


def test_what_comes_to_mind_is_told_with_its_moment_in_the_order_of_time() -> None:
    quote = promise(
        kind="passage", id="sc:12", label="2.1", text="「剑在人在。」", at=Moment(chapter=2, scene=1)
    )
    earlier = promise(id="ev0", text="两人初遇。", at=Moment(chapter=0, scene=0), score=0.1)
    found = context(recalled=[quote, promise(), earlier])
    said = found.messages[0].content
    assert said.index("## 往事\n【第1章·场景1】两人初遇。") < said.index("【第2章·场景1】苏瑶在灯塔下")
    assert said.index("苏瑶在灯塔下") < said.index("## 原文\n【第3章·场景2】「剑在人在。」")
    assert [r.kind for r in found.recollections] == ["event", "event", "passage"]
    assert traced(found)["ev1"].reason == "recalled"
    assert traced(found)["ev1"].hop_path == ("林逸", "苏瑶")


def test_what_has_not_happened_yet_does_not_come_to_mind() -> None:
    now = promise(at=Moment(chapter=3, scene=2))
    later = promise(id="ev2", at=Moment(chapter=9))
    found = context(recalled=[now, later])
    assert not found.recollections
    assert {item.reason for item in found.trace} == {"not_yet"}


def test_memories_have_their_share_and_the_most_relevant_come_first() -> None:
    many = [promise(id=f"ev{n}", text=f"第{n}件往事。" * 4, score=n / 100) for n in range(60)]
    lore = [entry(f"e{n}", "风停了。", priority=5) for n in range(600)]
    found = context(lore, recalled=many, total=2000)
    told = [item.score for item in found.trace if item.kind == "event" and item.included]
    left = [item.score for item in found.trace if item.kind == "event" and not item.included]
    assert 0 < sum(r.estimated_tokens for r in found.recollections) <= 200
    assert min(told) > max(left)
