"""Redaction: the only place where secrets are removed from values.

It works on values, never on text rendered from them, because quoting and layout could hide a name from
the search but not from the reader. The result is `OpenText`, and only that is rendered for a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fabula.assembly.prose import touched_sentences, without
from fabula.model.audience import OpenText

Spans = tuple[tuple[int, int], ...]
_GAP = "\n"
_ITEM = "\n- "


class _Gone:
    """Marks a value of which nothing is left."""


_GONE = _Gone()


@dataclass(frozen=True, slots=True)
class Redaction:
    """Redacts values for an audience; `hidden` finds the spans of a text that name a secret."""

    hidden: Callable[[str], Spans]
    # Finds the spans in the texts of one value that together tell a secret which none of them tells alone.
    joining: Callable[[Sequence[str]], Sequence[Sequence[tuple[int, int]]]] | None = None

    def spans(self, text: str) -> Spans:
        """Return the spans of a text that name a secret or tell one together."""
        return self.hidden(text) if self.joining is None else (*self.hidden(text), *self.joining([text])[0])

    def prose(self, text: str) -> OpenText:
        """Return the text without the sentences that name a secret."""
        return OpenText(without(text, self.spans(text)))

    def label(self, text: str) -> OpenText:
        """Return the text, or an empty text if it names a secret: part of a name or title is useless."""
        return OpenText("" if self.spans(text) else text)

    def json(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the value without the keys, items and sentences that name a secret, at any depth."""
        (told,) = self.together(value)
        return told if isinstance(told, dict) else {}

    def together(self, *values: Any) -> tuple[Any, ...]:
        """Redact texts and JSON values that will be rendered one after another.

        A name may begin in one and end in the next, so all their texts are searched as one. A value of
        which nothing is left becomes an empty text, object or list.
        """
        pieces = [piece for value in values for piece in _pieces(value)]
        hidden = self.hidden(_GAP.join(pieces))
        if self.joining is not None:
            hidden = (*hidden, *self._joined(values, self.joining))
        if not hidden:
            return values
        kept = _kept(pieces, hidden)
        return tuple(
            _nothing_like(value) if told is _GONE else told for value, told in _rebuilt(values, kept)
        )

    def _joined(
        self,
        values: tuple[Any, ...],
        joining: Callable[[Sequence[str]], Sequence[Sequence[tuple[int, int]]]],
    ) -> Iterator[tuple[int, int]]:
        """Yield the spans, in all texts joined, of what the texts of one value tell together."""
        begin = 0
        for value in values:
            units = value.items() if isinstance(value, dict) else (value,)
            for unit in units:
                pieces = list(_pieces(unit))
                for piece, spans in zip(pieces, joining(pieces), strict=True):
                    yield from ((begin + start, begin + end) for start, end in spans)
                    begin += len(piece) + len(_GAP)

    def passages(self, text: str, spans: Iterable[tuple[int, int]]) -> list[OpenText]:
        """Return parts of a text without sentences that name a secret, even if the name lies outside them."""
        hidden = self.spans(text)
        if not hidden:
            return [OpenText(text[start:end]) for start, end in spans]
        touched = list(touched_sentences(text, hidden))
        return [
            OpenText(
                _without_spans(
                    text[start:end], ((max(start, s) - start, min(end, e) - start) for s, e in touched)
                )
            )
            for start, end in spans
        ]

    def blanked(self, text: str, *, as_event: bool = False) -> OpenText:
        """Return the text with sentences that name a secret replaced by spaces, which keeps offsets.

        In the text of an event, each item of a list stands for itself: taking part joins nobody.
        """
        hidden = self.hidden(text) if as_event else self.spans(text)
        if self.joining is not None and as_event:
            begin = 0
            for item in text.split(_ITEM):
                hidden = (*hidden, *((begin + start, begin + end) for start, end in self.joining([item])[0]))
                begin += len(item) + len(_ITEM)
        if not hidden:
            return OpenText(text)
        parts: list[str] = []
        done = 0
        for start, end in touched_sentences(text, hidden):
            parts += (text[done:start], " " * (end - start))
            done = end
        return OpenText("".join((*parts, text[done:])))


def _without_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    kept, done = [], 0
    for start, end in spans:
        if end > start:
            kept.append(text[done:start])
            done = end
    return "".join((*kept, text[done:])).strip()


def _pieces(value: Any) -> Iterator[str]:
    """Yield every text in a value, keys included, in rendering order."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _pieces(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _pieces(item)
    else:
        yield value if isinstance(value, str) else str(value)


def _kept(pieces: Iterable[str], hidden: Spans) -> Iterator[str | _Gone]:
    """Yield each piece without the sentences that overlap a hidden span."""
    spans = sorted(hidden)
    first, begin = 0, 0
    for piece in pieces:
        end = begin + len(piece)
        own = []
        for start, stop in spans[first:]:
            if start >= end:
                break
            if stop > begin:
                own.append((max(0, start - begin), min(len(piece), stop - begin)))
        yield (without(piece, own) or _GONE) if own else piece
        begin = end + len(_GAP)
        while first < len(spans) and spans[first][1] <= begin:
            first += 1


def _rebuilt(values: Iterable[Any], kept: Iterator[str | _Gone]) -> Iterator[tuple[Any, Any]]:
    for value in values:
        yield value, _rebuild(value, kept)


def _rebuild(value: Any, kept: Iterator[str | _Gone]) -> Any:
    if isinstance(value, dict):
        pairs = [(key, next(kept), _rebuild(item, kept)) for key, item in value.items()]
        told = {key: item for key, said, item in pairs if said == key and item is not _GONE}
        return told if told or not value else _GONE
    if isinstance(value, list | tuple):
        items = [item for item in (_rebuild(item, kept) for item in value) if item is not _GONE]
        return type(value)(items) if items or not value else _GONE
    said = next(kept)
    if isinstance(value, str):
        return said
    return value if said == str(value) else _GONE


def _nothing_like(value: Any) -> Any:
    return type(value)() if isinstance(value, dict | list | tuple | str) else None
