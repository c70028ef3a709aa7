"""Who people say they are: “I am Jean Valjean”, “吾乃齐天大圣孙悟空是也”."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from fabula.extraction.identity.turns import NARRATOR, SpeechTurn
from fabula.extraction.mentions import FoundMention
from fabula.extraction.sameness import JoinReason, Sameness
from fabula.model.relation import Language

_BEFORE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(
        r"(?<![你他她说說谁誰如若似])(?:我|吾|俺|某)(?:就|便|正|本)?(?:是|乃|乃是|即是)[^，。！？；“”、我你他的]{0,10}\Z"
    ),
    "en": re.compile(r"\b(?:I am|I'm|I’m|[Mm]y name is|I am called|I call myself)\s+\Z"),
}
_AFTER: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"[，。！；”]|是也|便是"),
    "en": re.compile(r"[.,!;:”\"]"),
}
_NEAR = 30
# People lie and jest; who says it again means it.
_ONCE, _AGAIN = 0.68, 0.8


def said_of_themselves(
    text: str,
    mentions: Sequence[FoundMention],
    turns: Sequence[SpeechTurn],
    people: Container[str],
    language: Language,
) -> Iterator[Sameness]:
    """The names that people give as their own."""
    starts = [mention.start for mention in mentions]
    times: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for turn in turns:
        if turn.speaker is None or turn.speaker == NARRATOR or turn.speaker not in people:
            continue
        for mention in mentions[bisect_left(starts, turn.start) : bisect_left(starts, turn.end)]:
            if mention.text == turn.speaker or mention.text not in people:
                continue
            begin = max(turn.start, mention.start - _NEAR)
            if _BEFORE[language].search(text[begin : mention.start]) and _AFTER[language].match(
                text, mention.end
            ):
                pair = (mention.text, turn.speaker)
                times[pair] += 1
                first.setdefault(pair, (begin, mention.end))
    for pair, count in times.items():
        sure = _ONCE if count == 1 else _AGAIN
        yield Sameness(*pair, sure, JoinReason.STATED, *first[pair])
