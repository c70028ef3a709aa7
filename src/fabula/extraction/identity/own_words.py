"""Who people say they are: “I am Jean Valjean”, “吾乃齐天大圣孙悟空是也”."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

from fabula.extraction.chinese.lexicon import lexicon
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
# 我老孙, 俺鲁达, 贫僧玄奘: the speaker's own name right after the word for oneself.
_ONESELF = re.compile(
    r"(?<![你他她问請请与和对向把将])(?:我|吾|俺|咱|洒家|贫僧|贫道|弟子|小可|末将|老夫|在下)\Z"
)
_NOT_MINE = re.compile(r"[的之家]|师|哥|姐|兄|弟")
_NEAR = 30
# People lie and jest; who says it again means it.
_ONCE, _AGAIN, _SURE = 0.68, 0.8, 0.9
_OFTEN, _MOSTLY = 3, 0.7


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
    itself: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for turn in turns:
        if turn.speaker is None or turn.speaker == NARRATOR or turn.speaker not in people:
            continue
        for mention in mentions[bisect_left(starts, turn.start) : bisect_left(starts, turn.end)]:
            if mention.text == turn.speaker or mention.text not in people:
                continue
            begin = max(turn.start, mention.start - _NEAR)
            if language == "zh" and _is_oneself(text, begin, mention):
                itself[mention.text, turn.speaker] += 1
                first.setdefault((mention.text, turn.speaker), (begin, mention.end))
            elif _BEFORE[language].search(text[begin : mention.start]) and _AFTER[language].match(
                text, mention.end
            ):
                pair = (mention.text, turn.speaker)
                times[pair] += 1
                first.setdefault(pair, (begin, mention.end))
    yield from _repeated(itself, first)
    for pair, count in times.items():
        sure = _ONCE if count == 1 else _AGAIN
        yield Sameness(*pair, sure, JoinReason.STATED, *first[pair])


def _repeated(
    itself: Counter[tuple[str, str]], first: Mapping[tuple[str, str], tuple[int, int]]
) -> Iterator[Sameness]:
    """The names that one speaker, and hardly anybody else, puts after the word for oneself."""
    said = Counter(name for name, _ in itself.elements())
    for pair, count in itself.items():
        if count > 1 and count >= _MOSTLY * said[pair[0]] and not lexicon().is_common(pair[0]):
            sure = _SURE if count >= _OFTEN else _ONCE
            yield Sameness(*pair, sure, JoinReason.STATED, *first[pair])


def _is_oneself(text: str, begin: int, mention: FoundMention) -> bool:
    is_mine = _ONESELF.search(text[begin : mention.start]) is not None
    return is_mine and _NOT_MINE.match(text, mention.end) is None
