"""Lists whose items are made on demand, because usually only the first ones are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar, overload

RawT = TypeVar("RawT")
ItemT = TypeVar("ItemT")


@dataclass(slots=True)
class PartialList(Generic[RawT, ItemT]):
    """The raw items of a list, the items made so far, and how many raw items were used."""

    raw: Sequence[RawT]
    made: list[ItemT] = field(default_factory=list)
    done: int = 0


class Drawn(Sequence[ItemT], Generic[RawT, ItemT]):
    """A partial list as a sequence; `make` returns None for raw items to leave out."""

    def __init__(self, draft: PartialList[RawT, ItemT], make: Callable[[RawT], ItemT | None]) -> None:
        self._draft, self._make = draft, make

    @overload
    def __getitem__(self, place: int) -> ItemT: ...
    @overload
    def __getitem__(self, place: slice) -> list[ItemT]: ...
    def __getitem__(self, place: int | slice) -> ItemT | list[ItemT]:
        last = place.stop if isinstance(place, slice) else place + 1 or None
        return self._first(last if last is not None and last >= 0 else None)[place]

    def __len__(self) -> int:
        return len(self._first(None))

    def __iter__(self) -> Iterator[ItemT]:
        return iter(self._first(None))

    def _first(self, count: int | None) -> list[ItemT]:
        draft = self._draft
        while draft.done < len(draft.raw) and (count is None or len(draft.made) < count):
            item = self._make(draft.raw[draft.done])
            draft.done += 1
            if item is not None:
                draft.made.append(item)
        return draft.made
