"""A scan: compiled books and a chat in, activated entries and their places out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabula.world_info.budget import Spending, budget_of
from fabula.world_info.dice import roll
from fabula.world_info.entry import CompiledEntry
from fabula.world_info.groups import one_of_each_group
from fabula.world_info.key_index import Hits, KeyIndex
from fabula.world_info.loose import strict_number, text_of, trimmed
from fabula.world_info.macros import MacroNames, substituted
from fabula.world_info.occasion import PassOccasion, ScanCandidate
from fabula.world_info.places import placed
from fabula.world_info.question import Scan
from fabula.world_info.result import Activation, LeftOut, PassState, ScanPass, ScanResult
from fabula.world_info.rules import (
    GROUP,
    OVER_BUDGET,
    PATTERN_TIMEOUT,
    PROBABILITY,
    SAME_UID,
    UNREADABLE,
    judge,
)
from fabula.world_info.shelf import Shelved, shelved
from fabula.world_info.text import ScannedPiece, ScannedText
from fabula.world_info.timed import RunningEffects

_CHECKED = 32


def scan(question: Scan) -> ScanResult:
    """The entries that fire and where their texts belong."""
    return _Scanner(question).run()


class _Reader:
    """One book in a scan: what its keys found so far."""

    def __init__(self, shelf: Shelved, names: MacroNames) -> None:
        self.shelf = shelf
        self.indexes: list[tuple[KeyIndex, Hits]] = [(index, {}) for index in shelf.book.indexes(names)]

    def standing(self) -> Iterable[tuple[int, KeyIndex | None, Hits]]:
        """The entries that are looked at whatever the text says."""
        for place in self.shelf.book.always:
            yield place, None, {}
        for index, hits in self.indexes:
            for place in index.always:
                yield place, index, hits

    def read(self, pieces: Sequence[ScannedPiece]) -> Iterable[tuple[int, KeyIndex, Hits]]:
        """The entries that new pieces may concern."""
        for index, hits in self.indexes:
            for place in index.read(pieces, hits):
                yield place, index, hits


class _Scanner:
    """The course of one scan: passes until nothing new can fire."""

    def __init__(self, question: Scan) -> None:
        self._scan = question
        data = question.scan_data
        self._names = MacroNames(
            question.user,
            question.char,
            data.persona_description,
            data.character_description,
            data.character_personality,
            data.scenario,
            data.character_depth_prompt,
            data.creator_notes,
        )
        self._readers = [_Reader(shelf, self._names) for shelf in shelved(question)]
        self._told: dict[int, str | None] = {}
        self._text = self._scanned_text()
        self._effects = RunningEffects(question.timed, len(question.chat), self._by_hash, question.dry_run)
        self._on = PassOccasion(question, self._text, self._effects, self._names)
        self._active: dict[str, ScanCandidate] = {}
        self._activations: dict[int, Activation] = {}
        self._left_out: dict[int, LeftOut] = {}
        self._failed: set[int] = set()
        self._passes: list[ScanPass] = []
        self._levels = self._delay_levels()
        self._spending = Spending(question.count, budget_of(question.settings))
        self._overflow = False
        self._fed = 0

    def run(self) -> ScanResult:
        """The result of the scan."""
        if not any(self._has_entries(reader) for reader in self._readers):
            return self._result(ran=False)
        self._feed_all()
        self._on.level = self._levels.pop(0)[1] if self._levels else 0.0
        steps = self._scan.settings.max_recursion_steps
        state: PassState | None = "initial"
        while state is not None and not (steps and len(self._passes) >= steps):
            self._on.state = state
            state = self._pass(state)
        return self._result(ran=True)

    def _has_entries(self, reader: _Reader) -> bool:
        return any(self._may_tell(entry) is not None for entry in reader.shelf.book.entries)

    def _may_tell(self, entry: CompiledEntry) -> str | None:
        key = id(entry)
        if key not in self._told:
            self._told[key] = self._scan.told(entry)
        return self._told[key]

    def _by_hash(self, fingerprint: str) -> CompiledEntry | None:
        for reader in self._readers:
            entry = reader.shelf.book.by_hash(fingerprint)
            if entry is not None and self._may_tell(entry) is not None:
                return entry
        return None

    def _delay_levels(self) -> list[tuple[str, float]]:
        """The levels of delayed recursion, rising; "1" and 1 are two, `true` is 1."""
        levels: dict[tuple[str, float], None] = {}
        entries = [
            (reader.shelf.rank(entry), entry)
            for reader in self._readers
            for entry in reader.shelf.book.waiting
        ]
        for _, entry in sorted(entries, key=lambda ranked: ranked[0]):
            if entry.waits and self._may_tell(entry) is not None:
                raw = entry.raw.get("delayUntilRecursion")
                is_number = raw is True or strict_number(raw) is not None
                levels["" if is_number else text_of(raw), entry.delay_level] = None
        return sorted(levels, key=lambda level: level[1])

    def _scanned_text(self) -> ScannedText:
        question = self._scan
        chat = [
            f"{message.name}: {message.mes}" if question.settings.include_names else message.mes
            for message in question.chat[-1_000:]
        ]
        names = self._names
        sources = (
            names.persona,
            names.description,
            names.personality,
            names.depth_prompt,
            names.scenario,
            names.creator_notes,
        )
        injections = (substituted(item.value, names) for item in question.injections if item.scan)
        return ScannedText(
            [trimmed(text) if text else "" for text in chat], sources, [i for i in injections if i]
        )

    # -- what is looked at -----------------------------------------------------------------------

    def _feed_all(self) -> None:
        for reader in self._readers:
            for place, index, hits in reader.standing():
                self._consider(reader, place, index, hits)
        for entry in self._effects.sticky.values():
            for reader in self._readers:
                if reader.shelf.book.by_hash(entry.hash) is entry:
                    self._consider_sticky(reader, entry)
        own = max((reader.shelf.book.depth for reader in self._readers), default=0)
        self._fed = max(self._scan.settings.scan_depth, int(own), 0)
        wanted = {place for reader in self._readers for place in reader.shelf.book.sources}
        self._feed(
            [
                *self._text.chat[: self._fed],
                *(piece for place, piece in self._text.sources.items() if place in wanted),
                *self._text.injections,
            ]
        )

    def _feed(self, pieces: Sequence[ScannedPiece]) -> None:
        for reader in self._readers:
            for place, index, hits in reader.read(pieces):
                self._consider(reader, place, index, hits)

    def _consider_sticky(self, reader: _Reader, entry: CompiledEntry) -> None:
        for index, hits in reader.indexes:
            if entry.index in index.keys:
                self._consider(reader, entry.index, index, hits)
                return
        self._consider(reader, entry.index, None, {})

    def _consider(self, reader: _Reader, place: int, index: KeyIndex | None, hits: Hits) -> None:
        entry = reader.shelf.book.entries[place]
        content = self._may_tell(entry)
        if content is not None and id(entry) not in self._on.candidates:
            self._on.candidates[id(entry)] = ScanCandidate(
                entry, reader.shelf.rank(entry), index, hits, content
            )

    # -- one pass --------------------------------------------------------------------------------

    def _pass(self, state: PassState) -> PassState | None:
        number = len(self._passes) + 1
        new = self._new_entries(number)
        kept = one_of_each_group(
            new,
            (candidate.entry for candidate in self._active.values()),
            self._on,
            lambda name: roll(self._scan.seed, "group", name, number),
        )
        staying = set(map(id, kept))
        for entry in new:
            if id(entry) not in staying:
                self._leave_out(entry, number, GROUP.code)
        accepted = self._accept(kept, number)
        self._passes.append(ScanPass(state, tuple(accepted)))
        feeding = [
            self._on.candidates[id(entry)]
            for entry in kept
            if id(entry) not in self._failed and not entry.prevents_recursion
        ]
        following = self._next_state(state, bool(feeding))
        if following is not None:
            text = "\n".join(candidate.content for candidate in feeding)
            if text:
                self._spending.keep(candidate.content for candidate in feeding)
                self._feed([self._text.add_recursion(text)])
        return following

    def _new_entries(self, number: int) -> list[CompiledEntry]:
        on = self._on
        on.hits.clear()
        found = []
        for place, (key, candidate) in enumerate(on.candidates.items()):
            if place % _CHECKED == 0:
                self._scan.check()
            entry = candidate.entry
            if key in self._failed or entry.slot in self._active:
                continue
            if not entry.is_readable:
                self._leave_out(entry, number, UNREADABLE.code)
                continue
            rule = judge(entry, on)
            if rule.admits:
                found.append((not on.is_sticky(entry), candidate.rank, entry, rule.reason.code))
            elif key in on.timed_out:
                self._leave_out(entry, number, PATTERN_TIMEOUT.code, on.timed_out[key])
            else:
                self._leave_out(entry, number, rule.reason.code)
        found.sort(key=lambda item: item[:2])
        self._reasons = {id(entry): reason for _, _, entry, reason in found}
        return [entry for _, _, entry, _ in found]

    def _leave_out(self, entry: CompiledEntry, number: int, reason: str, detail: str | None = None) -> None:
        self._left_out[id(entry)] = LeftOut(entry, number, reason, self._on.hits.get(id(entry)), detail)

    def _accept(self, entries: list[CompiledEntry], number: int) -> list[CompiledEntry]:
        accepted: dict[str, CompiledEntry] = {}
        self._spending.begin_pass()
        for entry in entries:
            if self._overflow and not entry.ignores_budget:
                self._leave_out(entry, number, OVER_BUDGET.code)
                continue
            if not self._comes_true(entry, number):
                self._failed.add(id(entry))
                self._leave_out(entry, number, PROBABILITY.code)
                continue
            candidate = self._on.candidates[id(entry)]
            candidate.content = substituted(candidate.content, self._names)
            if entry.ignores_budget:
                self._spending.add(candidate.content)
            elif not self._spending.fits(candidate.content):
                self._overflow = True
                self._leave_out(entry, number, OVER_BUDGET.code)
                continue
            self._activate(candidate, number)
            accepted[entry.slot] = entry
        return list(accepted.values())

    def _comes_true(self, entry: CompiledEntry, number: int) -> bool:
        chance = entry.probability
        if chance == 100 or self._on.is_sticky(entry):
            return True
        return roll(self._scan.seed, "probability", entry.slot, number) * 100 <= chance

    def _activate(self, candidate: ScanCandidate, number: int) -> None:
        entry = candidate.entry
        replaced = self._active.get(entry.slot)
        if replaced is not None:
            self._activations.pop(id(replaced.entry), None)
            self._leave_out(replaced.entry, number, SAME_UID.code)
        self._active[entry.slot] = candidate
        self._left_out.pop(id(entry), None)
        self._activations[id(entry)] = Activation(
            entry,
            number,
            self._reasons[id(entry)],
            self._on.hits.get(id(entry)),
            candidate.content,
            self._scan.count(candidate.content),
        )

    def _next_state(self, state: PassState, feeds: bool) -> PassState | None:
        settings = self._scan.settings
        if not self._overflow:
            if settings.recursive and (feeds or (state == "minActivations" and self._text.recursion)):
                return "recursion"
            if len(self._active) < settings.min_activations and not self._is_deep_enough():
                self._on.skew += 1
                if self._on.depth > self._fed:
                    self._feed(self._text.chat[self._fed : self._on.depth])
                    self._fed = self._on.depth
                return "minActivations"
        if self._levels:
            self._on.level = self._levels.pop(0)[1]
            return "recursion"
        return None

    def _is_deep_enough(self) -> bool:
        deepest = self._scan.settings.min_activations_depth_max
        depth = self._on.depth
        return (deepest > 0 and depth > deepest) or depth > len(self._scan.chat)

    # -- the answer ------------------------------------------------------------------------------

    def _result(self, ran: bool) -> ScanResult:
        active = [(candidate.entry, candidate.content) for candidate in self._active.values()]
        places = placed(active)
        return ScanResult(
            activated=tuple(self._activations[id(entry)] for entry, _ in active),
            left_out=tuple(self._left_out.values()),
            passes=tuple(self._passes),
            budget=self._spending.budget if ran else None,
            overflow=self._overflow,
            timed=self._effects.after(entry for entry, _ in active),
            seed=self._scan.seed,
            before="\n".join(places.texts("before")),
            after="\n".join(places.texts("after")),
            an_top=places.texts("an_top"),
            an_bottom=places.texts("an_bottom"),
            em_top=places.texts("em_top"),
            em_bottom=places.texts("em_bottom"),
            at_depth=places.blocks(),
            outlets={name: tuple(texts) for name, texts in places.outlets.items()},
        )
