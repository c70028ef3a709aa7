"""The vectors of a story's texts, brought up to date from the change log.

A run looks at the story once, embeds what has no vector of its present text, and writes in small batches.
Killed or cancelled, the next run goes on where it was. Two runs on one story, even of two processes, give
way to the one with the newer view.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple, TypeVar

import orjson

from fabula.index.passages import passages
from fabula.llm.embedder import Embedder
from fabula.store.failures import repeatable
from fabula.store.reader import Reader
from fabula.store.store import Store
from fabula.store.vector_reader import VectorKey, VectorSet
from fabula.store.vectors import Claim, NewVector

BATCH = 64
# Beyond this many changes, comparing all texts is quicker than following.
FOLLOWED_CHANGES = 5_000

# Told how many texts of how many are embedded; False if the run is to stop.
Report = Callable[[int, int], bool]
T = TypeVar("T")


class OwnText(NamedTuple):
    """A text with whose it is."""

    key: VectorKey
    text: str


class RowChange(NamedTuple):
    """A change of a row as the log has it; `after_json` is None if the row went."""

    kind: str
    row_id: str
    after_json: str | None


Owners = Callable[[Reader, str, Sequence[RowChange]], Collection[str]]
Texts = Callable[[Reader, str, Collection[str] | None], Iterable[tuple[str, int, str]]]


@dataclass(frozen=True, slots=True)
class TextSource:
    """Texts of one kind of owner.

    `texts` gives (id of the owner, part, text) for a whole story, or for some owners. `follows` are the kinds
    of rows in the change log that the texts depend on, `owners` whose texts their changes may have changed.
    """

    kind: str
    texts: Texts
    follows: tuple[str, ...]
    owners: Owners


def rows_of_kind(kind: str, texts: Texts) -> TextSource:
    """Texts that depend on nothing but one row each, of this kind."""
    return TextSource(kind, texts, (kind,), lambda reader, project_id, changes: {c.row_id for c in changes})


def _entity_texts(
    reader: Reader, project_id: str, ids: Collection[str] | None
) -> Iterator[tuple[str, int, str]]:
    return ((key, 0, text) for key, text in reader.vectors.entity_texts(project_id, ids))


def _entry_texts(
    reader: Reader, project_id: str, ids: Collection[str] | None
) -> Iterator[tuple[str, int, str]]:
    return ((key, 0, text) for key, text in reader.vectors.entry_texts(project_id, ids))


def _retold_entities(reader: Reader, project_id: str, changes: Sequence[RowChange]) -> set[str]:
    """The changed entities, and the events whose text names them or depends on another row that changed."""
    changed = {change.row_id for change in changes if change.kind == "entity"}
    retold = {change.row_id for change in changes if change.kind == "event"}
    roles = [change for change in changes if change.kind == "event_role"]
    images = [role.after_json for role in roles if role.after_json is not None]
    gone = [role.row_id for role in roles if role.after_json is None]
    if gone:
        images += [
            before for kind, _, before in reader.log.removals_of(project_id, gone) if kind == "event_role"
        ]
    retold |= {orjson.loads(image)["event_id"] for image in images}
    if any(change.kind == "story" for change in changes):
        retold.update(reader.events.all_ids(project_id))
    return changed | retold | reader.events.event_ids_of(project_id, changed)


def _passage_texts(
    reader: Reader, project_id: str, ids: Collection[str] | None
) -> Iterator[tuple[str, int, str]]:
    for key, text in reader.vectors.scene_texts(project_id, ids):
        for part, (start, end) in enumerate(passages(text)):
            yield key, part, text[start:end]


ENTITIES = TextSource("entity", _entity_texts, ("entity", "event", "event_role", "story"), _retold_entities)
CUSTOM_ENTRIES = rows_of_kind("entry", _entry_texts)
SCENES = rows_of_kind("scene", _passage_texts)
SOURCES = (ENTITIES, CUSTOM_ENTRIES, SCENES)


# What is shown of a text of this kind and owner: nothing, or a text of the same length, with blanks.
Shown = Callable[[str, str, str], str]


@dataclass(frozen=True, slots=True)
class Discretion:
    """What is withheld from an embedder.

    `name` stands with the vectors that were made so: they are not those of another discretion. What is shown
    of any text may change with rows of the kinds that are `decisive`.
    """

    name: str
    opened: Callable[[Reader, str], AbstractContextManager[Shown]]
    decisive: tuple[str, ...]


EVERYTHING = Discretion("", lambda reader, project_id: nullcontext(lambda kind, owner, text: text), ())


class Refreshed(NamedTuple):
    """What a run did; `complete` if every text has its vector now, False if it was stopped."""

    embedded: int
    dropped: int
    complete: bool


class _Plan(NamedTuple):
    """What is to be done for the vectors to be those of a claim."""

    claim: Claim
    missing: Sequence[OwnText]
    gone: Sequence[VectorKey]


def bring_up_to_date(
    store: Store,
    project_id: str,
    embedder: Embedder,
    report: Report = lambda done, total: True,
    *,
    sources: Sequence[TextSource] = SOURCES,
    discretion: Discretion = EVERYTHING,
) -> Refreshed:
    """Give every text its vector of the embedder's model, and drop the vectors of texts that are gone.

    NotFound if there is no such story. Nothing of the story is held while the embedder works.
    """
    embedded = dropped = 0
    while not _is_done(store, project_id, embedder.model, sources, discretion):
        plan = _plan(store, project_id, (embedder.model, embedder.dimensions), sources, discretion)
        run = _Run(store, project_id, embedder, plan, discretion)
        going = run.go(report)
        embedded, dropped = embedded + run.embedded, dropped + run.dropped
        if not going:
            return Refreshed(embedded, dropped, complete=False)
    return Refreshed(embedded, dropped, complete=True)


def is_up_to_date(
    reader: Reader,
    project_id: str,
    model: str,
    sources: Sequence[TextSource] = SOURCES,
    discretion: Discretion = EVERYTHING,
) -> bool:
    """Whether every text of a story has its vector."""
    revision = reader.story(project_id).revision
    current = reader.vectors.set_of(project_id)
    wanted = (model, _kinds(sources, discretion), revision)
    return current is not None and (current.model, current.kinds, current.revision) == wanted


def text_hash(text: str) -> bytes:
    """What tells whether a text is still the one that a vector was made of."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _kinds(sources: Sequence[TextSource], discretion: Discretion) -> str:
    kinds = ",".join(sorted(source.kind for source in sources))
    return f"{kinds};{discretion.name}" if discretion.name else kinds


def _is_done(
    store: Store, project_id: str, model: str, sources: Sequence[TextSource], discretion: Discretion
) -> bool:
    with store.read() as reader:
        return is_up_to_date(reader, project_id, model, sources, discretion)


def _plan(
    store: Store,
    project_id: str,
    model: tuple[str, int],
    sources: Sequence[TextSource],
    discretion: Discretion,
) -> _Plan:
    """What is to be done now."""
    with store.read() as reader, discretion.opened(reader, project_id) as shown:
        telling = _Telling(reader, project_id, shown)
        revision = reader.story(project_id).revision
        current = reader.vectors.set_of(project_id)
        claim = Claim(*model, _kinds(sources, discretion), revision)
        if current is not None and _can_follow(reader, project_id, current, claim, discretion):
            known, texts = _changed_since(telling, current.revision, sources)
        else:
            of_same_model = current is not None and current[:2] == claim[:2]
            known = reader.vectors.hashes(project_id) if of_same_model else {}
            texts = _by_key(own for source in sources for own in telling.texts(source, None))
    missing = [own for own in texts.values() if known.get(own.key) != text_hash(own.text)]
    return _Plan(claim, missing, [key for key in known if key not in texts])


def _can_follow(
    reader: Reader, project_id: str, current: VectorSet, claim: Claim, discretion: Discretion
) -> bool:
    """Whether all but the changed texts have the right vectors already, and not too many changed."""
    return (
        current[:3] == claim[:3]
        and current.revision > 0
        and reader.log.change_count_since(project_id, current.revision) <= FOLLOWED_CHANGES
        and not _is_decided_anew(reader, project_id, current.revision, discretion)
    )


def _is_decided_anew(reader: Reader, project_id: str, revision: int, discretion: Discretion) -> bool:
    """Whether what is shown of any text may be another since then."""
    kinds = discretion.decisive
    return bool(kinds) and any(True for _ in reader.log.changes_since(project_id, revision, kinds))


class _Telling:
    """The texts of a story as an embedder is shown them."""

    def __init__(self, reader: Reader, project_id: str, shown: Shown) -> None:
        self.reader, self.project_id, self._shown = reader, project_id, shown

    def texts(self, source: TextSource, owners: Collection[str] | None) -> Iterator[OwnText]:
        """All that is shown of these owners; a text in parts is looked at as a whole."""
        found = source.texts(self.reader, self.project_id, owners)
        for owner, parts in groupby(found, key=itemgetter(0)):
            numbered = [(part, text) for _, part, text in parts]
            whole = "".join(text for _, text in numbered)
            shown = self._shown(source.kind, owner, whole)
            begin = 0
            for part, text in numbered:
                told, begin = shown[begin : begin + len(text)], begin + len(text)
                if told.strip():
                    yield OwnText(VectorKey(source.kind, owner, part), _joined(text, told))


def _joined(text: str, told: str) -> str:
    """What is told of a text, without the gaps where something was withheld."""
    return text if told == text else " ".join(told.split())


def _changed_since(
    telling: _Telling, revision: int, sources: Sequence[TextSource]
) -> tuple[dict[VectorKey, bytes], dict[VectorKey, OwnText]]:
    """The hashes that are kept and the texts that there are, of the owners that changed."""
    reader, project_id = telling.reader, telling.project_id
    followed = {kind for source in sources for kind in source.follows}
    changes = [RowChange(*row) for row in reader.log.changes_since(project_id, revision, tuple(followed))]
    known: dict[VectorKey, bytes] = {}
    texts: dict[VectorKey, OwnText] = {}
    for source in sources:
        own = [change for change in changes if change.kind in source.follows]
        owners = source.owners(reader, project_id, own) if own else ()
        known |= reader.vectors.hashes_of(project_id, source.kind, owners)
        texts |= _by_key(telling.texts(source, owners))
    return known, texts


def _by_key(texts: Iterable[OwnText]) -> dict[VectorKey, OwnText]:
    return {own.key: own for own in texts}


class _Run:
    """A plan being carried out."""

    def __init__(
        self, store: Store, project_id: str, embedder: Embedder, plan: _Plan, discretion: Discretion
    ) -> None:
        self._store, self._project_id, self._embedder, self._plan = store, project_id, embedder, plan
        self._discretion = discretion
        self.embedded = self.dropped = 0

    def go(self, report: Report) -> bool:
        """Embed and write until the plan is done or somebody has a newer one; False if it was stopped."""
        claim, missing, gone = self._plan
        if not self._claimed(claim, gone):
            return True
        if not report(0, len(missing)):
            return False
        for batch in _batches(missing, BATCH):
            if self._is_decided_anew(claim):
                return True
            if not self._kept(claim, self._made(batch)):
                return not self._superseded()
            self.embedded += len(batch)
            if not report(self.embedded, len(missing)):
                return False
        self._note_reached(claim)
        return True

    @repeatable
    def _claimed(self, claim: Claim, gone: Collection[VectorKey]) -> bool:
        """Set out, and drop what is gone; False if somebody has a newer view of the story."""
        with self._store.write_vectors(self._project_id) as vectors:
            if not vectors.claim(claim):
                return False
            if gone:
                vectors.put((), gone)
        self.dropped = len(gone)
        return True

    @repeatable
    def _kept(self, claim: Claim, made: Collection[NewVector]) -> bool:
        """Keep vectors; False if the claim no longer stands."""
        with self._store.write_vectors(self._project_id) as vectors:
            if not vectors.holds(claim):
                return False
            vectors.put(made)
        return True

    @repeatable
    def _note_reached(self, claim: Claim) -> None:
        with self._store.write_vectors(self._project_id) as vectors:
            if vectors.holds(claim):
                vectors.reached(claim)

    def _is_decided_anew(self, claim: Claim) -> bool:
        """Whether something of what is still to be shown may have become a secret."""
        if not self._discretion.decisive:
            return False
        with self._store.read() as reader:
            return _is_decided_anew(reader, self._project_id, claim.revision, self._discretion)

    def _superseded(self) -> bool:
        """Whether the story's vectors are now made with another model: two of them must not take turns."""
        with self._store.read() as reader:
            current = reader.vectors.set_of(self._project_id)
        return current is None or current.model != self._plan.claim.model

    def _made(self, batch: Sequence[OwnText]) -> list[NewVector]:
        rows = self._embedder.embed([own.text for own in batch], kind="document")
        return [NewVector(own.key, text_hash(own.text), row) for own, row in zip(batch, rows, strict=True)]


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
