"""The part of a model's context window that the conversation and the answer leave for the context."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.call import Call
from fabula.model.story import Story
from fabula.model.story_settings import budget_for

# The part of the window that is reserved for an answer of unknown length: one in this many.
ANSWER_PART = 4
PER_MESSAGE = 8
MARGIN = 64
# More text than any window holds need not be counted.
COUNTED_CHARACTERS = 8_000_000


def context_budget(
    call: Call,
    story: Story,
    wanted: int | None,
    spoken: Iterable[str],
    answer: int | None,
    unread: int = 0,
) -> int:
    """Return the token budget of a context: as requested, or as the story says, limited by the window.

    `spoken` are the other texts sent to the model, `unread` the tokens of non-text parts, and `answer` is
    the maximum length of the answer.
    """
    budget = budget_for(story.settings, wanted)
    window = None if call.upstream is None else call.upstream.window()
    if window is None:
        return budget
    texts = list(spoken)
    if sum(map(len, texts)) > COUNTED_CHARACTERS:
        return 0
    taken = unread + sum(call.tokens.count(text) + PER_MESSAGE for text in texts)
    free = window - taken - (window // ANSWER_PART if answer is None else answer) - MARGIN
    return max(0, min(budget, free))
