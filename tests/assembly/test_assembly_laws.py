"""Laws of assembly on random candidates; whatever must not be told carries a word of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.assembly.assemble import assemble
from fabula.assembly.context import AssembledContext, TraceItem
from fabula.assembly.prose import without
from fabula.assembly.recollections import RecalledCandidate
from fabula.assembly.sections.characters import CharacterCandidate
from fabula.assembly.sections.lore import LoreCandidate
from fabula.assembly.sections.snapshots import SnapshotCandidate
from fabula.assembly.sentences import RelationCandidate
from fabula.assembly.setting import Budget, SceneSetting
from fabula.model.activation import ActivationRules
from fabula.model.audience import Withheld
from fabula.model.context import MatchPlace
from fabula.model.level import AiContextLevel
from fabula.model.lore import Category, InsertionPosition
from fabula.model.moment import Moment, first_instant
from fabula.tokens import counter

WORDS = {name: counter(name) for name in ("o200k_base", "cl100k_base", "qwen3", "llama2")}
EXACT = WORDS["o200k_base"]
HIT = (MatchPlace(term="x", kind="name", start=0, end=1),)
NOW = Moment(chapter=5, scene=1)
SECRET = "绝密"

PROSE = st.lists(
    st.sampled_from(
        [
            "林逸走上青云山的石阶。",
            "雨还没有停，苏瑶撑着伞站在门下！",
            "「你又来晚了。」她笑道。",
            "He left the harbour before dawn. ",
            "Mr. Gray kept 3.5 crowns; nobody asked why. ",
            "年龄: 27\n职业: 守灯人\n",
            "没有句号的一段话，一直说下去，一直说下去",
            "👨‍👩‍👧 ",
        ]
    ),
    max_size=9,
).map("".join)
MOMENTS = st.none() | st.builds(Moment, chapter=st.integers(3, 7), scene=st.none() | st.integers(0, 2))
SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0])

LORE = st.builds(
    LoreCandidate,
    id=st.just(""),
    entity_id=st.none() | st.just("x"),
    entry_key=st.sampled_from(["林逸", "青云宗", "Gray", "雨"]),
    display_name=st.just("名"),
    category=st.sampled_from(list(Category)),
    content=PROSE,
    priority=st.integers(0, 4),
    position=st.sampled_from(list(InsertionPosition)),
    token_budget=st.sampled_from([0, 3, 20, 60, 500]),
    level=st.sampled_from(list(AiContextLevel)),
    enabled=st.sampled_from([True, True, True, False]),
    since=MOMENTS,
    until=MOMENTS,
    pinned=st.sampled_from([False, False, True]),
    matches=st.sampled_from([(), HIT, HIT]),
    rules=st.sampled_from(
        [
            ActivationRules(),
            ActivationRules(secondary_keywords=("雨",)),
            ActivationRules(secondary_keywords=("林",)),
            ActivationRules(exclude_keywords=("林",)),
        ]
    ),
    score=SCORES,
)
NAMES = st.sampled_from(["林逸", "苏瑶", "赵无极", "Gray", "青云山"])
RELATIONS = st.builds(
    RelationCandidate,
    id=st.just(""),
    source_id=st.sampled_from("abc"),
    source_name=NAMES,
    target_id=st.sampled_from("def"),
    target_name=NAMES,
    relation_type=st.sampled_from(["ally", "knows", "parent", "mentors", "owns", "located_at", "暗恋"]),
    label=st.just("标签"),
    description=st.sampled_from(["", "关系亲近", "他们一起守过七个昼夜，" * 6]),
    properties=st.sampled_from([{}, {"relationshipType": "师兄弟"}]),
    since=MOMENTS,
    until=MOMENTS,
    score=SCORES,
)
SNAPSHOTS = st.builds(
    SnapshotCandidate, id=st.just(""), chapter=st.integers(3, 6), scene=st.integers(0, 2), summary=PROSE
)
CHARACTERS = st.builds(
    CharacterCandidate,
    name=NAMES,
    current_state=st.sampled_from(["", "受伤后恢复中", "asleep"]),
    emotional_state=st.sampled_from(["", "坚定"]),
    entity_id=st.just(""),
    withheld=st.sampled_from([Withheld.NOTHING, Withheld.NOTHING, Withheld.WHOLE]),
    active=st.booleans(),
    matches=st.sampled_from([(), HIT]),
    score=SCORES,
)
RECALLED = st.builds(
    RecalledCandidate,
    kind=st.sampled_from(["event", "passage"]),
    id=st.just(""),
    label=st.just("灯塔之约"),
    text=PROSE,
    at=MOMENTS,
    matches=st.sampled_from([(), HIT]),
    hop_path=st.sampled_from([(), ("林逸", "苏瑶")]),
    score=SCORES,
)


def numbered(kind: str, items: list[Any], field: str = "id") -> list[Any]:
    return [replace(item, **{field: f"{kind}{number:03}"}) for number, item in enumerate(items)]


WORLDS = st.tuples(
    st.lists(LORE, max_size=14).map(lambda items: numbered("e", items)),
    st.lists(RELATIONS, max_size=14).map(lambda items: numbered("r", items)),
    st.lists(SNAPSHOTS, max_size=4).map(lambda items: numbered("s", items)),
    st.lists(CHARACTERS, max_size=4).map(lambda items: numbered("c", items, "entity_id")),
    st.lists(RECALLED, max_size=6).map(lambda items: numbered("m", items)),
)


def scene(text: str = "", language: Any = "zh", words: Any = EXACT) -> SceneSetting:
    return SceneSetting(first_instant(NOW), language, words, text)


def asking(lore: Any, relations: Any, snapshots: Any, characters: Any, recalled: Any) -> dict[str, Any]:
    """The candidates by section."""
    return {
        "lore": lore,
        "relations": relations,
        "snapshots": snapshots,
        "characters": characters,
        "events": [c for c in recalled if c.kind == "event"],
        "passages": [c for c in recalled if c.kind == "passage"],
    }


LANGUAGES = st.sampled_from(["zh", "en"])
TOTALS = st.integers(0, 400) | st.integers(0, 6000)


def told(found: AssembledContext) -> str:
    """Everything of a context that may reach a model."""
    return found.model_dump_json(exclude={"trace"})


def rendered(found: AssembledContext) -> list[str]:
    return [message.content for message in found.messages if message.role == "system"]


@pytest.mark.scenario("MEMORY-GOAL-BUDGET")
@given(world=WORLDS, total=TOTALS, language=LANGUAGES, name=st.sampled_from(sorted(WORDS)))
@settings(max_examples=examples(60), deadline=None)
def test_the_budget_is_never_exceeded(world: Any, total: int, language: Any, name: str) -> None:
    words = WORDS[name]
    found = assemble(scene("林逸", language, words), asking(*world), Budget(total))
    spent = sum(words.count(text) for text in rendered(found))
    assert found.estimated_tokens == spent <= total


@given(world=WORLDS, total=st.integers(0, 300), words=st.integers(1, 7))
@settings(deadline=None)
def test_the_budget_holds_also_where_joining_makes_texts_larger(world: Any, total: int, words: int) -> None:
    class Costly:
        """Each gap costs more in a whole than the pieces could know."""

        def count(self, text: str) -> int:
            return len(text) // 2 + words * text.count("\n\n") ** 2

        def cut(self, text: str, limit: int) -> str:
            return next(text[:n] for n in range(len(text), -1, -1) if self.count(text[:n]) <= max(limit, 0))

    found = assemble(scene(words=Costly()), asking(*world), Budget(total))
    assert sum(Costly().count(text) for text in rendered(found)) == found.estimated_tokens <= total


def _must_stay_out(candidate: LoreCandidate) -> bool:
    now = (5, 1)
    late = candidate.since is not None and (candidate.since.chapter, candidate.since.scene or 0) > now
    until = candidate.until
    over = until is not None and (until.chapter, 9 if until.scene is None else until.scene) < now
    level = candidate.level
    hidden = level is AiContextLevel.NEVER or (level is AiContextLevel.MANUAL_ONLY and not candidate.pinned)
    return late or over or hidden or not candidate.enabled


def _marked_lore(candidate: LoreCandidate) -> LoreCandidate:
    if not _must_stay_out(candidate):
        return candidate
    return replace(candidate, content=SECRET + candidate.content, entry_key=SECRET, display_name=SECRET)


def _marked_relation(candidate: RelationCandidate) -> RelationCandidate:
    late = candidate.since is not None and (candidate.since.chapter, candidate.since.scene or 0) > (5, 1)
    until = candidate.until
    over = until is not None and (until.chapter, 9 if until.scene is None else until.scene) < (5, 1)
    if not (late or over):
        return candidate
    return replace(candidate, target_name=SECRET, label=SECRET, description=SECRET)


def _marked_recalled(candidate: RecalledCandidate, place: int) -> RecalledCandidate:
    at = candidate.at
    if at is not None and (at.chapter, at.scene or 0) >= (5, 1):
        return replace(candidate, text=SECRET + candidate.text, label=SECRET)
    place = min(place, len(candidate.text))
    text = candidate.text[:place] + SECRET + candidate.text[place:]
    return replace(candidate, text=without(text, [(place, place + len(SECRET))]), withheld=Withheld.SENTENCES)


def _marked_snapshot(candidate: SnapshotCandidate, place: int) -> SnapshotCandidate:
    place = min(place, len(candidate.summary))
    summary = candidate.summary[:place] + SECRET + candidate.summary[place:]
    return replace(
        candidate, summary=without(summary, [(place, place + len(SECRET))]), withheld=Withheld.SENTENCES
    )


@given(world=WORLDS, language=LANGUAGES, places=st.lists(st.integers(0, 60), min_size=4, max_size=4))
@settings(max_examples=examples(60), deadline=None)
def test_no_secret_and_nothing_untrue_is_ever_told(world: Any, language: Any, places: list[int]) -> None:
    lore, relations, snapshots, characters, recalled = world
    marked = (
        [_marked_lore(c) for c in lore],
        [_marked_relation(c) for c in relations],
        [_marked_snapshot(c, place) for c, place in zip(snapshots, places, strict=False)],
        [replace(c, name=SECRET, current_state=SECRET) if c.withheld else c for c in characters],
        [_marked_recalled(c, place) for c, place in zip(recalled, places, strict=False)],
    )
    found = assemble(scene("林逸", language), asking(*marked), Budget(6000))
    assert SECRET not in told(found)
    assert SECRET not in "".join(item.label for item in found.trace if item.kind != "entry")


@given(world=WORLDS)
@settings(deadline=None)
def test_what_happens_later_or_now_is_not_told(world: Any) -> None:
    snapshots = [
        replace(c, summary=SECRET + c.summary) if (c.chapter, c.scene) >= (5, 1) else c for c in world[2]
    ]
    found = assemble(scene(), asking(*world[:2], snapshots, *world[3:]), Budget(6000))
    assert SECRET not in told(found)


@given(world=WORLDS, total=TOTALS, language=LANGUAGES, data=st.data())
@settings(deadline=None)
def test_the_order_of_the_candidates_does_not_matter(
    world: Any, total: int, language: Any, data: st.DataObject
) -> None:
    setting = scene("林逸", language)
    shuffled = [data.draw(st.permutations(items)) for items in world]
    first = assemble(setting, asking(*world), Budget(total))
    assert assemble(setting, asking(*shuffled), Budget(total)) == first


@given(world=WORLDS, total=TOTALS)
@settings(deadline=None)
def test_everybody_in_the_running_is_in_the_trace_once(world: Any, total: int) -> None:
    found = assemble(scene("林逸"), asking(*world), Budget(total))
    lore, relations, snapshots, characters, recalled = world
    ids = [item.id for item in found.trace]
    assert len(ids) == len(set(ids))
    silent = {
        c.id
        for c in lore
        if not (c.matches or c.pinned or c.rules.exclude_keywords or c.level is AiContextLevel.ALWAYS)
    } | {c.id for c in characters if not (c.active or c.matches or c.withheld)}
    everybody = {c.id for c in (*lore, *relations, *snapshots, *characters, *recalled)}
    assert everybody - silent <= set(ids) <= everybody
    for item in found.trace:
        assert not item.included or item.missing_tokens == 0
        assert (item.reason == "budget") == (item.missing_tokens > 0)
    fragments = found.system_prompt_entries + found.before_scene_entries + found.after_scene_entries
    assert {f.id for f in fragments} == {i.id for i in found.trace if i.kind == "entry" and i.included}


@given(world=WORLDS, total=st.integers(0, 300))
@settings(max_examples=examples(60), deadline=None)
def test_nobody_loses_to_a_lower_priority_of_the_same_size_or_larger(world: Any, total: int) -> None:
    found = assemble(scene(), asking(*world), Budget(total))
    candidates = {c.id: c for c in world[0]}

    def rank(item: TraceItem) -> tuple[bool, int]:
        candidate = candidates[item.id]
        return candidate.pinned or candidate.level is AiContextLevel.ALWAYS, candidate.priority

    entries = [item for item in found.trace if item.kind == "entry"]
    losers = [e for e in entries if e.reason == "budget" and e.tokens <= candidates[e.id].token_budget]
    for loser in losers:
        for winner in entries:
            if winner.included and winner.position is loser.position and winner.tokens >= loser.tokens:
                assert rank(winner) >= rank(loser)


@given(world=WORLDS, other=WORLDS, total=TOTALS, texts=st.tuples(PROSE, PROSE), language=LANGUAGES)
@settings(max_examples=examples(60), deadline=None)
def test_the_stable_part_does_not_depend_on_the_text(
    world: Any, other: Any, total: int, texts: tuple[str, str], language: Any
) -> None:
    def found(text: str, lore: Any, rest: Any) -> AssembledContext:
        return assemble(scene(text, language), asking(lore, *rest), Budget(total))

    def is_constant(c: LoreCandidate) -> bool:
        return c.pinned or c.level is AiContextLevel.ALWAYS

    constants = [c for c in world[0] if is_constant(c)]
    one = [c for c in world[0] if not is_constant(c) and c.position is not InsertionPosition.SYSTEM_PROMPT]
    two = [
        replace(c, id=f"o{c.id}")
        for c in other[0]
        if not is_constant(c) and c.position is not InsertionPosition.SYSTEM_PROMPT
    ]
    first, second = found(texts[0], constants + one, world[1:]), found(texts[1], constants + two, other[1:])
    assert first.stable_prefix == second.stable_prefix
    assert first.stable_prefix_tokens == second.stable_prefix_tokens


@given(world=WORLDS, language=LANGUAGES)
@settings(deadline=None)
def test_with_room_for_all_nobody_is_out_for_want_of_it(world: Any, language: Any) -> None:
    found = assemble(scene("", language), asking(*world), Budget(100_000))
    own = {c.id: c.token_budget for c in world[0]}
    for item in found.trace:
        assert item.reason != "budget" or item.tokens > own[item.id]
