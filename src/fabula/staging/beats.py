"""A scene cut into beats: a line of a script, a stage direction, or a sentence of narration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Generic, NamedTuple

from fabula.staging.cues import ASIDE, WHISPERS
from fabula.staging.dialogue import SPEECH_VERBS, SPOKEN
from fabula.staging.moves import Moves, directed, moves
from fabula.staging.on_stage import is_acting
from fabula.staging.staged_text import NAME, NAMES, StagedText, Who

_BREAK = re.compile(
    r"^\s*(?:(?:[*＊·•#~—–_=-]\s*){3,}|#{1,6}\s.*|(?:ACT|SCENE|Act|Scene)\s+[\dIVXLC]+\b.*|(?:INT|EXT)\.\s.*"
    r"|第[一二三四五六七八九十百零〇\d]+[幕场折回章节出](?:\s.*)?)\s*$"
)
_ROLE = r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}|(?!.*[说道问笑想曰答喊叫讲骂])[\u4e00-\u9fff·]{1,8}"
_GROUP = r"all|everyone|everybody|both|众人?|大家|众|全体|齐声|合|二人|三人|两人"
_ASIDE = r"[(（\[【*][^)）\]】*\n]{0,120}[)）\]】*]"
_SPEAKER = re.compile(
    rf"^[\s>•\-–—*_]*(?:[\[(]?\d{{1,2}}:\d{{2}}(?::\d{{2}})?[\])]?\s*)?(?:\d{{1,4}}[.)、]\s*)?[*_]*(?:(?:Mr|"
    rf"Mrs|Ms|Dr|Miss|Sir|Lady|Inspector|Captain)\.? )?"
    rf"(?:(?P<who>{NAMES})|(?P<group>(?i:{_GROUP}))|"
    rf"(?P<role>{_ROLE}))[*_]*\s*(?P<aside>{_ASIDE})?\s*[:：][*_]*\s*(?P<words>.*)$",
    re.DOTALL,
)
_PLAY = re.compile(rf"^\s*(?P<who>{NAMES})(?P<aside>\s*{_ASIDE})?\.\s+(?P<words>\S.*)$", re.DOTALL)
_ALONE = re.compile(rf"^\s*(?P<who>{NAMES})\s*(?P<aside>{_ASIDE})?\s*$")
_DIRECTION = re.compile(r"^\s*(?:\[.*\]|\(.*\)|（.*）|【.*】|〔.*〕|\*[^*]+\*|_[^_]+_)[.。]?\s*$", re.DOTALL)
_PLAIN_DIRECTION = re.compile(
    rf"^\s*(?:(?:Re-)?Enter\b|Exit\b|Exeunt\b|{NAMES}\s*(?:[同齐急又暗先复重再悄仍]|慌忙|匆匆)*[上下][。]?\s*$)"
)
_INNER = re.compile(r"[(（\[【][^)）\]】\n]{1,160}[)）\]】]|(?<![*\w])\*[^*\n]{2,160}\*(?!\*)")
_NARRATOR = re.compile(r"^(?:narrator|narration|旁白|画外音|解说|舞台说明|场景)$", re.IGNORECASE)
_SENTENCE = re.compile(r"[^。！？!?.\n]*(?:[。！？!?]+|\.+(?=[\s”\"’)\]]|$)|$|\.)[”\"’」』)）]*", re.DOTALL)
_WITH = re.compile(
    rf"(?:\b(?:to|at|with|beside|towards?|facing|behind|next to|followed by)\s+"
    rf"|[对向跟和与朝给把被]|拉着|看着|望着|问|"
    rf"告诉|陪着)(?P<who>{NAMES})"
)

_SAYS = re.compile(
    rf"\s*(?:[a-z]|{NAMES}[^，。！？：\n]{{0,12}}(?:说|道|问|答|喊|笑|叫|骂|曰)|{NAMES} (?:{SPEECH_VERBS})\b)"
)
_DOERS = re.compile(
    rf"(?:^|[.!?,;:。！？，；：”」\"\n]\s*|\b(?:when|as|while|then|and|but)\s+)(?P<who>{NAME}(?:\s*(?:,|、|，|"
    rf"\band\b|和|与)\s*{NAME})+)(?=\s+[a-z]|[\u4e00-\u9fff])"
)


# What is longer is cut, so that no rule takes long.
_LONGEST = 1_000
_MOST_SPEECHES = 20


class Beat(NamedTuple, Generic[Who]):
    """A stretch of a scene: who speaks or acts, what is said, who comes and goes, and who alone hears it."""

    start: int
    end: int
    speakers: tuple[Who, ...] = ()
    there: tuple[Who, ...] = ()
    words: str = ""
    is_line: bool = False
    by_all: bool = False
    is_break: bool = False
    moves: Moves = Moves()
    only_to: tuple[Who, ...] | None = None


def beats(written: StagedText[Who]) -> list[Beat[Who]]:
    """The beats of a scene in order."""
    return list(_Reader(written).read())


class _Reader(Generic[Who]):
    """Goes through the lines and remembers who spoke and acted last."""

    def __init__(self, written: StagedText[Who]) -> None:
        self._written = written
        self._speaking = ""
        self._acting = ""
        self._is_after_name = False

    def read(self) -> Iterator[Beat[Who]]:
        start = 0
        after_blank = True
        for line in self._written.text.splitlines(keepends=True):
            end = start + len(line)
            if not line.strip():
                after_blank, self._is_after_name = True, False
            else:
                yield from self._line(start, end, after_blank)
                after_blank = False
            start = end

    def _line(self, start: int, end: int, after_blank: bool) -> Iterator[Beat[Who]]:
        part = self._written.part(start, end).strip("\n")
        if _BREAK.match(part):
            self._speaking = self._acting = ""
            yield Beat(start, end, is_break=True)
        elif _DIRECTION.match(part) or _PLAIN_DIRECTION.match(part):
            yield self._direction(start, end, part)
        elif (found := _SPEAKER.match(part)) and not (found["role"] and _NARRATOR.match(found["role"])):
            yield self._spoken(start, end, found)
        elif (played := _PLAY.match(part)) and self._is_loud(start, end):
            yield self._spoken(start, end, played)
        elif (alone := _ALONE.match(part)) and self._is_loud(start, end):
            self._speaking, self._is_after_name = _letters(alone["who"]), True
            yield Beat(start, end, speakers=self._people(self._speaking), is_line=True)
        elif self._is_after_name or (self._speaking and not after_blank and not re.search(NAME, part)):
            yield self._said(start, end, self._speaking, part)
        else:
            yield from self._narrated(start, end)

    def _is_loud(self, start: int, end: int) -> bool:
        """Whether a line begins with a name in capitals, as plays print it."""
        spans = self._written.within(start, end)
        first = self._written.text[spans[0][0] : spans[0][1]] if spans else ""
        return first.isupper() or (first != "" and not first.isascii())

    def _spoken(self, start: int, end: int, found: re.Match[str]) -> Beat[Who]:
        groups = found.groupdict()
        self._speaking = _letters(groups["who"] or "")
        return self._said(
            start, end, self._speaking, found["words"], groups["aside"] or "", bool(groups.get("group"))
        )

    def _said(
        self, start: int, end: int, who: str, words: str, aside: str = "", by_all: bool = False
    ) -> Beat[Who]:
        if len(words) > 2 * _LONGEST:
            words = f"{words[:_LONGEST]} {words[-_LONGEST:]}"
        directions = [aside, *(_INNER.findall(words))]
        told = [directed(one, who) for one in directions if one]
        whole = "\n".join(directions)
        only_to = None
        if ASIDE.search(whole) and not re.search(NAME, whole):
            only_to = self._people(who)
        elif WHISPERS.search(whole) and re.search(NAME, whole):
            only_to = self._people(who + whole)
        self._acting = who
        return Beat(
            start,
            end,
            self._people(who),
            (),
            _INNER.sub(" ", words),
            True,
            by_all,
            moves=_joined(told),
            only_to=only_to,
        )

    def _direction(self, start: int, end: int, part: str) -> Beat[Who]:
        found = directed(part[:_LONGEST], self._speaking)
        going = set(found.come + found.go)
        there = [one for one in self._present(start, end) if self._letter(one) not in going]
        return Beat(start, end, there=tuple(there), moves=found)

    def _narrated(self, start: int, end: int) -> Iterator[Beat[Who]]:
        text = self._written.text
        spoken = [(start + one.start(), start + one.end()) for one in SPOKEN.finditer(text[start:end])]
        place, first = start, 0
        while place < end:
            while first < len(spoken) and spoken[first][1] <= place:
                first += 1
            quoted = spoken[first : first + _MOST_SPEECHES]
            found = _SENTENCE.match(text, place, end)
            till = found.end() if found is not None and found.end() > place else end
            # A sentence that ends inside a speech goes on to the end of it.
            till = max((stop for begin, stop in quoted if begin < till < stop), default=till)
            # So does one that ends with a speech, to who said it.
            if any(stop == till for _, stop in quoted) and _SAYS.match(self._written.part(till, end)):
                said = _SENTENCE.match(text, till, end)
                till = said.end() if said is not None and said.end() > till else end
                till = max((stop for begin, stop in quoted if begin < till < stop), default=till)
            till = min(till, place + _LONGEST)
            if text[place:till].strip():
                yield self._sentence(place, till, quoted)
            place = till

    def _sentence(self, start: int, end: int, quoted: list[tuple[int, int]]) -> Beat[Who]:
        told, last = [], start
        for begin, stop in quoted:
            if start <= begin < end:
                told.append(self._written.part(last, begin))
                last = min(stop, end)
        told.append(self._written.part(last, end))
        whole = " ".join(told)
        found = moves(whole.strip(), self._acting)
        present = self._present(start, end, quoted)
        if present:
            self._acting = self._letter(present[-1])
        only_to = None
        if WHISPERS.search(whole) and len(_letters(whole)) > 1 and any(start <= a < end for a, _ in quoted):
            only_to = self._people(whole)
        return Beat(start, end, there=tuple(present), moves=found, only_to=only_to)

    def _present(self, start: int, end: int, quoted: list[tuple[int, int]] | None = None) -> list[Who]:
        """Who acts, speaks or is spoken to in narration."""
        text, spoken = self._written.text, quoted or []
        there = [
            who
            for begin, stop, who in self._written.within(start, end)
            if not any(a <= begin < b for a, b in spoken) and is_acting(text, begin, stop)
        ]
        told, last = "", start
        for a, b in spoken:
            if start <= a < end:
                told, last = told + self._written.part(last, a) + "\n", b
        told += self._written.part(last, end) if last < end else ""
        for found in (*_DOERS.finditer(told), *_WITH.finditer(told)):
            there += self._written.people(found["who"])
        return list(dict.fromkeys(there))

    def _people(self, part: str) -> tuple[Who, ...]:
        return tuple(self._written.people(part))

    def _letter(self, who: Who) -> str:
        return self._written.letter(who)


def _letters(part: str) -> str:
    return "".join(dict.fromkeys(re.findall(NAME, part)))


def _joined(found: list[Moves]) -> Moves:
    return Moves(
        "".join(one.come for one in found),
        "".join(one.go for one in found),
        any(one.others_go for one in found),
        any(one.others_come for one in found),
        "".join(one.only for one in found),
    )
