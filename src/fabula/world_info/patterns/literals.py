"""Texts that a match cannot do without, so that an automaton can tell when a pattern need not be tried."""

from __future__ import annotations

from fabula.world_info.patterns.syntax import (
    Boundary,
    Chars,
    Choice,
    Group,
    LookAround,
    PatternNode,
    Repeat,
    Sequence,
)

_MOST = 16

Literals = tuple[str, ...]


def _folded(text: str) -> str:
    return text.lower().replace("ς", "σ")


def required_literals(node: PatternNode) -> Literals:
    """Folded texts of which every match has at least one; none if there is no such thing."""
    best: Literals = ()
    run = ""
    for part in _line(node):
        if isinstance(part, Boundary | LookAround):
            continue
        letter = _letter(part)
        if letter is not None:
            run += letter
            continue
        best = _better(best, (run,))
        run = ""
        best = _better(best, _inside(part))
    return _better(best, (run,))


def _line(node: PatternNode) -> list[PatternNode]:
    """The parts that every match has, one after another."""
    if isinstance(node, Sequence):
        return [part for each in node.parts for part in _line(each)]
    if isinstance(node, Group) and not isinstance(node.body, Choice):
        return _line(node.body)
    return [node]


def _inside(part: PatternNode) -> Literals:
    if isinstance(part, Group):
        return _inside(part.body) if isinstance(part.body, Choice) else required_literals(part.body)
    if isinstance(part, Repeat):
        return required_literals(part.body) if part.least else ()
    if isinstance(part, Choice):
        ways = [required_literals(way) for way in part.ways]
        every = tuple(dict.fromkeys(literal for way in ways for literal in way))
        return every if all(ways) and len(every) <= _MOST else ()
    return ()


def _letter(part: PatternNode) -> str | None:
    """The folded character that a part stands for; None if it may be several."""
    if not isinstance(part, Chars) or part.negated or part.properties or len(part.ranges) > 8:
        return None
    if sum(high - low + 1 for low, high in part.ranges) > 8:
        return None
    codes = [code for low, high in part.ranges for code in range(low, high + 1)]
    if any(0xD800 <= code <= 0xDFFF for code in codes):
        return None
    folds = {_folded(chr(code)) for code in codes}
    return folds.pop() if len(folds) == 1 else None


def _better(one: Literals, other: Literals) -> Literals:
    """The texts that are found less often: longer ones, then fewer."""
    if not other or not all(other):
        return one
    if not one:
        return other
    return max(one, other, key=lambda literals: (min(map(len, literals)), -len(literals)))
