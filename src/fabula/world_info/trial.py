"""Running a case: every turn scanned, and for every entry why it fired or did not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fabula.model.scan_settings import BookSource, ScanSettings
from fabula.world_info.answer import (
    TracedEntry,
    TriedBlock,
    TriedEffect,
    TriedEffects,
    TriedPass,
    TriedScan,
    TriedTurn,
)
from fabula.world_info.book import CompiledBook, compile_book
from fabula.world_info.case import CaseBook, CaseMessage, CaseScanData, CaseTurn, LorebookCase
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.question import Injection, Scan, ScanData, ScanMessage, ScannedCharacter
from fabula.world_info.result import Activation, LeftOut, ScanResult
from fabula.world_info.rules import UNREADABLE
from fabula.world_info.rules.filters import SWITCHED_OFF
from fabula.world_info.rules.keywords import NO_KEYS, NOT_FOUND
from fabula.world_info.scan import scan
from fabula.world_info.timed import TimedEffect, TimedEffects

_ONLY = "book"
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")

Books = Mapping[BookSource, tuple[CompiledBook, ...]]


def vectors_count(text: str) -> int:
    """Tokens by the rule of the observed cases: Chinese, Japanese and Korean characters, and words."""
    return len(_CJK.findall(text)) + len(_CJK.sub(" ", text).split())


def tried(
    case: LorebookCase, count: Callable[[str], int], check: Callable[[], None]
) -> TriedScan | tuple[TriedTurn, ...]:
    """What fires in a case, where its text goes and why; one answer for each turn if it has turns.

    `check` is called again and again, and ends the trial by raising.
    """
    trial = _Trial(case, count, check)
    if case.turns is None:
        return TriedScan(**trial.answer(CaseTurn(chat=case.chat), TimedEffects())[0])
    answers = []
    effects = TimedEffects()
    for turn in case.turns:
        if turn.new_chat_file:
            effects = TimedEffects()
        answer, effects = trial.answer(turn, effects)
        answers.append(TriedTurn(**answer, timed=_timed(effects)))
    return tuple(answers)


class _Shelf:
    """The books of a case, each compiled once."""

    def __init__(self, case: LorebookCase) -> None:
        self._case = case
        self._compiled: dict[tuple[str, int], CompiledBook] = {}

    def books(self, book: CaseBook | None) -> Books:
        """The books that are active, by source."""
        case = self._case
        if case.books is None:
            return {} if book is None else {"global": (self._book(_ONLY, book),)}
        sources = case.sources
        if sources is None:
            return {"global": tuple(self._book(name, known) for name, known in case.books.items())}
        named: dict[BookSource, tuple[str, ...]] = {
            "global": sources.global_,
            "character": sources.character,
            "chat": (sources.chat,) if sources.chat else (),
            "persona": (sources.persona,) if sources.persona else (),
        }
        return {
            source: tuple(self._book(name, case.books[name]) for name in names if name in case.books)
            for source, names in named.items()
        }

    def _book(self, name: str, book: CaseBook) -> CompiledBook:
        key = (name, id(book))
        if key not in self._compiled:
            self._compiled[key] = compile_book(name, book.entries)
        return self._compiled[key]


class _Trial:
    """A case, and how its turns are scanned."""

    def __init__(self, case: LorebookCase, count: Callable[[str], int], check: Callable[[], None]) -> None:
        self._case = case
        self._count = count
        self._check = check
        self._shelf = _Shelf(case)

    def answer(self, turn: CaseTurn, effects: TimedEffects) -> tuple[dict[str, Any], TimedEffects]:
        """The fields of the answer to a turn, and the effects it leaves."""
        self._check()
        books = self._shelf.books(turn.book or self._case.book)
        result = scan(self._question(turn, books, effects))
        return _answer(result, books, self._case.books is not None), result.timed

    def _question(self, turn: CaseTurn, books: Books, effects: TimedEffects) -> Scan:
        case = self._case
        settings = case.settings
        if turn.settings is not None:
            changed = turn.settings.model_dump(exclude_unset=True)
            settings = ScanSettings.model_validate({**settings.model_dump(), **changed})
        return Scan(
            books=books,
            chat=tuple(map(_message, turn.chat)),
            count=self._count,
            settings=settings,
            user=case.user,
            char=case.char,
            character=_character(case),
            scan_data=_scan_data(turn.scan_data or case.scan_data),
            injections=tuple(Injection(item.key, item.value, item.scan) for item in case.injections),
            timed=effects,
            dry_run=turn.dry_run,
            seed=f"case:{len(turn.chat)}" if case.seed is None else case.seed,
            check=self._check,
        )


def _message(message: CaseMessage) -> ScanMessage:
    return ScanMessage(message.name, message.is_user, message.mes)


def _character(case: LorebookCase) -> ScannedCharacter | None:
    if case.character is None:
        is_null = "character" in case.model_fields_set
        return None if is_null else ScannedCharacter(f"{case.char}.png")
    avatar = case.character.avatar
    return ScannedCharacter(f"{case.char}.png" if avatar is None else avatar, case.character.tags)


def _scan_data(data: CaseScanData) -> ScanData:
    return ScanData(**data.model_dump())


def _answer(result: ScanResult, books: Books, is_many: bool) -> dict[str, Any]:
    def name(entry: CompiledEntry) -> object:
        return entry.slot if is_many else entry.uid

    return {
        "activated": tuple(name(one.entry) for one in result.activated),
        "before": result.before,
        "after": result.after,
        "an_top": result.an_top,
        "an_bottom": result.an_bottom,
        "em_top": result.em_top,
        "em_bottom": result.em_bottom,
        "at_depth": tuple(
            TriedBlock(depth=block.depth, role=block.role, contents=block.contents)
            for block in result.at_depth
        ),
        "outlets": result.outlets,
        "passes": tuple(
            TriedPass(state=one.state, new=tuple(map(name, one.accepted))) for one in result.passes
        ),
        "overflow": result.overflow,
        "budget": result.budget,
        "seed": result.seed,
        "trace": tuple(_trace(result, books)),
    }


def _timed(effects: TimedEffects) -> TriedEffects:
    def told(effect: TimedEffect) -> TriedEffect:
        return TriedEffect(start=_whole(effect.start), end=_whole(effect.end), protected=effect.protected)

    return TriedEffects(
        sticky={slot: told(effect) for slot, effect in effects.sticky.items()},
        cooldown={slot: told(effect) for slot, effect in effects.cooldown.items()},
    )


def _whole(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _trace(result: ScanResult, books: Books) -> Iterator[TracedEntry]:
    """One row for every entry of every book, in the order of the books."""
    active = {id(one.entry): one for one in result.activated}
    left_out = {id(one.entry): one for one in result.left_out}
    for book in {id(book): book for shelf in books.values() for book in shelf}.values():
        for entry in book.entries:
            yield _row(entry, active.get(id(entry)), left_out.get(id(entry)))
        for _ in range(book.unreadable):
            yield TracedEntry(book=book.name, uid=None, fired=False, reason=UNREADABLE.code)


def _row(entry: CompiledEntry, active: Activation | None, left_out: LeftOut | None) -> TracedEntry:
    comment = entry.raw.get("comment")
    decided = active or left_out
    hit = None if decided is None else decided.hit
    key = None if hit is None else hit.key
    if left_out is not None and left_out.detail is not None:
        key = left_out.detail
    return TracedEntry.trusted(
        book=entry.world,
        uid=entry.uid,
        comment=comment if isinstance(comment, str) and comment else None,
        fired=active is not None,
        reason=_untouched(entry) if decided is None else decided.reason,
        pass_=None if decided is None else decided.number,
        key=key,
        where=None if hit is None else hit.where,
        index=None if hit is None else hit.index,
        tokens=None if active is None else active.tokens,
    )


def _untouched(entry: CompiledEntry) -> str:
    if not entry.is_readable:
        return UNREADABLE.code
    if entry.disabled:
        return SWITCHED_OFF.reason.code
    return (NOT_FOUND if entry.keys else NO_KEYS).reason.code
