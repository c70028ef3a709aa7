"""Pages as REST shows them."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from fabula.model.wire import Value
from fabula.store.page import Page

ItemT = TypeVar("ItemT")


class RestPage(Value, Generic[ItemT]):
    """A part of a list and where it stands in the whole."""

    content: tuple[ItemT, ...]
    total_elements: int
    total_pages: int
    number: int
    size: int


def rest_page(kind: type[RestPage[Any]], answer: Any, page: int, size: int) -> RestPage[Any]:
    """A page of a whole list, or of a part that was cut out already."""
    if isinstance(answer, tuple):
        part, total = answer[page * size : (page + 1) * size], len(answer)
    else:
        part, total = answer.items, answer.total if isinstance(answer, Page) else answer.total_count
    return kind.trusted(
        content=part, total_elements=total, total_pages=-(-total // size), number=page, size=size
    )
