"""What the people of a text say: each speech with the one who says it, where that is clear."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabula.consistency.marked import NAMES, MarkedText
from fabula.model.context import MatchPlace
from fabula.model.relation import Language
from fabula.staging.dialogue import SPEECH_VERBS, SPOKEN

_P = f"(?P<p>[{NAMES}])"
# “Come,” said Anna; Anna said, “Come”; ANNA: Come
_AFTER_EN = re.compile(
    rf"\s*(?:(?:{SPEECH_VERBS})\s+(?P<q>[{NAMES}])(?!['’])|{_P}\s+(?:[a-z]+ly\s+)?(?:{SPEECH_VERBS})\b)"
)
_BEFORE_EN = re.compile(rf"{_P}\s+(?:[a-z]+ly\s+)?(?:{SPEECH_VERBS})\b[^.!?\n“”\"{NAMES}]{{0,40}}$")
_BEFORE_ZH = re.compile(
    rf"{_P}[^。！？\n“”「」{NAMES}]{{0,12}}(?:道|说|问|答|喊|叫|骂|曰|笑|叹)[^。！？\n“”「」{NAMES}]{{0,6}}[：:，,]?\s*$"
)
_AFTER_ZH = re.compile(rf"\s*{_P}[^。！？\n“”「」{NAMES}]{{0,8}}(?:道|说|问|答|喊|叫|骂)")
_SCRIPT = re.compile(rf"^[ \t]*{_P}\s*[:：][ \t]*(?P<words>[^\n]+)$", re.MULTILINE)


class SpokenWords(NamedTuple):
    """What somebody says, as a span of the text."""

    start: int
    end: int
    who: str


def speeches_in(
    text: str, named: Mapping[str, list[MatchPlace]], language: Language
) -> Iterator[SpokenWords]:
    """Yield the speeches whose speaker is named beside them, or before a colon as in a script."""
    marked = MarkedText(text, named)
    words = marked.marked
    before, after = (_BEFORE_ZH, _AFTER_ZH) if language == "zh" else (_BEFORE_EN, _AFTER_EN)
    for spoken in SPOKEN.finditer(words):
        line = words.rfind("\n", 0, spoken.start()) + 1
        found = before.search(words, max(line, spoken.start() - 80), spoken.start()) or after.match(
            words, spoken.end()
        )
        if found is None:
            continue
        who = next(one for one in found.groupdict().values() if one)
        yield SpokenWords(marked.origin(spoken.start()), marked.origin(spoken.end()), marked.who(who))
    for line_said in _SCRIPT.finditer(words):
        if not SPOKEN.search(line_said["words"]):
            start, end = line_said.span("words")
            yield SpokenWords(marked.origin(start), marked.origin(end), marked.who(line_said["p"]))
