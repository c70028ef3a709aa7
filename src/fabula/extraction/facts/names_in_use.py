"""What somebody is called up to a place of a text, so that a fact does not tell a name that comes later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.drafts import Somebody


class NamesInUse:
    """The first use of each name of everybody in a text."""

    def __init__(self, mentions: Iterable[FoundMention], who: Mapping[str, Somebody]) -> None:
        self._first: dict[str, dict[str, int]] = {}
        for mention in mentions:
            uses = self._first.setdefault(who[mention.known or mention.text].name, {})
            uses.setdefault(mention.text, mention.start)

    def at(self, name: str, place: int) -> str:
        """The main name of somebody, or if it is not in use by then, the name used first."""
        uses = self._first.get(name, {})
        if not uses or uses.get(name, place + 1) <= place:
            return name
        return min(uses, key=lambda one: uses[one])
