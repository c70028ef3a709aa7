"""The context of a conversation: where lorebooks stand in it, what lasts, and what stays secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.memory import Memory
from fabula.store import conversations as stored
from fabula.story_memory import StoryMemory
from postgres import place_at
from scanned_books import scanned_book, scanned_entry
from still_clock import StillClock

USER, CHAR = "Tobin", "Mira"


def said(*texts: str) -> list[dict[str, Any]]:
    """A conversation that the user began."""
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]


def system(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "system", "content": text, **more}


def entry(content: str, *keys: str, **more: Any) -> dict[str, Any]:
    return {"key": list(keys), "content": content, "position": 0, **more}


def shown(answer: Any) -> list[str]:
    """The messages to send, one line each, with the role of those that were added."""
    return [f"{one.role}: {one.content}" if one.added else one.content for one in answer.messages]


def added(answer: Any) -> list[str]:
    return [one.content for one in answer.messages if one.added]


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    return memory.story("The Harbour", language="en")


# Where the texts stand


def test_each_text_of_a_book_stands_where_it_says(story: StoryMemory) -> None:
    places = {
        "before": entry("BEFORE", position=0, constant=True),
        "after": entry("AFTER", position=1, constant=True),
        "note top": entry("NOTE TOP", position=2, constant=True),
        "note bottom": entry("NOTE BOTTOM", position=3, constant=True),
        "deep": entry("DEEP USER", position=4, depth=1, role=1, constant=True),
        "deeper": entry("DEEP ASSISTANT", position=4, depth=2, role=2, constant=True),
        "end": entry("AT THE END", position=4, depth=0, role=0, constant=True),
        "too deep": entry("TOO DEEP", position=4, depth=99, role=0, constant=True),
        "examples top": entry("EXAMPLES TOP", position=5, constant=True),
        "examples bottom": entry("EXAMPLES BOTTOM", position=6, constant=True),
    }
    scanned_book(story, places.values())
    story.entry("House style", "STYLE", ai_context_level="always", insertion_position="system_prompt")
    story.entry("Ada", "ADA", category="character")
    mine = [
        system("main"),
        system("card"),
        system("ex1", name="example_user"),
        system("ex2", name="example_assistant"),
        *said("u1", "a1", "Ada?"),
        system("post"),
    ]
    answer = story.chat_context(*mine, note="NOTE", note_depth=2, user=USER, char=CHAR)
    assert shown(answer) == [
        "main",
        "system: BEFORE",
        "card",
        "system: AFTER",
        "system: EXAMPLES TOP",
        "ex1",
        "ex2",
        "system: EXAMPLES BOTTOM",
        "system: STYLE",
        "system: TOO DEEP",
        "u1",
        "assistant: DEEP ASSISTANT",
        "system: NOTE TOP\nNOTE\nNOTE BOTTOM",
        "a1",
        "system: Ada: ADA",
        "user: DEEP USER",
        "Ada?",
        "system: AT THE END",
        "post",
    ]


def test_an_outlet_is_where_a_message_asks_for_it(story: StoryMemory) -> None:
    scanned_book(
        story, [entry("FOG", "fog", position=7, outletName="weather"), entry("X", position=7, outletName="y")]
    )
    mine = [system("Weather: {{outlet::weather}}. {{outlet::none}}|"), *said("The fog comes.")]
    answer = story.chat_context(*mine)
    assert shown(answer) == ["Weather: FOG. |", "The fog comes."]
    assert answer.estimated_tokens > 0
    plain = story.ask("context.chat", messages=said("The fog comes."))
    assert (shown(plain), plain.estimated_tokens) == (["The fog comes."], 0)


def test_a_conversation_without_scanned_books_is_left_as_it_is(story: StoryMemory) -> None:
    mine = [system("{{outlet::weather}}", name="main"), *said("Hello {{user}}.")]
    answer = story.chat_context(*mine)
    assert [one.model_dump(exclude={"added"}, exclude_none=True) for one in answer.messages] == mine


def test_names_reach_keys_macros_and_filters(story: StoryMemory) -> None:
    scanned_book(
        story,
        [
            entry("{{char}} knows {{user}}.", "Mira"),
            entry(
                "Only Mira.",
                constant=True,
                characterFilter={"names": ["Mira"], "tags": [], "isExclude": False},
            ),
            entry("On a swipe.", constant=True, triggers=["swipe"]),
            entry("Of the scenario.", "volcano", matchScenario=True),
        ],
    )
    mine = said("Hello.", "Yes?", "Go on.")
    assert added(story.chat_context(*mine)) == []
    named = [{**one, "name": (USER, CHAR)[n % 2]} for n, one in enumerate(mine)]
    for answer in (
        story.chat_context(*mine, user=USER, char=CHAR),
        story.chat_context(*named),
    ):
        assert added(answer) == ["Only Mira.\nMira knows Tobin."]
    swiped = story.chat_context(*named, trigger="swipe", character={"scenario": "A volcano."})
    assert set(added(swiped)[0].split("\n")) == {
        "Only Mira.",
        "Mira knows Tobin.",
        "On a swipe.",
        "Of the scenario.",
    }


def test_the_trace_says_which_key_fired_and_what_had_no_room(story: StoryMemory) -> None:
    small, large = entry("A cat.", "cat", order=10), entry("word " * 300, "cat", order=5, ignoreBudget=True)
    book = scanned_book(story, [small, large])
    answer = story.chat_context(*said("A cat."), token_budget=100)
    said_of = {one.label: (one.included, one.reason, one.scan.key) for one in answer.trace}
    assert said_of == {"entry 0": (True, "book_key", "cat"), "entry 1": (False, "budget", "cat")}
    assert {one.scan.book_id for one in answer.trace} == {book}
    assert answer.left_out_count == 1
    assert 0 < answer.estimated_tokens <= 100


def test_a_shallower_scan_and_another_seed_can_be_asked_for(story: StoryMemory) -> None:
    coin = entry("Heads.", constant=True, probability=50, useProbability=True)
    scanned_book(story, [entry("Old.", "old"), coin], settings={"scanDepth": 9})
    mine = said("An old word.", "Yes.", "Now.")
    assert "Old." in "".join(added(story.chat_context(*mine)))
    assert "Old." not in "".join(added(story.chat_context(*mine, scan_depth=1)))
    tossed = {"Heads." in "".join(added(story.chat_context(*mine, seed=str(n)))) for n in range(30)}
    assert tossed == {True, False}
    once = story.chat_context(*mine)
    assert once == story.chat_context(*mine)
    assert once == story.chat_context(*mine, seed=once.seed)


# What lasts


STICKY = entry("[sticky]", "wolves", sticky=4)


def sticks(story: StoryMemory, *texts: str, **more: Any) -> bool:
    return added(story.chat_context(*said(*texts), **more)) == ["[sticky]"]


def test_effects_outlast_the_program(tmp_path: Path) -> None:
    place = place_at(tmp_path / "fabula.db")
    with Memory(place) as memory:
        story = memory.story("S", language="en", id="s")
        scanned_book(story, [STICKY], settings={"scanDepth": 1})
        assert sticks(story, "wolves")
    with Memory(place) as memory:
        story = memory.story("S", id="s")
        assert sticks(story, "wolves", "a", "b")
        assert not sticks(story, "wolves", "a", "b", "c", "d")


def test_effects_follow_forks_answers_made_again_and_edits(story: StoryMemory) -> None:
    scanned_book(story, [STICKY], settings={"scanDepth": 1})
    assert not sticks(story, "hello")
    assert not sticks(story, "hello", "a", "no")
    assert sticks(story, "hello", "a", "wolves")
    assert sticks(story, "hello", "a", "wolves", "b", "one")
    assert sticks(story, "hello", "a", "wolves", "b again", "another"), "an answer made again"
    assert not sticks(story, "hello", "a", "no", "b", "one"), "a fork in which nobody spoke of them"
    assert not sticks(story, "hello", "a", "edited", "b", "one"), "an edit that takes the key away"
    assert sticks(story, "hello", "a", "wolves", "b", "two"), "and the others are as they were"


def test_what_the_client_leaves_out_at_the_beginning_is_not_forgotten(story: StoryMemory) -> None:
    late = entry("[late]", constant=True, delay=9)
    scanned_book(story, [entry("[sticky]", "wolves", sticky=6), late], settings={"scanDepth": 1})
    talk = [f"message {n}" for n in range(8)]
    whole = said(*talk, "wolves")
    assert "[sticky]" in added(story.chat_context(*whole))[0]
    longer = [*whole, {"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}]
    for gone in (0, 3, 6):
        told = added(story.chat_context(*longer[gone:]))
        assert set(told[0].split("\n")) == {"[sticky]", "[late]"}, gone
    over = [*longer, *said("c", "d", "e", "f")]
    assert "[sticky]" not in "".join(added(story.chat_context(*over[6:])))


def test_an_id_keeps_conversations_apart(story: StoryMemory) -> None:
    scanned_book(story, [STICKY], settings={"scanDepth": 1})
    assert sticks(story, "wolves", conversation_id="one")
    assert sticks(story, "wolves", "a", "b", conversation_id="one")
    assert not sticks(story, "wolves", "a", "b", conversation_id="two")
    assert not sticks(story, "wolves", "a", "b")


def test_a_dry_run_leaves_no_trace(story: StoryMemory) -> None:
    scanned_book(story, [STICKY], settings={"scanDepth": 1})
    assert sticks(story, "wolves", dry_run=True)
    assert not sticks(story, "wolves", "a", "b")


def test_effects_are_forgotten_after_a_while_and_never_pile_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = StillClock()
    monkeypatch.setattr(stored, "KEPT_STATES", 6)
    with Memory(place_at(tmp_path / "fabula.db"), clock=clock) as memory:
        story = memory.story("S", language="en", id="s")
        scanned_book(story, [STICKY], settings={"scanDepth": 1})
        assert sticks(story, "wolves")
        for number in range(6):
            assert sticks(story, f"{number} wolves")
        assert not sticks(story, "wolves", "a", "b"), "the oldest of too many"
        assert sticks(story, "5 wolves", "a", "b")
        clock.pass_seconds(91 * 86_400)
        assert not sticks(story, "5 wolves", "a", "b"), "older than they may be"
        assert sticks(story, "more wolves")


def test_a_state_of_another_version_is_no_state(story: StoryMemory, memory: Memory) -> None:
    scanned_book(story, [STICKY], settings={"scanDepth": 1})
    call = memory.call()
    with call.store.write_conversations(story.id) as writer:
        writer.put_state("id x", call.clock.now(), {"timed": 7}, "")
    assert sticks(story, "wolves", conversation_id="x")
    assert sticks(story, "wolves", "a", "b", conversation_id="x")


def test_effects_are_not_exported(story: StoryMemory, tmp_path: Path) -> None:
    scanned_book(story, [STICKY], settings={"scanDepth": 1})
    story.export(tmp_path / "before")
    assert sticks(story, "wolves")
    story.export(tmp_path / "after")
    before, after = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).rglob("*") if path.is_file()}
        for folder in ("before", "after")
    )
    assert before == after


# What stays secret


def test_levels_moments_and_secrets_decide_before_a_book_is_scanned(story: StoryMemory) -> None:
    story.entity.create(type="character", name="Mr Salt", ai_context_level="never")
    book = scanned_book(story, [])
    recursive = "He speaks of the lamp."
    scanned_entry(story, book, "hidden", entry(f"HIDDEN. {recursive}", "keeper"), aiContextLevel="never")
    scanned_entry(story, book, "later", entry(f"LATER. {recursive}", "keeper"), since={"chapter": 9})
    pin = scanned_entry(story, book, "pin", entry("PINNED", "keeper"), aiContextLevel="manual_only")
    scanned_entry(story, book, "lamp", entry("LAMP", "lamp"))
    scanned_entry(story, book, "half", entry("Open half. Mr Salt owns it.", "keeper"))
    scanned_entry(story, book, "macro", entry("It is {{char}}.", "keeper"))
    answer = story.chat_context(*said("The keeper."), char="Mr Salt", chapter=1)
    assert added(answer) == ["Open half."]
    told = story.chat_context(*said("The keeper."), chapter=9, pinned=[pin, "hidden"])
    text = "\n".join(added(told))
    assert "PINNED" in text
    assert "LAMP" in text
    assert "HIDDEN" not in text
    assert text.count("PINNED") == 1


WORDS = st.sampled_from(["cat", "fog", "lamp", "wolves", "Ada", "tower", "nothing"])
TEXTS = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


@st.composite
def entries(draw: st.DrawFn) -> dict[str, Any]:
    return entry(
        draw(TEXTS),
        *draw(st.lists(WORDS, max_size=2)),
        constant=draw(st.booleans()),
        position=draw(st.integers(0, 6)),
        depth=draw(st.integers(0, 5)),
        role=draw(st.integers(0, 2)),
        order=draw(st.integers(0, 3)),
        ignoreBudget=draw(st.booleans()),
        sticky=draw(st.integers(0, 3)),
        cooldown=draw(st.integers(0, 3)),
        probability=draw(st.sampled_from([0, 50, 100])),
        useProbability=True,
    )


@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    book=st.lists(entries(), max_size=6),
    talk=st.lists(TEXTS, min_size=1, max_size=6),
    budget=st.integers(0, 60),
    opening=st.lists(TEXTS, max_size=3),
)
def test_the_law_of_chat_contexts(
    memory: Memory, book: list[dict[str, Any]], talk: list[str], budget: int, opening: list[str]
) -> None:
    """Never over budget, always the same, the client's messages as they are, and no untold entry matters."""
    call, count = memory.call(), memory.call().tokens.count
    story = memory.story(call.clock.new_id(), language="en")
    story.entry("Ada", "A keeper of the tower.", category="character")
    book_id = scanned_book(story, book)
    mine = [*map(system, opening), *said(*talk)]
    wish = {"token_budget": budget, "user": USER, "char": CHAR, "dry_run": True, "seed": "x"}
    answer = story.chat_context(*mine, **wish)
    assert [one.content for one in answer.messages if not one.added] == [one["content"] for one in mine]
    assert sum(count(text) for text in added(answer)) <= answer.estimated_tokens <= budget
    assert answer == story.chat_context(*mine, **wish)
    secret = scanned_entry(
        story, book_id, "secret", entry("ZZZ cat fog lamp", "zebra", constant=True), aiContextLevel="never"
    )
    again = story.chat_context(*mine, **wish)
    assert [one for one in again.trace if one.id != secret] == list(answer.trace)
    assert again.messages == answer.messages
