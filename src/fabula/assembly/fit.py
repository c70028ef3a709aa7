"""Who gets in: constants and pins, a share for each section, then lore by priority; never over the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fabula.assembly.candidates import Budget
from fabula.assembly.cutting import TokenCounter
from fabula.assembly.pieces import MESSAGE_OF, Message, Piece, Section
from fabula.assembly.render import BLOCK_GAP, LINE_GAP, heading, render
from fabula.model.relation import Language


@dataclass(frozen=True, slots=True)
class Waiting:
    """The pieces that ask for room, each group in the order in which it is heard."""

    constants: Sequence[Piece] = ()
    characters: Sequence[Piece] = ()
    snapshots: Sequence[Piece] = ()
    relations: Sequence[Piece] = ()
    events: Sequence[Piece] = ()
    passages: Sequence[Piece] = ()
    detected: Sequence[Piece] = ()


@dataclass(frozen=True, slots=True)
class Fit:
    """Who is in, what the messages are, their exact size, and how many tokens each of the others lacked."""

    admitted: tuple[Piece, ...]
    texts: dict[Message, str]
    tokens: int
    missing: dict[Piece, int]


@dataclass(slots=True)
class _Room:
    """The room while it fills, reckoned piece by piece; the exact size of a whole is a little less."""

    left: int
    gaps: tuple[int, int]
    headings: dict[Section, int]
    admitted: list[Piece] = field(default_factory=list)
    missing: dict[Piece, int] = field(default_factory=dict)
    open_sections: set[Section] = field(default_factory=set)
    open_messages: set[Message] = field(default_factory=set)

    def cost(self, piece: Piece) -> int:
        line, block = self.gaps
        if piece.section in self.headings:
            if piece.section in self.open_sections:
                return piece.tokens + line
            extra = self.headings[piece.section] + line
        else:
            extra = 0
        return piece.tokens + extra + (block if MESSAGE_OF[piece.section] in self.open_messages else 0)

    def offer(self, pieces: Sequence[Piece], share: int | None = None) -> None:
        """Admit what fits, in order, and go on after what does not."""
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
        """Take out the last admitted until about so many tokens are free again."""
        while excess > 0 and self.admitted:
            piece = self.admitted.pop()
            self.missing[piece] = excess
            excess -= max(piece.tokens, 1)
        self.open_sections.clear()
        self.open_messages.clear()
        for piece in self.admitted:
            self._opened(piece)

    def _opened(self, piece: Piece) -> None:
        self.open_sections.add(piece.section)
        self.open_messages.add(MESSAGE_OF[piece.section])


def fit(waiting: Waiting, budget: Budget, language: Language, counter: TokenCounter) -> Fit:
    """Fill the budget; the messages as they are rendered never take more tokens than it has."""
    room = _empty_room(budget, language, counter)
    _offer_constants(room, waiting.constants, budget.total, language, counter)
    room.offer(waiting.characters, _share(budget, budget.characters))
    room.offer(waiting.snapshots, _share(budget, budget.snapshots))
    room.offer(waiting.relations, _share(budget, budget.relations))
    room.offer(waiting.events, _share(budget, budget.events))
    # Who is named comes before what was said of them in earlier scenes.
    room.offer(waiting.detected)
    room.offer(waiting.passages, _share(budget, budget.passages))
    others = (
        waiting.detected,
        waiting.relations,
        waiting.snapshots,
        waiting.characters,
        waiting.events,
        waiting.passages,
    )
    _offer_again(room, others)
    texts, tokens = _measured(room, budget.total, language, counter)
    room.left = budget.total - tokens
    admitted = len(room.admitted)
    _offer_again(room, others)
    if len(room.admitted) != admitted:
        texts, tokens = _measured(room, budget.total, language, counter)
    return Fit(tuple(room.admitted), texts, tokens, room.missing)


def _offer_constants(
    room: _Room, constants: Sequence[Piece], total: int, language: Language, counter: TokenCounter
) -> None:
    """Offer room to the constants until it is exactly full of them.

    They have no second chance later: whether one is in must not depend on what the text brings along.
    """
    room.offer(constants)
    if room.missing and room.admitted:
        room.left = total - _measured(room, total, language, counter)[1]
        _offer_again(room, (constants,))
        room.left = total - _measured(room, total, language, counter)[1]


def _empty_room(budget: Budget, language: Language, counter: TokenCounter) -> _Room:
    titles = {section: heading(section, language) for section in Section}
    return _Room(
        left=max(budget.total, 0),
        gaps=(counter.count(LINE_GAP), counter.count(BLOCK_GAP)),
        headings={section: counter.count(title) for section, title in titles.items() if title},
    )


def _share(budget: Budget, fraction: float) -> int:
    return int(max(budget.total, 0) * fraction)


def _offer_again(room: _Room, groups: Sequence[Sequence[Piece]]) -> None:
    present = set(room.admitted)
    for group in groups:
        room.offer([piece for piece in group if piece not in present])


def _measured(
    room: _Room, total: int, language: Language, counter: TokenCounter
) -> tuple[dict[Message, str], int]:
    """The rendered texts and their exact size, after the last admitted had to go if it was too much."""
    while True:
        texts = render(room.admitted, language)
        tokens = sum(counter.count(text) for text in texts.values())
        if tokens <= total or not room.admitted:
            return texts, tokens
        room.give_back(tokens - total)
