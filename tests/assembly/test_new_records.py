"""A section and a rule that nobody has heard of yet: their records are all that assembly needs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import pytest

from fabula.assembly.assemble import assemble
from fabula.assembly.context import AssembledContext
from fabula.assembly.pieces import KeptPiece, Message, Piece, PromptBlock
from fabula.assembly.reasons import REASONS
from fabula.assembly.section import OneByOne, Section, Told
from fabula.assembly.sections import SECTIONS
from fabula.assembly.sections.lore import LORE, LoreCandidate
from fabula.assembly.setting import Budget, SceneSetting
from fabula.context.candidates.catalogue import CANDIDATES
from fabula.model.activation import RULES, ActivationRules, judge
from fabula.model.activation.rule import ActivationRule, Applicant, Occasion, Verdict
from fabula.model.activation.secondary import SECONDARY
from fabula.model.bilingual import Bilingual
from fabula.model.context import MatchPlace
from fabula.model.level import AiContextLevel
from fabula.model.lore import Category, InsertionPosition
from fabula.model.moment import instant_of
from fabula.model.reason import EMPTY, RELATED, Reason
from fabula.model.wire import Value
from fabula.tokens import counter

WORDS = counter("o200k_base")


class Wager(NamedTuple):
    id: str
    promise: str
    weight: int


BLOCK = PromptBlock(
    "wagers",
    Bilingual("Open threads", "未了之事"),
    Message.CONTEXT,
    order=55,
    heading=Bilingual("## Open threads", "## 未了之事"),
)


def verdict(thread: Wager, _: SceneSetting) -> Verdict:
    return Verdict(True, RELATED.code) if thread.promise else Verdict(False, EMPTY.code)


def render(thread: Wager, place: int, reason: str, setting: SceneSetting) -> KeptPiece[Wager]:
    piece = Piece(BLOCK, thread.promise, setting.counter.count(thread.promise), place)
    return KeptPiece((thread,), piece, reason, thread.promise)


WAGERS = Section(
    key="wagers",
    kind="wager",
    kind_label=Bilingual("wager", "赌约"),
    blocks=(BLOCK,),
    share=0.08,
    turn=15,
    second_turn=35,
    weigh=OneByOne(
        place=lambda thread: thread.id,
        verdict=verdict,
        render=render,
        rank=lambda kept: -kept.candidate.weight,
    ),
    tell=lambda thread, hushed: Told(thread.id, thread.id if hushed else thread.promise),
    left_out_order=lambda thread: thread.id,
)


class MoonFields(Value):
    moon_words: tuple[str, ...] = ()


class RulesWithMoon(MoonFields, ActivationRules):
    pass


def without_moon(entry: Applicant, on: Occasion) -> bool:
    words = entry.rules.moon_words
    return bool(words) and not any(on.mentions(word) for word in words)


MOONLESS = ActivationRule(
    without_moon,
    Reason("moonless", "out", Bilingual("no moon in the text", "文中无月"), "its moon words are missing"),
    fields=MoonFields,
)
WITH_MOON = replace(
    LORE,
    weigh=replace(
        LORE.weigh,
        verdict=partial(
            judge, rules=(*RULES[: RULES.index(SECONDARY)], MOONLESS, *RULES[RULES.index(SECONDARY) :])
        ),
    ),
)


def context(text: str = "", total: int = 4000, shares: Any = None, **asking: Any) -> AssembledContext:
    setting = SceneSetting(instant_of(3, 2), "en", WORDS, text)
    sections = (WITH_MOON, *SECTIONS[1:], WAGERS)
    return assemble(setting, asking, Budget(total, shares or {}), sections)


def entry(id: str, content: str, **rules: Any) -> LoreCandidate:
    return LoreCandidate(
        id=id,
        entity_id=None,
        entry_key=id,
        display_name=id,
        category=Category.CUSTOM,
        content=content,
        priority=1,
        position=InsertionPosition.BEFORE_SCENE,
        token_budget=500,
        level=AiContextLevel.WHEN_DETECTED,
        matches=(MatchPlace(term="x", kind="name", start=0, end=1),),
        rules=RulesWithMoon(**rules),
    )


def test_a_new_section_stands_in_the_messages_and_in_the_trace() -> None:
    found = context(wagers=[Wager("t1", "He owes her a lamp.", 2), Wager("t2", "", 1)])
    assert [m.content for m in found.messages] == ["## Open threads\nHe owes her a lamp."]
    assert [(i.kind, i.id, i.included, i.reason) for i in found.trace] == [
        ("wager", "t1", True, "related"),
        ("wager", "t2", False, "empty"),
    ]
    assert found.estimated_tokens == WORDS.count(found.messages[0].content)
    assert found.left_out_count == 1


def test_a_new_section_takes_no_more_than_its_share_before_the_entries() -> None:
    threads = [Wager(f"t{n}", f"Promise number {n} is still open.", n) for n in range(9)]
    lore = [entry("key", "word " * 180)]
    told = context(total=200, lore=lore, wagers=threads)
    assert [i.id for i in told.trace if i.included] == ["key", "t8"]
    more = context(total=200, shares={"wagers": 0.5}, lore=lore, wagers=threads)
    assert [i.id for i in more.trace if not i.included] == ["key"]
    for found in (told, more):
        assert found.estimated_tokens <= 200


@pytest.mark.parametrize(("text", "reason"), [("A moon rose.", "detected"), ("Rain.", "moonless")])
def test_a_new_rule_decides_and_gives_its_reason(text: str, reason: str) -> None:
    found = context(text, lore=[entry("tide", "It turns.", moon_words=("MOON",))])
    assert [(i.id, i.included, i.reason) for i in found.trace] == [("tide", reason == "detected", reason)]


def test_where_a_new_rule_says_nothing_the_others_decide() -> None:
    found = context("Rain.", lore=[entry("tide", "It turns.", exclude_keywords=("rain",))])
    assert [i.reason for i in found.trace] == ["excluded_keyword"]


def test_every_section_has_candidates_and_a_name_of_its_own() -> None:
    assert list(CANDIDATES) == [section.key for section in SECTIONS]
    for names in ([s.key for s in SECTIONS], [r.code for r in REASONS]):
        assert len(names) == len(set(names))
    # What is named and what is recalled are both entries, and are answered for together.
    assert len({s.kind for s in SECTIONS}) == len({(s.kind, s.answers, s.kind_label) for s in SECTIONS})
    orders = [block.order for section in SECTIONS for block in section.blocks]
    assert len(orders) == len(set(orders))


def test_the_shares_leave_room_for_the_entries() -> None:
    assert sum(section.share or 0 for section in SECTIONS) < 1


def test_every_rule_that_authors_set_has_its_fields_in_an_entry_and_its_reason_in_the_table() -> None:
    for rule in RULES:
        assert rule.reason is None or rule.reason in REASONS
        assert rule.fields is None or issubclass(ActivationRules, rule.fields)
