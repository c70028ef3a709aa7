"""Laws of scanned lorebooks: what may not be told changes nothing; the same question has the same answer."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.memory import Memory
from fabula.operations.context import assemble_context
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory
from index_answers import anew

SHARED_FILE = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LEVELS = ["always", "when_detected", "when_detected", "manual_only", "never"]
WORDS = ["start", "chain", "渡口", "lantern"]
HERE = 2
moments = st.none() | st.fixed_dictionaries({"chapter": st.integers(0, 4)})
entries = st.lists(
    st.fixed_dictionaries(
        {
            "level": st.sampled_from(LEVELS),
            "key": st.sampled_from(WORDS),
            "says": st.lists(st.sampled_from(WORDS), max_size=2),
            "since": moments,
            "until": moments,
            "enabled": st.sampled_from([True, True, True, False]),
            "own": st.sampled_from(
                [
                    {},
                    {"probability": 50, "useProbability": True},
                    {"group": "g"},
                    {"group": "g", "groupOverride": True},
                    {"preventRecursion": True},
                    {"excludeRecursion": True},
                    {"delayUntilRecursion": 1},
                    {"delayUntilRecursion": 2},
                    {"ignoreBudget": True},
                    {"keysecondary": ["lantern"], "selective": True, "selectiveLogic": 2},
                ]
            ),
            "order": st.sampled_from([1, 100, 200]),
            "book": st.integers(0, 1),
        }
    ),
    min_size=1,
    max_size=8,
)
books = st.lists(
    st.fixed_dictionaries(
        {
            "source": st.sampled_from(["global", "character", "chat", "persona"]),
            "settings": st.sampled_from(
                [
                    {},
                    {"budgetPercent": 3},
                    {"recursive": False},
                    {"maxRecursionSteps": 2},
                    {"minActivations": 3},
                    {"useGroupScoring": True, "matchWholeWords": False},
                ]
            ),
        }
    ),
    min_size=2,
    max_size=2,
)
texts = st.lists(st.sampled_from([*WORDS, "nothing", *(f"Own{n}x" for n in range(8))]), max_size=5)


class Shelves:
    """A story with scanned books, each entry of which has a word of its own in its text."""

    def __init__(self, memory: Memory, shelves: list[dict[str, Any]], told: list[dict[str, Any]]) -> None:
        self.memory = memory
        self.story: StoryMemory = memory.story("x", language="en", id=str(uuid4()))
        made = [
            self.story.ask("lorebook.book.create", name="Same", activation="sillytavern", **shelf)
            for shelf in shelves
        ]
        self.entries = [self._entry(number, one, made[one["book"]].id) for number, one in enumerate(told)]
        self.told = told

    def _entry(self, number: int, one: dict[str, Any], book_id: str) -> str:
        # The words of a hidden entry are secrets, so that it has words of its own.
        is_hidden = one["level"] in ("manual_only", "never")
        keys = [f"Own{number}x"] if is_hidden else [one["key"]]
        content = f"It is mark{number}z and {' and '.join(one['says'])}."
        entry = self.story.entry(
            f"Entry {number}",
            content,
            book_id=book_id,
            keywords=keys,
            priority=one["order"],
            enabled=one["enabled"],
            ai_context_level=one["level"],
            since=one["since"],
            until=one["until"],
            extensions={"sillytavern": {"key": keys, "content": content, **one["own"]}},
        )
        return str(entry.id)

    def is_untold(self, number: int) -> bool:
        one = self.told[number]
        is_early = one["since"] is not None and one["since"]["chapter"] > HERE
        is_late = one["until"] is not None and one["until"]["chapter"] < HERE
        return one["level"] in ("manual_only", "never") or is_early or is_late

    def context(self, text: str, **wishes: Any) -> Any:
        return self.story.context(HERE, 0, text, token_budget=400, **wishes)

    def close(self) -> None:
        delete_story(self.memory.call(), project_id=self.story.id)


def _is_possible(told: list[dict[str, Any]]) -> bool:
    return all(
        one["since"] is None or one["until"] is None or one["since"]["chapter"] <= one["until"]["chapter"]
        for one in told
    )


@SHARED_FILE
@given(books, entries.filter(_is_possible), texts)
def test_what_may_not_be_told_changes_nothing(
    memory: Memory, shelves: list[dict[str, Any]], told: list[dict[str, Any]], words: list[str]
) -> None:
    shelf, text = Shelves(memory, shelves, told), " ".join(words)
    with_all = shelf.context(text, seed="dice")
    said = with_all.model_dump_json()
    untold = [number for number in range(len(told)) if shelf.is_untold(number)]
    for number in untold:
        assert f"mark{number}z" not in said
        assert shelf.entries[number] not in said
        shelf.story.ask("lorebook.entry.delete", entry_id=shelf.entries[number])
    assert shelf.context(text, seed="dice") == with_all
    shelf.close()


@SHARED_FILE
@given(books, entries.filter(_is_possible), texts, st.data())
def test_the_same_question_has_the_same_answer(
    memory: Memory,
    shelves: list[dict[str, Any]],
    told: list[dict[str, Any]],
    words: list[str],
    data: st.DataObject,
) -> None:
    shelf, text = Shelves(memory, shelves, told), " ".join(words)
    first = shelf.context(text)
    assert first == shelf.context(text)
    assert first.estimated_tokens <= first.total_budget
    entry_id = data.draw(st.sampled_from(shelf.entries))
    shelf.story.ask("lorebook.entry.update", entry_id=entry_id, patch={"content": "Changed to chain."})
    followed = shelf.context(text)
    request = {"project_id": shelf.story.id, "chapter": HERE, "scene": 0, "text": text, "token_budget": 400}
    assert assemble_context(anew(memory.call()), **request) == followed
    shelf.story.history.undo()
    assert shelf.context(text) == first
    shelf.close()
