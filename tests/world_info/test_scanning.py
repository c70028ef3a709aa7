"""What the observed scans do not show: masks, traces, seeds, odd files, and the documentation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from fabula.errors import QueryTimeout
from fabula.world_info import TimedEffects
from fabula.world_info.case import DEEPEST, LorebookCase
from fabula.world_info.macros import MacroNames, substituted
from fabula.world_info.rules import SCAN_REASONS
from fabula.world_info.trial import tried, vectors_count
from scanning import entry, reasons, scanned, uids

DOCS = Path(__file__).parents[2] / "docs" / "world_info.md"
NAMES = MacroNames("Tobin", "Mira", persona="fog")


def test_the_documentation_lists_every_reason_in_the_order_of_decision() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (in|out) \| (.+) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert rows == [(reason.code, reason.outcome, reason.meaning) for reason in SCAN_REASONS]


def test_the_key_that_fired_is_named_with_the_place_where_it_stands() -> None:
    entries = [
        entry(0, "amber", content="Of the fjord."),
        entry(1, "fjord"),
        entry(2, "/cob.lt/"),
        entry(3, "  "),
        entry(4, constant=True),
    ]
    result = scanned(entries, "cobalt", "amber")
    hits = {
        one.entry.uid: one.hit and (one.hit.key, one.hit.where, one.hit.index) for one in result.activated
    }
    assert hits == {
        0: ("amber", "chat", 0),
        1: ("fjord", "recursion", 0),
        2: ("/cob.lt/", "chat", 1),
        3: ("  ", "always", None),
        4: None,
    }


def test_every_entry_that_was_looked_at_and_left_out_has_a_reason() -> None:
    entries = [
        entry(0, "amber", keysecondary=["dusk"]),
        entry(1, "amber", probability=0),
        entry(2, "amber", group="g", groupOverride=True),
        entry(3, "amber", group="g"),
        entry(4, "amber", content="word " * 50, order=1),
        entry(5, "amber", delay=5),
        entry(6, "amber", content="@@dont_activate\ntext"),
        entry(7, "amber", triggers=["quiet"]),
    ]
    said = reasons(scanned(entries, "amber", settings={"max_context": 100}))
    assert said == {
        0: "secondary",
        1: "probability",
        2: "key",
        3: "group",
        4: "over_budget",
        5: "delay",
        6: "silenced",
        7: "trigger",
    }


def test_nothing_is_read_from_an_entry_that_is_switched_off() -> None:
    assert reasons(scanned([entry(0, "amber", disable=True)], "amber")) == {}


def test_effects_come_back_as_they_were_given_if_nothing_happens() -> None:
    entries = [entry(0, "amber", sticky=4)]
    first = scanned(entries, "amber")
    again = scanned(entries, "amber", "dusk", timed=TimedEffects.model_validate(first.timed.model_dump()))
    assert uids(again) == [0]
    assert again.timed == first.timed
    assert reasons(again) == {0: "sticky"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{user}} and {{ CHAR }}", "Tobin and Mira"),
        ("<USER>", "Tobin"),
        ("{{{user}}}", "{Tobin}"),
        ("{{unknown::{{user}}}}", "{{unknown::Tobin}}"),
        (r"\{\{user\}\}", "{{user}}"),
        ("{{if persona}}yes{{else}}no{{/if}}", "yes"),
        ("{{if !persona}}yes{{else}}no{{/if}}", "no"),
        ("{{if {{noop}}}}a{{else}}{{if 1}}b{{/if}}{{/if}}", "b"),
        ("{{reverse a::b}}", "b::a"),
        ("{{reverse::a::b}}", "{{reverse::a::b}}"),
        ("{{reverse::}}|{{reverse:a:b}}", "|b:a"),
        (r"\{{user}} {{user\}} {{user!}}", r"\Tobin Tobin Tobin"),
        ("{{user{{noop}}}}", "Tobin}}"),
        ("{{user::}} {{user x}}", "{{user::}} {{user x}}"),
        ("{{user}}a{{/user}}", "{{user}}a{{/user}}"),
        ("{{//}}a{{///}}b", "b"),
        ("{{//}}a", "{{//}}a"),
        ("a{{else}}b", "ab"),
        ("{{if::user::a}}{{if user::a}}", "a{{if user::a}}"),
        ("{{if user}}a{{/ if}}", "a"),
        ("{{if user}}\n  a\n   b\n c\n{{/if}}", "a\n b\nc"),
        ("{{#if user}}\n  a\n{{/if}}", "\n  a\n"),
        ("{{#reverse}} ab {{/reverse}}", " ba "),
        ("{{newline::x}}{{space::2::3}}", "{{newline::x}}{{space::2::3}}"),
        ("{{trim::x}}", ""),
        ("{{newline}}" * 60 + "x" + "{{/newline}}" * 60, None),
        ("{{newline::2}}|{{space::3}}|", "\n\n|   |"),
        ("a\n\n{{trim}}\n\nb", "ab"),
        ("{{// note }}x", "x"),
        ("{{user", "{{user"),
        ("{{" * 2_000 + "user" + "}}" * 2_000, None),
        ("{{space::999999999999}}", None),
    ],
)
def test_macros(text: str, said: str | None) -> None:
    answer = substituted(text, NAMES)
    assert said is None or answer == said
    assert len(answer) < 20_000


def case(**fields: Any) -> dict[str, Any]:
    return {"book": {"entries": [entry(0, "amber")]}, "chat": [{"mes": "amber"}], **fields}


def nested(depth: int) -> Any:
    value: Any = "amber"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "fields",
    [
        {"book": 5},
        {"book": {"entries": 5}},
        {"book": {"entries": [{"key": nested(DEEPEST)}]}},
        {"settings": {"scanDepth": "deep"}},
        {"settings": {"unknown": 1}},
        {"chat": "amber"},
        {"chat": [{"mes": 5}]},
        {"books": {"a": {"entries": {}}}, "sources": {"global": "a"}},
        {"turns": [{"chat": [{}]}] * 201},
        {"tokenizer": "none"},
    ],
)
def test_a_case_of_the_wrong_shape_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        LorebookCase.model_validate(case(**fields))


ODD: list[Any] = [None, True, 0, -1, 1e308, 2**70, "", "x", "\x00", "\x01", [], [[]], [None], {}, {"a": [1]}]
FIELDS = [
    *("uid", "key", "keysecondary", "content", "selective", "selectiveLogic", "order", "position", "depth"),
    *("role", "group", "groupWeight", "probability", "useProbability", "scanDepth", "sticky", "cooldown"),
    *("delay", "delayUntilRecursion", "triggers", "characterFilter", "outletName", "disable", "comment"),
]


@pytest.mark.parametrize("field", FIELDS)
def test_no_value_of_any_field_stops_a_scan(field: str) -> None:
    for value in ODD:
        odd = entry(0, "amber", constant=True, group="g") | {field: value}
        given = LorebookCase.model_validate(
            case(book={"entries": [odd, odd, entry(7, "amber", constant=True)]})
        )
        answer = tried(given, vectors_count, lambda: None)
        assert not isinstance(answer, tuple)
        assert 7 in answer.activated, (field, value)
        answer.model_dump_json(by_alias=True)


def test_halves_of_characters_in_a_book_and_a_chat_stop_nothing() -> None:
    entries = [entry(0, "\ud83d"), entry(1, "amber"), entry(2, r"/am.er/", content="\udc00")]
    assert uids(scanned(entries, "\ud83d amber")) == [0, 1, 2]


def test_keys_inside_each_other_take_no_longer_than_others() -> None:
    entries = [entry(size, "a" * size) for size in range(1, 400)]
    result = scanned(entries, "a" * 20_000, settings={"match_whole_words": False, "max_context": 10_000_000})
    assert len(result.activated) == 399


def test_a_scan_ends_when_it_is_told_to() -> None:
    chain = [entry(number, f"k{number}k", content=f"k{number + 1}k") for number in range(300)]
    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls > 50:
            raise QueryTimeout("enough")

    with pytest.raises(QueryTimeout):
        scanned(chain, "k0k", settings={"max_context": 10_000_000}, check=check)
