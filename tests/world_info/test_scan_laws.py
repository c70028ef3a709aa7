"""Laws of a scan that hold for every book and chat."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.world_info import CompiledEntry, ScanResult
from fabula.world_info.trial import vectors_count
from scanning import entry, scanned, uids

WORDS = ("amber", "beryl", "cobalt", "dusk", "ember", "fjord", "灯塔", "雾港")
NEVER = "never written anywhere"

words = st.sampled_from(WORDS)
texts = st.lists(words, max_size=5).map(" ".join)
fields = st.fixed_dictionaries(
    {},
    optional={
        "keysecondary": st.lists(words, max_size=2),
        "selectiveLogic": st.integers(0, 3),
        "constant": st.booleans(),
        "order": st.sampled_from((10, 100, 200)),
        "position": st.integers(0, 7),
        "outletName": st.just("o"),
        "depth": st.integers(0, 3),
        "probability": st.sampled_from((0, 50, 100)),
        "group": st.sampled_from(("", "g", "h", "g, h")),
        "groupWeight": st.sampled_from((1, 100)),
        "scanDepth": st.sampled_from((None, 0, 1, 3)),
        "excludeRecursion": st.booleans(),
        "preventRecursion": st.booleans(),
        "delayUntilRecursion": st.sampled_from((0, 1, 2, True)),
        "ignoreBudget": st.booleans(),
        "sticky": st.sampled_from((None, 2)),
        "cooldown": st.sampled_from((None, 2)),
        "useGroupScoring": st.sampled_from((None, True)),
    },
)


@st.composite
def books(draw: st.DrawFn) -> list[dict[str, Any]]:
    made = []
    for uid in range(draw(st.integers(0, 8))):
        keys = draw(st.lists(st.one_of(words, words.map("/{}/i".format)), max_size=2))
        made.append(entry(uid, *keys, content=draw(texts), **draw(fields)))
    return made


scans = st.fixed_dictionaries(
    {
        "recursive": st.booleans(),
        "scan_depth": st.integers(0, 3),
        "max_context": st.sampled_from((20, 60, 8192)),
        "min_activations": st.sampled_from((0, 2)),
        "use_group_scoring": st.booleans(),
    }
)
chats = st.lists(texts, min_size=1, max_size=4)


def told(result: ScanResult) -> dict[str, Any]:
    """All of a result that a prompt can show."""
    return {
        "activated": uids(result),
        "texts": [one.content for one in result.activated],
        "passes": [(one.state, [each.uid for each in one.accepted]) for one in result.passes],
        "places": (result.before, result.after, result.an_top, result.an_bottom, result.em_top),
        "depth": [(block.depth, block.role, block.contents) for block in result.at_depth],
        "outlets": result.outlets,
        "overflow": result.overflow,
        "budget": result.budget,
        "timed": {slot: effect.end for slot, effect in result.timed.sticky.items()},
    }


@settings(max_examples=examples(200))
@given(books(), chats, scans)
def test_the_same_scan_has_the_same_result(
    entries: list[dict[str, Any]], chat: list[str], how: dict[str, Any]
) -> None:
    assert told(scanned(entries, *chat, settings=how)) == told(scanned(entries, *chat, settings=how))


@settings(max_examples=examples(300))
@given(books(), chats, scans, st.sets(st.integers(0, 8)))
def test_an_entry_that_may_not_be_told_might_as_well_not_exist(
    entries: list[dict[str, Any]], chat: list[str], how: dict[str, Any], secret: set[int]
) -> None:
    def open_text(one: CompiledEntry) -> str | None:
        return None if one.uid in secret else one.content

    masked = scanned(entries, *chat, settings=how, told=open_text)
    without = scanned([one for one in entries if one["uid"] not in secret], *chat, settings=how)
    assert told(masked) == told(without)
    assert not secret & set(uids(masked))
    assert not secret & {one.entry.uid for one in masked.left_out}


@settings(max_examples=examples(200))
@given(books(), chats, scans)
def test_recursion_reads_what_may_be_told_and_nothing_else(
    entries: list[dict[str, Any]], chat: list[str], how: dict[str, Any]
) -> None:
    def redacted(one: CompiledEntry) -> str:
        return one.content.replace("amber", "…")

    plain = [{**one, "content": one["content"].replace("amber", "…")} for one in entries]
    mine, theirs = scanned(entries, *chat, settings=how, told=redacted), scanned(plain, *chat, settings=how)
    assert told(mine) == told(theirs)


@settings(max_examples=examples(200))
@given(books(), chats, scans, st.integers(0, 8))
def test_an_entry_that_never_matches_changes_nothing(
    entries: list[dict[str, Any]], chat: list[str], how: dict[str, Any], place: int
) -> None:
    more = [*entries[:place], entry(99, NEVER, f"/{NEVER}/"), *entries[place:]]
    if entries:
        assert told(scanned(more, *chat, settings=how)) == told(scanned(entries, *chat, settings=how))


@settings(max_examples=examples(200))
@given(books(), chats, scans)
def test_one_pass_never_exceeds_the_budget(
    entries: list[dict[str, Any]], chat: list[str], how: dict[str, Any]
) -> None:
    plain = [{**one, "ignoreBudget": False, "delayUntilRecursion": 0} for one in entries]
    settings_ = {**how, "recursive": False, "min_activations": 0}
    result = scanned(plain, *chat, settings=settings_)
    assert (
        result.budget is None or sum(vectors_count(one.content) for one in result.activated) < result.budget
    )


@settings(max_examples=examples(200))
@given(books(), chats, scans)
def test_a_larger_budget_keeps_what_the_first_pass_had(
    entries: list[dict[str, Any]], chat: list[str], how: dict[str, Any]
) -> None:
    small = scanned(entries, *chat, settings={**how, "max_context": 40})
    large = scanned(entries, *chat, settings={**how, "max_context": 4000})
    if small.passes:
        first = [one.uid for one in small.passes[0].accepted]
        assert set(first) <= {one.uid for one in large.passes[0].accepted}


@settings(max_examples=examples(100))
@given(books(), chats, scans, st.text(max_size=5), st.text(max_size=5))
def test_dice_follow_the_seed_and_decide_only_chances(
    entries: list[dict[str, Any]], chat: list[str], how: dict[str, Any], one: str, other: str
) -> None:
    sure = [{**each, "probability": 100, "group": ""} for each in entries]
    results = [scanned(sure, *chat, settings=how, seed=seed) for seed in (one, other)]
    assert told(results[0]) == told(results[1])
    assert results[0].seed == one


def test_a_chance_of_a_half_comes_true_for_about_half_of_the_seeds() -> None:
    entries = [entry(0, "amber", probability=50)]
    fired = sum(bool(scanned(entries, "amber", seed=str(seed)).activated) for seed in range(400))
    assert 150 < fired < 250
