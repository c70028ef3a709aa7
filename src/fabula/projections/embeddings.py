"""The embeddings of a story's texts, kept up to date from the change log.

A run reads the story once, embeds every text whose embedding is missing or outdated, and writes in small
batches. After a run is killed or cancelled, the next one resumes. When two runs, even in different
processes, work on one story, the one with the newer view wins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple, TypeVar

from fabula.llm.embedder import Embedder
from fabula.projections.projection import NOWHERE, ProjectionProgress, catch_up, unheeded
from fabula.projections.text_sources import EVERYTHING, SOURCES, Discretion, Shown, TextSource
from fabula.store import kinds
from fabula.store.changes import Changes
from fabula.store.failures import repeatable
from fabula.store.reader import Edition, Reader
from fabula.store.rowkind import RowKind
from fabula.store.store import Store
from fabula.store.vector_reader import VectorKey
from fabula.store.vectors import Claim, NewVector

BATCH = 64
# Beyond this many changes, comparing all texts is faster than following the log.
FOLLOWED_CHANGES = 5_000

T = TypeVar("T")


class OwnText(NamedTuple):
    """A text and its owner."""

    key: VectorKey
    text: str


class Refreshed(NamedTuple):
    """What a run did; `complete` is False if it was stopped before every text had its embedding."""

    embedded: int
    dropped: int
    complete: bool


class _Plan(NamedTuple):
    """What must be done to fulfil a claim."""

    claim: Claim
    missing: Sequence[OwnText]
    gone: Sequence[VectorKey]


class Vectors:
    """The embeddings of all texts of stories, made by one embedder; counts what it has done."""

    name = "vectors"
    most_changes = FOLLOWED_CHANGES
    waived = frozenset(
        {
            kinds.BOOK,
            kinds.CHAPTER,
            kinds.EVIDENCE,
            kinds.KNOWING,
            kinds.THREAD,
            kinds.ONTOLOGY,
            kinds.PENDING_RELATION,
            kinds.PROPOSAL,
            kinds.RELATION,
            kinds.RELATION_TYPE,
            kinds.REVEAL,
            kinds.SNAPSHOT,
            kinds.STATE,
            kinds.WAIVER,
        }
    )

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        sources: Sequence[TextSource] = SOURCES,
        discretion: Discretion = EVERYTHING,
    ) -> None:
        self._store, self._embedder, self._sources = store, embedder, sources
        self._discretion = discretion
        self.kinds = discretion.decisive.union(*(source.follows for source in sources))
        self.embedded = self.dropped = 0

    def position(self, story: str) -> Edition:
        """Return the edition up to which every text has an embedding from this embedder's model."""
        self._know_dimensions()
        with self._store.read() as reader:
            current, began = reader.vectors.set_of(story), reader.edition(story).began
        wanted = (self._embedder.model, _kinds(self._sources, self._discretion))
        is_ours = current is not None and (current.model, current.kinds) == wanted
        return Edition(began, current.revision) if current is not None and is_ours else NOWHERE

    def apply(self, story: str, changes: Changes, report: ProjectionProgress = unheeded) -> bool:
        """Embed the texts that changed; False if the report said to stop."""
        reader = changes.reader
        current, claim = reader.vectors.set_of(story), self._claim(reader, story)
        is_decided_anew = any(True for _ in changes.touched(self._discretion.decisive))
        if current is None or current[:3] != claim[:3] or is_decided_anew:
            changes.release()
            return self.rebuild(story, report)
        with self._discretion.opened(reader, story) as shown:
            known, texts = _changed(_Telling(reader, story, shown), changes, self._sources)
        changes.release()
        return self._carry_out(story, _plan(claim, known, texts), report)

    def rebuild(self, story: str, report: ProjectionProgress = unheeded) -> bool:
        """Compare all texts with their embeddings and make the missing ones; False if told to stop."""
        self._know_dimensions()
        with self._store.read() as reader, self._discretion.opened(reader, story) as shown:
            claim, current = self._claim(reader, story), reader.vectors.set_of(story)
            telling = _Telling(reader, story, shown)
            of_same_model = current is not None and current[:2] == claim[:2]
            known = reader.vectors.hashes(story) if of_same_model else {}
            texts = _by_key(own for source in self._sources for own in telling.texts(source, None))
        return self._carry_out(story, _plan(claim, known, texts), report)

    def _know_dimensions(self) -> None:
        """Find out the dimensions, which may take a request, before opening a transaction."""
        _ = self._embedder.dimensions

    def _claim(self, reader: Reader, story: str) -> Claim:
        model = self._embedder.model, self._embedder.dimensions
        return Claim(*model, _kinds(self._sources, self._discretion), reader.story(story).revision)

    def _carry_out(self, story: str, plan: _Plan, report: ProjectionProgress) -> bool:
        run = _Run(self._store, story, self._embedder, plan, self._discretion)
        try:
            return run.go(report)
        finally:
            self.embedded, self.dropped = self.embedded + run.embedded, self.dropped + run.dropped


def bring_up_to_date(
    store: Store,
    project_id: str,
    embedder: Embedder,
    report: ProjectionProgress = unheeded,
    *,
    sources: Sequence[TextSource] = SOURCES,
    discretion: Discretion = EVERYTHING,
) -> Refreshed:
    """Embed every text with the embedder's model, and drop the embeddings of deleted texts.

    Raises NotFound if there is no such story. No lock or transaction is held while the embedder works.
    """
    vectors = Vectors(store, embedder, sources, discretion)
    complete = True
    while complete and not _is_done(store, project_id, embedder.model, sources, discretion):
        complete = catch_up(store, vectors, project_id, report)
    return Refreshed(vectors.embedded, vectors.dropped, complete)


def is_up_to_date(
    reader: Reader,
    project_id: str,
    model: str,
    sources: Sequence[TextSource] = SOURCES,
    discretion: Discretion = EVERYTHING,
) -> bool:
    """Whether every text of a story has an up-to-date embedding."""
    revision = reader.story(project_id).revision
    current = reader.vectors.set_of(project_id)
    wanted = (model, _kinds(sources, discretion), revision)
    return current is not None and (current.model, current.kinds, current.revision) == wanted


def text_hash(text: str) -> bytes:
    """Return the hash that tells whether a text is still the one that was embedded."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _kinds(sources: Sequence[TextSource], discretion: Discretion) -> str:
    kinds = ",".join(sorted(source.kind for source in sources))
    return f"{kinds};{discretion.name}" if discretion.name else kinds


def _is_done(
    store: Store, project_id: str, model: str, sources: Sequence[TextSource], discretion: Discretion
) -> bool:
    with store.read() as reader:
        return is_up_to_date(reader, project_id, model, sources, discretion)


def _plan(claim: Claim, known: Mapping[VectorKey, bytes], texts: Mapping[VectorKey, OwnText]) -> _Plan:
    """Compare the texts with the known hashes to find out what must be done."""
    missing = [own for own in texts.values() if known.get(own.key) != text_hash(own.text)]
    return _Plan(claim, missing, [key for key in known if key not in texts])


def _is_decided_anew(reader: Reader, project_id: str, revision: int, discretion: Discretion) -> bool:
    """Whether the visible part of any text may have changed since this revision."""
    names = [kind.name for kind in discretion.decisive]
    return bool(names) and any(True for _ in reader.log.touched_since(project_id, revision, names))


class _Telling:
    """The texts of a story, as an embedder may see them."""

    def __init__(self, reader: Reader, project_id: str, shown: Shown) -> None:
        self.reader, self.project_id, self._shown = reader, project_id, shown

    def texts(self, source: TextSource, owners: Collection[str] | None) -> Iterator[OwnText]:
        """Yield the visible texts of these owners; a text in parts is redacted as a whole."""
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
    """Return the visible part of a text without the gaps left by redaction."""
    return text if told == text else " ".join(told.split())


def _changed(
    telling: _Telling, changes: Changes, sources: Sequence[TextSource]
) -> tuple[dict[VectorKey, bytes], dict[VectorKey, OwnText]]:
    """Return the stored hashes and the current texts of the owners that changed."""
    reader, project_id = telling.reader, telling.project_id
    followed = frozenset[RowKind]().union(*(source.follows for source in sources))
    rows = list(changes.results(followed))
    known: dict[VectorKey, bytes] = {}
    texts: dict[VectorKey, OwnText] = {}
    for source in sources:
        own = [row for row in rows if row.kind in source.follows]
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

    def go(self, report: ProjectionProgress) -> bool:
        """Embed and write until the plan is done or a newer one exists; False if it was stopped."""
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
        """Claim the story's embeddings and drop those of deleted texts; False if a run has a newer view."""
        with self._store.write_vectors(self._project_id) as vectors:
            if not vectors.claim(claim):
                return False
            if gone:
                vectors.put((), gone)
        self.dropped = len(gone)
        return True

    @repeatable
    def _kept(self, claim: Claim, made: Collection[NewVector]) -> bool:
        """Store embeddings; False if the claim no longer holds."""
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
        """Whether a text that is still to be embedded may have become secret."""
        if not self._discretion.decisive:
            return False
        with self._store.read() as reader:
            return _is_decided_anew(reader, self._project_id, claim.revision, self._discretion)

    def _superseded(self) -> bool:
        """Whether another model now owns the story's embeddings: two models must not alternate."""
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
