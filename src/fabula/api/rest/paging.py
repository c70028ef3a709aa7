"""Pagination in REST."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from fabula.model.wire import Value
from fabula.store.page import Page

ItemT = TypeVar("ItemT")


class RestPage(Value, Generic[ItemT]):
    """One page of a list, and its place in the whole."""

    content: tuple[ItemT, ...]
    total_elements: int
    total_pages: int
    number: int
    size: int


def rest_page(kind: type[RestPage[Any]], answer: Any, page: int, size: int) -> RestPage[Any]:
    """Return a page of a complete list, or of a part that was already cut out."""
    if isinstance(answer, tuple):
        part, total = answer[page * size : (page + 1) * size], len(answer)
    else:
        part, total = answer.items, answer.total if isinstance(answer, Page) else answer.total_count
    return kind.trusted(
        content=part, total_elements=total, total_pages=-(-total // size), number=page, size=size
    )
