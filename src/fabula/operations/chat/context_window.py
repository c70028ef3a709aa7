"""How much of a model's window a context may take: what the conversation and the answer leave of it."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.call import Call
from fabula.model.story import Story
from fabula.model.story_settings import budget_for

# What is kept free for an answer whose length nobody has said, as a part of the window.
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
    """The tokens of a context: as many as are wanted, else as the story says, and never too many.

    `spoken` are the texts that go to the model beside it, `unread` the tokens of what is not text, and
    `answer` is how long its answer may be.
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
