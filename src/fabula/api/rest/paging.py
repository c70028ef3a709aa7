"""Pages as REST shows them."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Query

from fabula.model.wire import Value
from fabula.store.page import Page

ItemT = TypeVar("ItemT")

PageNumber = Annotated[int, Query(ge=0, le=1_000_000)]
PageSize = Annotated[int, Query(ge=1, le=1000)]


class RestPage(Value, Generic[ItemT]):
    """A part of a list and where it stands in the whole."""

    content: tuple[ItemT, ...]
    total_elements: int
    total_pages: int
    number: int
    size: int


def rest_page(part: Page[ItemT], page: int, size: int) -> RestPage[ItemT]:
    """A part of a list that was cut out by the store."""
    return RestPage.trusted(
        content=part.items,
        total_elements=part.total,
        total_pages=-(-part.total // size),
        number=page,
        size=size,
    )


def page_of(items: tuple[ItemT, ...], page: int, size: int) -> RestPage[ItemT]:
    """One page of a list that is at hand as a whole."""
    return rest_page(Page(items[page * size : (page + 1) * size], len(items)), page, size)
