"""Write embeddings in batches; the run with the newest view of the story wins."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, and_, bindparam, delete, insert, update

from fabula.store.dialect import insert_rows
from fabula.store.vector_reader import VectorKey, VectorReader, VectorSet
from fabula.store.vector_tables import embedding_sets, embeddings

_columns = embeddings.c
_DROP = delete(embeddings).where(
    and_(
        _columns.project_id == bindparam("story"),
        _columns.owner_kind == bindparam("kind"),
        _columns.owner_id == bindparam("owner"),
        _columns.part == bindparam("place"),
    )
)


class NewVector(NamedTuple):
    """An embedding, its key, and the hash of its text."""

    key: VectorKey
    text_hash: bytes
    vector: NDArray[np.float32]


def to_stored(vector: NDArray[np.float32]) -> bytes:
    """Encode an embedding in half precision, which changes a cosine by less than a thousandth."""
    return vector.astype("<f2").tobytes()


def from_stored(stored: bytes) -> NDArray[np.float32]:
    """Decode a stored embedding."""
    return np.frombuffer(stored, dtype="<f2").astype(np.float32)


class Claim(NamedTuple):
    """What a run makes: embeddings by one model, of a story's texts at a revision."""

    model: str
    dimensions: int
    kinds: str
    revision: int


class VectorWriter:
    """Changes the embeddings of a story inside one transaction."""

    def __init__(self, connection: Connection, project_id: str) -> None:
        self._connection = connection
        self._project_id = project_id
        self._reader = VectorReader(connection)

    def claim(self, claim: Claim) -> bool:
        """Claim the making of these embeddings, dropping those of another model.

        False if another run has claimed a newer view of the story: read it again.
        """
        current = self._reader.set_of(self._project_id)
        if current is None:
            fresh = VectorSet(*claim, revision=0, batch=0, dropped_in=0)
            self._connection.execute(
                insert(embedding_sets), {"project_id": self._project_id, **fresh._asdict()}
            )
        elif (current.model, current.dimensions) != (claim.model, claim.dimensions):
            self._connection.execute(delete(embeddings).where(_columns.project_id == self._project_id))
            batch = current.batch + 1
            self._change(VectorSet(*claim, revision=0, batch=batch, dropped_in=batch))
        elif current.aim > claim.revision:
            return False
        else:
            # No revision is reached until texts of new kinds have their embeddings, too.
            revision = current.revision if current.kinds == claim.kinds else 0
            self._change(VectorSet(*claim, revision, current.batch, current.dropped_in))
        return True

    def holds(self, claim: Claim) -> bool:
        """Whether a claim still holds: no run has claimed another model or a newer view since."""
        current = self._reader.set_of(self._project_id)
        return current is not None and current[:4] == claim

    def put(self, vectors: Collection[NewVector], gone: Collection[VectorKey] = ()) -> None:
        """Store embeddings, replacing those of the same keys, and drop those that are gone."""
        current = self._reader.set_of(self._project_id)
        assert current is not None
        batch = current.batch + 1
        replaced = [*gone, *(vector.key for vector in vectors)]
        if replaced:
            self._connection.execute(_DROP, [self._named(key) for key in replaced])
        if vectors:
            insert_rows(self._connection, embeddings, [self._row(vector, batch) for vector in vectors])
        dropped_in = batch if gone else current.dropped_in
        self._change(current._replace(batch=batch, dropped_in=dropped_in))

    def reached(self, claim: Claim) -> None:
        """Record that every text of a revision has its embedding."""
        current = self._reader.set_of(self._project_id)
        assert current is not None
        self._change(current._replace(revision=claim.revision))

    def _change(self, changed: VectorSet) -> None:
        own = embedding_sets.c.project_id == self._project_id
        self._connection.execute(update(embedding_sets).where(own), changed._asdict())

    def _named(self, key: VectorKey) -> dict[str, str | int]:
        return {"story": self._project_id, "kind": key.kind, "owner": key.owner, "place": key.part}

    def _row(self, vector: NewVector, batch: int) -> dict[str, str | int | bytes]:
        return {
            "project_id": self._project_id,
            "owner_kind": vector.key.kind,
            "owner_id": vector.key.owner,
            "part": vector.key.part,
            "text_hash": vector.text_hash,
            "vector": to_stored(vector.vector),
            "batch": batch,
        }
