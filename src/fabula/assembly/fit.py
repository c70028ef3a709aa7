"""Choose the pieces that fit the budget: stable ones, then each section's share, then what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from fabula.assembly.cutting import CountsTokens
from fabula.assembly.pieces import Message, Piece, PromptBlock, Weighed
from fabula.assembly.render import BLOCK_GAP, LINE_GAP, render
from fabula.assembly.section import Section
from fabula.assembly.setting import Budget
from fabula.model.relation import Language


@dataclass(frozen=True, slots=True)
class Fit:
    """The admitted pieces, the rendered messages, their exact size, and the tokens other pieces lacked."""

    admitted: tuple[Piece, ...]
    texts: dict[Message, str]
    tokens: int
    missing: dict[Piece, int]


@dataclass(slots=True)
class _Room:
    """The remaining budget, estimated piece by piece; the exact size of the whole is slightly smaller."""

    left: int
    gaps: tuple[int, int]
    headings: dict[PromptBlock, int]
    admitted: list[Piece] = field(default_factory=list)
    missing: dict[Piece, int] = field(default_factory=dict)
    open_blocks: set[PromptBlock] = field(default_factory=set)
    open_messages: set[Message] = field(default_factory=set)

    def cost(self, piece: Piece) -> int:
        line, gap = self.gaps
        block = piece.block
        if block in self.headings:
            if block in self.open_blocks:
                return piece.tokens + line
            extra = self.headings[block] + line
        else:
            extra = 0
        return piece.tokens + extra + (gap if block.message in self.open_messages else 0)

    def offer(self, pieces: Sequence[Piece], share: int | None = None) -> None:
        """Admit the pieces that fit, in order, skipping those that do not."""
        for piece in pieces:
            cost = self.cost(piece)
            limit = self.left if share is None else min(self.left, share)
            if cost > limit:
                short = cost - limit
                self.missing[piece] = min(short, self.missing.get(piece, short))
                continue
            self.left -= cost
            if share is not None:
                share -= cost
            self.admitted.append(piece)
            self.missing.pop(piece, None)
            self._opened(piece)

    def give_back(self, excess: int) -> None:
        """Remove the most recently admitted pieces until about `excess` tokens are free again."""
        while excess > 0 and self.admitted:
            piece = self.admitted.pop()
            self.missing[piece] = excess
            excess -= max(piece.tokens, 1)
        self.open_blocks.clear()
        self.open_messages.clear()
        for piece in self.admitted:
            self._opened(piece)

    def _opened(self, piece: Piece) -> None:
        self.open_blocks.add(piece.block)
        self.open_messages.add(piece.block.message)


def fit(
    waiting: Mapping[Section[Any], Weighed[Any]], budget: Budget, language: Language, counter: CountsTokens
) -> Fit:
    """Fill the budget; the rendered messages never exceed it."""
    pieces = {section: [kept.piece for kept in weighed.kept] for section, weighed in waiting.items()}
    constants = [piece for own in pieces.values() for piece in own if piece.stable]
    others = {section: [piece for piece in own if not piece.stable] for section, own in pieces.items()}
    room = _empty_room(waiting, budget, language, counter)
    _offer_constants(room, constants, budget.total, language, counter)
    for section in sorted(others, key=lambda section: section.turn):
        room.offer(others[section], _share(budget, section))
    second = _second_turns(others)
    _offer_again(room, second)
    texts, tokens = _measured(room, budget.total, language, counter)
    room.left = budget.total - tokens
    admitted = len(room.admitted)
    _offer_again(room, second)
    if len(room.admitted) != admitted:
        texts, tokens = _measured(room, budget.total, language, counter)
    return Fit(tuple(room.admitted), texts, tokens, room.missing)


def _offer_constants(
    room: _Room, constants: Sequence[Piece], total: int, language: Language, counter: CountsTokens
) -> None:
    """Admit the stable pieces until no more of them fit, by their exact size.

    They are not offered room again later: whether one is admitted must not depend on the scene's text.
    """
    room.offer(constants)
    if room.missing and room.admitted:
        room.left = total - _measured(room, total, language, counter)[1]
        _offer_again(room, (constants,))
        room.left = total - _measured(room, total, language, counter)[1]


def _empty_room(
    sections: Mapping[Section[Any], object], budget: Budget, language: Language, counter: CountsTokens
) -> _Room:
    return _Room(
        left=max(budget.total, 0),
        gaps=(counter.count(LINE_GAP), counter.count(BLOCK_GAP)),
        headings={
            block: counter.count(block.heading.said_in(language))
            for section in sections
            for block in section.blocks
            if block.heading is not None
        },
    )


def _share(budget: Budget, section: Section[Any]) -> int | None:
    """Return how many tokens a section may take in its first turn; None if there is no limit."""
    share = budget.shares.get(section.key, section.share)
    return None if share is None else int(max(budget.total, 0) * share)


def _second_turns(others: Mapping[Section[Any], Sequence[Piece]]) -> list[list[Piece]]:
    """Return what is offered room again, turn by turn; the sections of one turn alternate."""
    turns: dict[int, list[Sequence[Piece]]] = {}
    for section, pieces in others.items():
        turns.setdefault(section.second_turn, []).append(pieces)
    return [
        [piece for together in zip_longest(*turns[turn]) for piece in together if piece is not None]
        for turn in sorted(turns)
    ]


def _offer_again(room: _Room, groups: Sequence[Sequence[Piece]]) -> None:
    present = set(room.admitted)
    for group in groups:
        room.offer([piece for piece in group if piece not in present])


def _measured(
    room: _Room, total: int, language: Language, counter: CountsTokens
) -> tuple[dict[Message, str], int]:
    """Render the messages and return their exact size, removing the last pieces if it is too large."""
    while True:
        texts = render(room.admitted, language)
        tokens = sum(counter.count(text) for text in texts.values())
        if tokens <= total or not room.admitted:
            return texts, tokens
        room.give_back(tokens - total)
