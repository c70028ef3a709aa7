"""Who people say they are: “I am Jean Valjean”, “吾乃齐天大圣孙悟空是也”."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

from fabula.extraction.chinese.aliases import family_and_given
from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.identity.company import Company
from fabula.extraction.identity.turns import NARRATOR
from fabula.extraction.kin import KIN
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
# 我小和尚, 我亲舅舅: what somebody is, not who it is.
_WHAT_ONE_IS = frozenset("小好老亲贤大个")
_NOT_MINE = re.compile(r"[的之家]|师|哥|姐|兄|弟")
_NEAR = 30
# People lie and jest; who says it again means it.
_ONCE, _AGAIN, _SURE = 0.68, 0.8, 0.9
_OFTEN, _MOSTLY = 3, 0.7
_TOGETHER, _SHORT = 3, 2


def said_of_themselves(
    text: str,
    mentions: Sequence[FoundMention],
    company: Company,
    people: Container[str],
    language: Language,
) -> Iterator[Sameness]:
    """The names that people give as their own."""
    starts = [mention.start for mention in mentions]
    times: Counter[tuple[str, str]] = Counter()
    itself: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for turn in company.turns:
        if turn.speaker is None or turn.speaker == NARRATOR or turn.speaker not in people:
            continue
        for mention in mentions[bisect_left(starts, turn.start) : bisect_left(starts, turn.end)]:
            if mention.text == turn.speaker or mention.text not in people or _is_what_one_is(mention.text):
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
        if language == "zh" and _is_full(pair[0]) and not _is_full(pair[1]) and _never_meet(company, pair):
            # 猴王道：“我本是…孙悟空。”
            sure = _SURE
        yield Sameness(*pair, sure, JoinReason.STATED, *first[pair])


def _is_full(name: str) -> bool:
    return len(name) > _SHORT and family_and_given(name) is not None


def _never_meet(company: Company, pair: tuple[str, str]) -> bool:
    """Whether a name stands in the passages of another again and again, and never in one sentence with it."""
    return company.together(*pair) >= _TOGETHER and company.met(*pair) == 0


def _repeated(
    itself: Counter[tuple[str, str]], first: Mapping[tuple[str, str], tuple[int, int]]
) -> Iterator[Sameness]:
    """The names that one speaker, and hardly anybody else, puts after the word for oneself."""
    said = Counter(name for name, _ in itself.elements())
    for pair, count in itself.items():
        if count > 1 and count >= _MOSTLY * said[pair[0]] and not lexicon().is_common(pair[0]):
            sure = _SURE if count >= _OFTEN else _ONCE
            yield Sameness(*pair, sure, JoinReason.STATED, *first[pair])


def _is_what_one_is(name: str) -> bool:
    return name[0] in _WHAT_ONE_IS and (name[1:] in PEOPLE or name[1:] in KIN["zh"])


def _is_oneself(text: str, begin: int, mention: FoundMention) -> bool:
    is_mine = _ONESELF.search(text[begin : mention.start]) is not None
    return is_mine and _NOT_MINE.match(text, mention.end) is None
