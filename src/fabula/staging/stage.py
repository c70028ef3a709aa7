"""Who is present at each beat of a scene.

Nobody says all of it: who speaks or acts is there; between two signs of somebody the words tell whether they
were away. Who takes leave is gone from the next beat on, unless they go on talking.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple

from fabula.staging import cues, errands
from fabula.staging.beats import Beat, beats
from fabula.staging.on_stage import NamedAt
from fabula.staging.staged_text import NAME, StagedText, Who

# An answer to a leave-taking or to a greeting comes within so many beats.
_SOON = 3
# Who first speaks after so many lines of others, and was not spoken to before, has come meanwhile.
_LATE = 8
_OPENING = 3
# Who is spoken of as he or she so soon after their own words has left.
_BEHIND = 2
# Who has been silent for so many rounds, and then greets, was away.
_LONG = 2


class Present(NamedTuple, Generic[Who]):
    """A stretch of a scene, and who is there to see and hear what it tells."""

    start: int
    end: int
    people: frozenset[Who]


def presence_of(text: str, namings: Iterable[NamedAt[Who]]) -> list[Present[Who]]:
    """Who is present at each line or sentence of a scene, in order, without gaps between them."""
    written = StagedText(text, namings)
    scene: list[Beat[Who]] = []
    found: list[Present[Who]] = []
    for beat in beats(written):
        if beat.is_break:
            found += _stretches(written, scene)
            found.append(Present(beat.start, beat.end, frozenset()))
            scene = []
        else:
            scene.append(beat)
    return found + _stretches(written, scene)


def present_at(spans: Sequence[Present[Who]], start: int, end: int) -> frozenset[Who]:
    """Who is there during all of a stretch of the text."""
    first = max(0, bisect_right(spans, start, key=lambda one: one.start) - 1)
    last = max(first + 1, bisect_left(spans, end, key=lambda one: one.start))
    return frozenset.intersection(*(one.people for one in spans[first:last])) if spans else frozenset()


def _stretches(written: StagedText[Who], scene: list[Beat[Who]]) -> list[Present[Who]]:
    if not scene:
        return []
    away = _Absences(written, scene)
    people = [person for person in written.everybody if away.is_there_at_all(person)]
    there: list[set[Who]] = [set() for _ in scene]
    for person in people:
        for place in away.places_of(person):
            there[place].add(person)
    found = []
    for place, beat in enumerate(scene):
        hearing = there[place] if beat.only_to is None else there[place] & {*beat.only_to, *beat.speakers}
        till = scene[place + 1].start if place + 1 < len(scene) else beat.end
        found.append(Present(beat.start, till, frozenset(hearing)))
    return found


class _Signs(NamedTuple):
    """The beats that show that somebody is there, comes, goes, or may go."""

    there: list[int]
    comes: set[int]
    goes: set[int]
    lines: set[int]


class _Absences(Generic[Who]):
    """Reads one scene without breaks."""

    def __init__(self, written: StagedText[Who], scene: list[Beat[Who]]) -> None:
        self._written = written
        self._scene = scene
        self._lines = [place for place, beat in enumerate(scene) if beat.is_line]
        speaking = {who for beat in scene for who in beat.speakers}
        self._soon = max(_SOON, len(speaking))
        self._is_script = len(self._lines) >= 2
        self._greets = [beat.is_line and bool(cues.GREETS.search(beat.words)) for beat in scene]
        self._bids = [beat.is_line and bool(cues.FAREWELLS.search(beat.words)) for beat in scene]
        self._called = [
            beat.is_line and errands.is_called_away(beat.words, cues.ANOTHER_DAY) for beat in scene
        ]
        self._parting = [
            beat.is_line and (self._called[place] or cues.takes_leave(beat.words))
            for place, beat in enumerate(scene)
        ]
        self._going: list[bool] = []
        for place in range(len(scene)):
            self._going.append(self._parting[place] and self._is_own_leave(place))
        self._signs = self._all_signs()
        self._emptied = [place for place, beat in enumerate(scene) if beat.moves.only or beat.moves.others_go]
        self._close = self._closing()

    def is_there_at_all(self, person: Who) -> bool:
        """Whether the scene shows somebody, not only talks about them."""
        own = self._signs[person]
        return bool(own.there or own.comes or own.goes)

    def places_of(self, person: Who) -> list[int]:
        """The beats at which somebody is present."""
        own = self._signs[person]
        signs = sorted({*own.there, *own.comes, *own.goes})
        first = signs[0]
        places = [] if self._comes_at(person, first) else list(range(first))
        for sign, following in zip(signs, [*signs[1:], len(self._scene)], strict=True):
            places += range(sign, self._last_beat(person, sign, following) + 1)
        return places

    def _all_signs(self) -> dict[Who, _Signs]:
        found = {person: _Signs([], set(), set(), set()) for person in self._written.everybody}
        for place, beat in enumerate(self._scene):
            for person in beat.speakers:
                found[person].lines.add(place)
            for person in {*beat.speakers, *beat.there}:
                found[person].there.append(place)
            for person in self._written.people(beat.moves.come):
                found[person].comes.add(place)
            for person in self._written.people(beat.moves.go):
                found[person].goes.add(place)
        return found

    def _is_own_leave(self, place: int) -> bool:
        """Whether a farewell is not only the answer to somebody else's."""
        before = range(max(0, place - _SOON), place)
        answers = any(
            self._going[one] and self._scene[one].speakers != self._scene[place].speakers for one in before
        )
        return self._called[place] or cues.takes_leave(self._scene[place].words, after_another=answers)

    def _closing(self) -> int:
        """Where the last farewells begin, in which everybody takes leave of everybody."""
        place = len(self._scene)
        while place and (self._bids[place - 1] or self._parting[place - 1]):
            place -= 1
        own = {who for beat in self._scene[place:] for who in beat.speakers}
        signing_off = sum(self._parting[place:])
        return place if len(own) > 1 and signing_off > 1 else len(self._scene)

    def _comes_at(self, person: Who, place: int) -> bool:
        """Whether somebody comes with their first sign, and was not there before."""
        own = self._signs[person]
        beat = self._scene[place]
        if place == 0:
            return False
        if place in own.comes or beat.moves.others_come:
            return True
        if place not in own.lines:
            return not self._is_script and not self._is_group_told(place)
        line = bisect_left(self._lines, place)
        if line == 0:
            return False
        if self._says_that_they_come(place):
            return True
        spoken_to = self._is_spoken_to(person, place)
        if self._greets[place] and not all(self._greets[one] for one in self._lines[:line]):
            return line >= _OPENING or not spoken_to
        if self._is_answered(person, place, cues.WELCOMES) and not spoken_to and line >= _OPENING:
            return True
        return line >= _LATE and not spoken_to

    def _is_group_told(self, place: int) -> bool:
        """In prose somebody counts from their first sign on, except in the opening sentence."""
        return place <= 1

    def _says_that_they_come(self, place: int) -> bool:
        words = _first_words(self._scene[place].words)
        return any(one.search(words) for one in (cues.COMES, errands.COMES_IN, errands.RETURNS_TO))

    def _is_spoken_to(self, person: Who, before: int) -> bool:
        letter = re.escape(self._written.letter(person))
        vocative = re.compile(rf"(?:^|[,，!！?？.。;；]\s*|\b(?:and|you) ){letter}\s*[,，!！?？.。:：…]")
        return any(beat.is_line and vocative.search(beat.words) for beat in self._scene[:before])

    def _is_answered(self, person: Who, place: int, cue: re.Pattern[str]) -> bool:
        """Whether somebody else says such a thing to them soon after."""
        letter = self._written.letter(person)
        return any(
            person not in beat.speakers and letter in beat.words and cue.search(beat.words)
            for beat in self._scene[place + 1 : place + 1 + _SOON]
        )

    def _last_beat(self, person: Who, sign: int, following: int) -> int:
        """The last beat before their next sign at which somebody is still there."""
        own = self._signs[person]
        until_end = following == len(self._scene)
        comes = following in own.comes
        if sign in own.goes:
            return sign
        gap = following - sign
        arrives = not until_end and self._arrives_at(person, following)
        if not comes and not until_end and following in own.lines and gap > self._soon:
            comes = self._returns_at(person, following) or (arrives and gap > _LONG * self._soon)
        if sign in own.lines and sign < self._close:
            is_plain = self._is_bidden(person, sign) or not (
                self._called[sign] or cues.goes_now(self._scene[sign].words)
            )
            if self._leaves_after(person, sign) and (until_end or arrives or (is_plain and gap > self._soon)):
                return sign
            if arrives and cues.GOES_PERHAPS.search(self._scene[sign].words):
                return sign
            if self._may_go(sign) and self._is_talked_about(person, sign, following):
                return sign
        letter = self._written.letter(person)
        for place in self._emptied[bisect_left(self._emptied, sign) :]:
            if place >= following:
                break
            if letter not in self._scene[place].moves.only:
                return place
        return sign if comes else following - 1

    def _returns_at(self, person: Who, place: int) -> bool:
        words = _first_words(self._scene[place].words)
        returns = cues.RETURNS.search(words) or errands.RETURNS_TO.search(words)
        return bool(returns) or self._is_answered(person, place, _WELCOMED_BACK)

    def _arrives_at(self, person: Who, place: int) -> bool:
        """Whether somebody who took leave says that they have come again."""
        return (
            place in self._signs[person].comes
            or (self._greets[place] and not self._is_welcoming(place))
            or self._says_that_they_come(place)
            or self._is_answered(person, place, cues.WELCOMES_PLAINLY)
        )

    def _is_welcoming(self, place: int) -> bool:
        """Whether a greeting answers somebody who spoke just before."""
        beat = self._scene[place]
        named = self._written.people(beat.words[:40])
        recent = {who for before in self._scene[max(0, place - _SOON) : place] for who in before.speakers}
        return not recent.isdisjoint(named)

    def _leaves_after(self, person: Who, place: int) -> bool:
        return self._going[place] or self._is_bidden(person, place)

    def _may_go(self, place: int) -> bool:
        words = self._scene[place].words
        return self._going[place] or any(one.search(words) for one in (cues.GOES_PERHAPS, errands.MAY_LEAVE))

    def _is_talked_about(self, person: Who, sign: int, following: int) -> bool:
        """Whether the others say something behind somebody's back before they speak again."""
        letter, said = self._written.letter(person), self._scene[sign].words
        return any(
            errands.is_told_of(letter, beat.words)
            or (
                (place <= sign + _BEHIND or errands.ABOUT_THE_ABSENT.search(beat.words))
                and errands.is_spoken_of(said, beat.words)
            )
            for place, beat in enumerate(self._scene[sign + 1 : following], sign + 1)
            if beat.is_line and person not in beat.speakers
        )

    def _is_bidden(self, person: Who, place: int) -> bool:
        """Whether the others take leave of somebody."""
        if self._is_answered(person, place, cues.PLAIN_FAREWELLS):
            return True
        may_go = self._going[place] or cues.GOES_PERHAPS.search(self._scene[place].words)
        return bool(may_go) and self._is_answered(person, place, cues.FAREWELLS)


_WELCOMED_BACK = re.compile(
    rf"\b(?:welcome back|you(?:['’]re| are) back|good to have you back|there you are)\b"
    rf"|欢迎回来|你(?:可|总算|终于)?回来|{NAME}回来了",
    re.IGNORECASE,
)


def _first_words(words: str) -> str:
    """The part of a speech in which people say that they have come."""
    return words[:160]
