"""Characters in a row, found in short texts: the same as a plain scan finds, after any changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fabula.index.name_parts import REBUILD_AFTER, PartIndex

LETTERS = st.sampled_from("江离舟的 abAé·\n𠀀")
texts = st.text(LETTERS, max_size=8)
changes = st.lists(st.tuples(st.integers(0, 9), texts | st.none()), max_size=12)


def scanned(held: dict[int, str], part: str) -> set[int]:
    return {number for number, text in held.items() if part in text} if part and "\n" not in part else set()


@given(st.dictionaries(st.integers(0, 9), texts), changes, st.lists(st.text(LETTERS, max_size=4), max_size=8))
def test_the_same_is_found_as_by_a_plain_scan(
    held: dict[int, str], later: list[tuple[int, str | None]], parts: list[str]
) -> None:
    index, held = PartIndex(held.items()), dict(held)
    for number, text in later:
        if text is None:
            index.drop(number)
            held.pop(number, None)
        else:
            index.put(number, text)
            held[number] = text
    assert len(index) == len(held)
    assert {number: index.text_of(number) for number in held} == held
    own = [text[start : start + 3] for text in held.values() for start in range(len(text))]
    for part in [*parts, *own]:
        found = index.containing(part).tolist()
        assert len(found) == len(set(found))
        assert set(found) == scanned(held, part), part


def test_many_changes_are_merged() -> None:
    index, held = PartIndex(), {}
    for number in range(3 * REBUILD_AFTER):
        held[number % REBUILD_AFTER * 2] = text = f"名{number}"
        index.put(number % REBUILD_AFTER * 2, text)
        if number % 7 == 0:
            held.pop(number % 100, None)
            index.drop(number % 100)
    for part in ("名", "1", "12", "名7", "767"):
        assert set(index.containing(part).tolist()) == scanned(held, part), part
