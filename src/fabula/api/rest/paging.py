"""Pages as REST shows them."""

from __future__ import annotations

from typing import Generic, TypeVar

from fabula.model.wire import Value

ItemT = TypeVar("ItemT")


class RestPage(Value, Generic[ItemT]):
    """A part of a list and where it stands in the whole."""

    content: tuple[ItemT, ...]
    total_elements: int
    total_pages: int
    number: int
    size: int


def page_of(items: tuple[ItemT, ...], page: int, size: int) -> RestPage[ItemT]:
    """One page of a list that is at hand as a whole."""
    return RestPage(
        content=items[page * size : (page + 1) * size],
        total_elements=len(items),
        total_pages=-(-len(items) // size),
        number=page,
        size=size,
    )
