"""A pattern that strangers wrote: found in linear time, or in a process that is ended at its deadline."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Any

import re2

from fabula.world_info.loose import whole
from fabula.world_info.patterns.literals import required_literals
from fabula.world_info.patterns.parser import parse
from fabula.world_info.patterns.process import BACKTRACKER, PatternTimeoutError
from fabula.world_info.patterns.syntax import Flags, PatternNode, PatternSyntaxError
from fabula.world_info.patterns.translation import (
    NotLinearError,
    characters_before,
    for_re2,
    for_regex,
    has_line_edges,
    in_units,
)

__all__ = ["Pattern", "PatternTimeoutError", "pattern_of"]

LONGEST = 10_000
_KEY = re.compile(r"/([\s\S]+?)/([gimsuy]*)")
_BARE_SLASH = re.compile(r"(?:^|[^\\])/")
_RARE_LINE_END = re.compile("[\r\u2028\u2029]")
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 4 << 20


class Pattern:
    """A regular expression in JavaScript's syntax, and the texts of which it needs one."""

    def __init__(self, node: PatternNode, flags: Flags) -> None:
        self._node = node
        self._flags = flags
        self.literals = required_literals(node)

    @cached_property
    def _linear(self) -> Any:
        try:
            return re2.compile(for_re2(self._node, self._flags), _OPTIONS)
        except (NotLinearError, re2.error):
            return None

    @cached_property
    def _has_line_edges(self) -> bool:
        return has_line_edges(self._node, self._flags)

    @property
    def is_linear(self) -> bool:
        """Whether a search takes time in proportion to the text, whatever the pattern."""
        return self._linear is not None

    def search(self, text: str, seconds: float) -> int | None:
        """Where the pattern first matches; PatternTimeoutError if that cannot be said in time."""
        text = whole(text)
        said = text if self._flags.unicode else in_units(text)
        # RE2 ends lines at line feeds only.
        if self._linear is None or (self._has_line_edges and _RARE_LINE_END.search(said)):
            found = BACKTRACKER.search(for_regex(self._node, self._flags), said, seconds)
        else:
            match = self._linear.search(said)
            found = None if match is None else match.start()
        return found if found is None or said is text else characters_before(said, found)


@lru_cache(maxsize=65_536)
def pattern_of(key: str) -> Pattern | None:
    """The pattern of a key such as `/drag(on|oon)s?/i`; None if the key is plain text."""
    found = _KEY.fullmatch(key) if len(key) <= LONGEST else None
    if found is None or len(set(found[2])) != len(found[2]) or _BARE_SLASH.search(found[1]):
        return None
    flags = Flags.of(found[2])
    try:
        return Pattern(parse(found[1].replace("\\/", "/"), flags), flags)
    except (PatternSyntaxError, RecursionError):
        return None
