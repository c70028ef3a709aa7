"""What the rules ask about one pass of a scan."""

from __future__ import annotations

import re
from time import monotonic

from fabula.world_info.entry import CompiledEntry
from fabula.world_info.key_index import Hits, KeyIndex
from fabula.world_info.loose import trimmed
from fabula.world_info.macros import MacroNames, substituted
from fabula.world_info.patterns.pattern import Pattern, PatternTimeoutError, pattern_of
from fabula.world_info.question import Scan
from fabula.world_info.result import KeyHit, PassState
from fabula.world_info.text import ScannedText, View, place_of
from fabula.world_info.timed import RunningEffects

_ENDING = re.compile(r"\.[^/.]+$")


class ScanCandidate:
    """An entry that is looked at, with its keys and where the automaton found them."""

    __slots__ = ("content", "entry", "hits", "index", "keys", "rank")

    def __init__(
        self,
        entry: CompiledEntry,
        rank: tuple[int, float, int, int],
        index: KeyIndex | None,
        hits: Hits,
        content: str,
    ) -> None:
        self.entry = entry
        self.rank = rank
        self.index = index
        self.hits = hits
        self.content = content
        self.keys = entry.keys if index is None else index.keys[entry.index]


class PassOccasion:
    """The state of a scan as rules and groups see it."""

    def __init__(self, scan: Scan, text: ScannedText, effects: RunningEffects, names: MacroNames) -> None:
        self.scan = scan
        self.text = text
        self.effects = effects
        self.names = names
        self.state: PassState = "initial"
        self.level = 0.0
        self.skew = 0
        self.recursive = scan.settings.recursive
        self.scores_groups = scan.settings.use_group_scoring
        self.trigger = scan.scan_data.trigger
        self.messages = len(scan.chat)
        character = scan.character
        self.character = None if character is None else _ENDING.sub("", character.avatar)
        self.tags = None if character is None else frozenset(character.tags)
        self.is_sticky = effects.is_sticky
        self.is_cooling = effects.is_cooling
        self.candidates: dict[int, ScanCandidate] = {}
        self.hits: dict[int, KeyHit] = {}
        self.timed_out: dict[int, str] = {}
        self._spent = 0.0
        self._slow: set[str] = set()
        self._searched: dict[tuple[str, int], tuple[int | None]] = {}

    @property
    def depth(self) -> int:
        """How many messages are read by entries that do not say."""
        return self.scan.settings.scan_depth + self.skew

    def view(self, entry: CompiledEntry) -> View:
        """The text that the entry reads in this pass."""
        depth = self.depth if entry.scan_depth is None else entry.scan_depth
        return self.text.view(depth, entry.sources, self.state != "minActivations")

    def has_keys(self, entry: CompiledEntry) -> bool:
        """Whether the entry has keys at all."""
        return bool(entry.keys)

    def primary(self, entry: CompiledEntry) -> KeyHit | None:
        """The first primary key that the entry's text has."""
        view = self.view(entry)
        candidate = self.candidates[id(entry)]
        for key in candidate.keys:
            hit = self._hit(candidate, key, view) if key else None
            if hit is not None:
                self.hits[id(entry)] = hit
                return hit
        return None

    def secondary(self, entry: CompiledEntry, key: str) -> bool:
        """Whether the entry's text has a secondary key."""
        said = substituted(key, self.names)
        return bool(said) and self._direct(entry, trimmed(said), self.view(entry)) is not None

    def raw_key(self, entry: CompiledEntry, key: str) -> bool:
        """Whether the entry's text has a key exactly as it is written."""
        return self._direct(entry, key, self.view(entry)) is not None

    def _hit(self, candidate: ScanCandidate, key: str, view: View) -> KeyHit | None:
        entry = candidate.entry
        if not trimmed(key):
            return KeyHit(key, "always")
        if candidate.index is None:
            return self._direct(entry, trimmed(key), view)
        found = candidate.index.look_up(key)
        if found.number is None or self._case_sensitive(entry):
            return self._direct(entry, found.needle, view)
        whole = self._whole_words(entry) and not found.has_blank
        places = candidate.hits.get(found.number, {})
        seen = [place for place, alone in places.items() if (alone or not whole) and view.sees(place)]
        return KeyHit(key, *place_of(min(seen))) if seen else None

    def _direct(self, entry: CompiledEntry, needle: str, view: View) -> KeyHit | None:
        pattern = pattern_of(needle) if needle.startswith("/") else None
        if pattern is not None:
            offset = self._search(entry, needle, pattern, view)
            return None if offset is None else KeyHit(needle, *view.where(offset))
        if not needle:
            return KeyHit(needle, "always")
        place = view.find(needle, self._case_sensitive(entry), self._whole_words(entry))
        return None if place is None else KeyHit(needle, *place_of(place))

    def _search(self, entry: CompiledEntry, needle: str, pattern: Pattern, view: View) -> int | None:
        """Where a pattern begins to match; one that took too long is not tried again in this scan."""
        known = self._searched.get((needle, id(view)))
        if known is not None:
            return known[0]
        if needle in self._slow:
            self.timed_out[id(entry)] = needle
            return None
        left = self.scan.patterns_seconds - self._spent
        began = monotonic()
        try:
            found = pattern.search(view.text, min(self.scan.pattern_seconds, left))
        except PatternTimeoutError:
            found = None
            self._slow.add(needle)
            self.timed_out[id(entry)] = needle
        if not pattern.is_linear:
            self._spent += monotonic() - began
        self._searched[needle, id(view)] = (found,)
        return found

    def _case_sensitive(self, entry: CompiledEntry) -> bool:
        own = entry.case_sensitive
        return self.scan.settings.case_sensitive if own is None else own

    def _whole_words(self, entry: CompiledEntry) -> bool:
        own = entry.whole_words
        return self.scan.settings.match_whole_words if own is None else own
