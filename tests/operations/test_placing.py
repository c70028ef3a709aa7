"""Where a context stands in a conversation, whatever the conversation is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.operations.chat.placement import (
    BookBlock,
    PlacedTexts,
    around_books,
    around_last_words,
    arranged,
    folded,
    opening_of,
)
from fabula.operations.chat.spoken import RECENT_CHARACTERS, RECENT_MESSAGES, recent

roles = st.sampled_from(["system", "developer", "user", "assistant", "tool", None])
parts = st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=2), max_size=2)
contents = st.none() | st.text(max_size=5) | parts
messages = st.lists(st.fixed_dictionaries({"role": roles, "content": contents}), max_size=8)
texts = st.text(max_size=5)
few = settings(max_examples=examples(40))
tellings = st.builds(PlacedTexts, texts, texts, texts)

blocks = st.lists(
    st.builds(
        BookBlock,
        st.sampled_from(["before", "after", "examplesTop", "examplesBottom", "depth"]),
        st.text(min_size=1, max_size=5),
        st.sampled_from(["system", "user", "assistant"]),
        st.integers(0, 9),
    ),
    max_size=4,
)

Messages = list[dict[str, Any]]


def placed(told: PlacedTexts, mine: Messages) -> Messages:
    return arranged(around_last_words(told, mine), mine)


@few
@given(tellings, messages)
def test_the_clients_messages_stay_as_they_are_and_in_order(told: PlacedTexts, mine: Messages) -> None:
    ids = {id(message) for message in mine}
    whole = placed(told, mine)
    assert [message for message in whole if id(message) in ids] == mine
    added = [message for message in whole if id(message) not in ids]
    assert [message["content"] for message in added] == [text for text in told if text]
    assert all(message["role"] == "system" for message in added)


@few
@given(tellings, blocks, messages)
def test_a_tools_answer_is_not_parted_from_its_call(
    told: PlacedTexts, books: list[BookBlock], mine: Messages
) -> None:
    whole = arranged([*around_last_words(told, mine), *around_books(books, mine)], mine)
    for before, after in pairwise(mine):
        if before["role"] in ("assistant", "tool") and after["role"] == "tool":
            at = next(n for n, message in enumerate(whole) if message is before)
            assert whole[at + 1] is after


@few
@given(tellings, messages)
def test_for_a_strict_model_one_instruction_has_it_all(told: PlacedTexts, mine: Messages) -> None:
    whole = folded(around_last_words(told, mine), mine)
    assert len(whole) - len(mine) in (0, 1)
    assert whole[len(whole) - len(mine) + 1 :] == mine[1:]
    if any(told):
        assert all(text in whole[0]["content"] for text in told)
    else:
        assert whole == mine


@few
@given(messages)
def test_the_opening_is_made_of_instructions(mine: Messages) -> None:
    opening = opening_of(mine)
    assert all(message["role"] in ("system", "developer") for message in mine[:opening])
    assert opening == len(mine) or mine[opening]["role"] not in ("system", "developer")


@few
@given(st.lists(st.text(max_size=50) | st.text(min_size=1, max_size=3).map(lambda s: s * 4_000), max_size=30))
def test_the_end_of_a_conversation_is_bounded_and_ends_with_its_last_words(said: list[str]) -> None:
    end = recent(said)
    assert len(end) <= RECENT_CHARACTERS + 2 * RECENT_MESSAGES
    told = [text for text in said[-RECENT_MESSAGES:] if text.strip()]
    assert end.endswith(told[-1][-RECENT_CHARACTERS:] if told else "")
