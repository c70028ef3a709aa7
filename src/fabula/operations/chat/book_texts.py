"""What a scan of lorebooks adds to a conversation: texts by place within the budget, and their reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabula.assembly.context import TraceItem
from fabula.assembly.sections.lore import LORE
from fabula.assembly.trace import traced
from fabula.context.candidates.gathering import SceneView
from fabula.context.candidates.scanned import scanned_candidates
from fabula.llm.chat import ChatRole
from fabula.model.reason import BUDGET
from fabula.operations.chat.placement import BlockPlace, BookBlock
from fabula.world_info import Activation, ScanResult, TimedEffects
from fabula.world_info.places import ScanPlaces, placed

LINE = "\n"
# Where SillyTavern puts an author's note, and a text that does not say how deep it stands.
USUAL_DEPTH = 4
DEEPEST = 1_000_000

_ROLES: dict[str, ChatRole] = {"1": "user", "2": "assistant"}
_LISTS: dict[BlockPlace, str] = {
    "before": "before",
    "after": "after",
    "examplesTop": "em_top",
    "examplesBottom": "em_bottom",
}


class AuthorsNote(NamedTuple):
    """The note of the author, which lorebooks may surround."""

    text: str = ""
    depth: int = USUAL_DEPTH


NO_NOTE = AuthorsNote()


@dataclass(frozen=True, slots=True)
class BookTexts:
    """The texts of scanned lorebooks in a conversation; `timed` is None if no book was scanned.

    `texts` are those of each entry, by kind and id as in the trace.
    """

    blocks: tuple[BookBlock, ...] = ()
    outlets: Mapping[str, str] = field(default_factory=dict)
    tokens: int = 0
    trace: tuple[TraceItem, ...] = ()
    timed: TimedEffects | None = None
    seed: str = ""
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BookRoom:
    """The room that lorebooks find: tokens, how they are counted, and the places that a conversation has.

    `outlets` says how often the conversation asks for each outlet.
    """

    tokens: int
    count: Callable[[str], int]
    outlets: Mapping[str, int] = field(default_factory=dict)
    note: AuthorsNote = NO_NOTE


def told_books(on: SceneView, found: ScanResult | None, room: BookRoom) -> BookTexts:
    """Return the texts that a scan found, as far as the budget of the call goes, and a reason for each.

    The books' own budget has decided before. What is pinned is told among Fabula's own entries.
    """
    note = _note(ScanPlaces(), room)
    if found is None:
        return BookTexts(note)
    active = [
        one for one in found.activated if one.content.strip() and str(one.entry.ref) not in on.pinned_entries
    ]
    kept, blocks, outlets, tokens = _fitted(active, room)
    fits = {str(one.entry.ref) for one in kept}
    sizes = {str(one.entry.ref): one.tokens for one in active}
    trace = []
    for candidate in scanned_candidates(on, found):
        if candidate.scanned is None or candidate.pinned:
            continue
        verdict, size = candidate.scanned.verdict, sizes.get(candidate.id, 0)
        told = LORE.tell(candidate, False)
        if verdict.admitted and candidate.id not in fits:
            trace.append(
                traced(LORE.kind, told, False, BUDGET.code, size, max(1, tokens + size - room.tokens))
            )
        else:
            trace.append(traced(LORE.kind, told, verdict.admitted, verdict.reason, size))
    texts = {(LORE.kind, str(one.entry.ref)): one.content for one in kept}
    return BookTexts(blocks, outlets, tokens, tuple(trace), found.timed, found.seed, texts)


_Fitted = tuple[list[Activation], tuple[BookBlock, ...], dict[str, str], int]


def _fitted(active: list[Activation], room: BookRoom) -> _Fitted:
    """Return the entries that fit with their texts; the highest order comes first."""
    ranked = sorted(enumerate(active), key=lambda one: (-one[1].entry.order, one[0]))
    kept, left = [], room.tokens
    for _, one in ranked:
        left -= one.tokens
        if left < 0:
            break
        kept.append(one)
    while True:
        there = {id(one) for one in kept}
        places = placed((one.entry, one.content) for one in active if id(one) in there)
        blocks, outlets = _blocks(places, room), _outlets(places, room)
        tokens = sum(room.count(block.text) for block in blocks)
        tokens += sum(room.count(text) * room.outlets[name] for name, text in outlets.items())
        tokens -= room.count(room.note.text)
        if tokens <= room.tokens or not kept:
            return kept, blocks, outlets, max(0, tokens)
        kept.pop()


def _blocks(places: ScanPlaces, room: BookRoom) -> tuple[BookBlock, ...]:
    texts = {place: places.texts(name) for place, name in _LISTS.items()}
    blocks = [BookBlock(place, LINE.join(said)) for place, said in texts.items() if said]
    for block in places.blocks():
        text, role = LINE.join(block.contents), _ROLES.get(str(block.role), "system")
        blocks.append(BookBlock("depth", text, role, _depth(block.depth)))
    return (*blocks, *_note(places, room))


def _depth(said: object) -> int:
    """Return a depth from whatever stands in its place."""
    try:
        return int(min(max(0.0, float(str(said))), DEEPEST))
    except ValueError:
        return USUAL_DEPTH


def _note(places: ScanPlaces, room: BookRoom) -> tuple[BookBlock, ...]:
    around = places.texts("an_top"), places.texts("an_bottom")
    text = LINE.join((*around[0], *filter(None, (room.note.text,)), *around[1]))
    return (BookBlock("depth", text, depth=room.note.depth),) if text else ()


def _outlets(places: ScanPlaces, room: BookRoom) -> dict[str, str]:
    return {name: LINE.join(texts) for name, texts in places.outlets.items() if name in room.outlets}
