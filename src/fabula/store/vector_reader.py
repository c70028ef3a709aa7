"""Read embeddings: which texts have one, by which model, and which are new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select

from fabula.store.dialect import any_of
from fabula.store.querying import Querying
from fabula.store.tables import kg_entities, lorebook_entries, scenes
from fabula.store.vector_tables import embedding_sets, embeddings


class VectorKey(NamedTuple):
    """The text of an embedding: kind and id of its owner, and part of its text."""

    kind: str
    owner: str
    part: int


class VectorSet(NamedTuple):
    """All embeddings of a story: the model, the kinds of texts, and the revision they follow.

    `aim` is the newest revision a run has claimed, `revision` the one that was reached. Each write increments
    `batch`; embeddings were last dropped in `dropped_in`.
    """

    model: str
    dimensions: int
    kinds: str
    aim: int
    revision: int
    batch: int
    dropped_in: int


_KEY = (embeddings.c.owner_kind, embeddings.c.owner_id, embeddings.c.part)


class VectorReader(Querying):
    """Reads the embeddings of all stories."""

    def set_of(self, project_id: str) -> VectorSet | None:
        """Return the story's set of embeddings; None if it never had any."""
        columns = [embedding_sets.c[name] for name in VectorSet._fields]
        query = select(*columns).where(embedding_sets.c.project_id == project_id)
        row = self.connection.execute(query).one_or_none()
        return None if row is None else VectorSet(*row)

    def hashes(self, project_id: str) -> dict[VectorKey, bytes]:
        """Return the hash of the text behind each embedding of the story."""
        return dict(self._hashes([embeddings.c.project_id == project_id]))

    def hashes_of(self, project_id: str, kind: str, owners: Iterable[str]) -> dict[VectorKey, bytes]:
        """Return these hashes for some owners of one kind."""
        columns = embeddings.c
        own = [columns.project_id == project_id, columns.owner_kind == kind]
        return dict(self._hashes([*own, any_of(columns.owner_id, owners)]))

    def counts(self, project_id: str) -> dict[str, int]:
        """Return the number of embeddings by kind of owner."""
        kind = embeddings.c.owner_kind
        query = select(kind, func.count()).where(embeddings.c.project_id == project_id).group_by(kind)
        return {row[0]: row[1] for row in self.connection.execute(query)}

    def keys(self, project_id: str, kind: str) -> set[VectorKey]:
        """Return the keys of all embeddings of one kind."""
        own = (embeddings.c.project_id == project_id, embeddings.c.owner_kind == kind)
        return {VectorKey(*row) for row in self.connection.execute(select(*_KEY).where(*own))}

    def since(self, project_id: str, batch: int) -> Iterator[tuple[VectorKey, bytes]]:
        """Yield the embeddings written after a batch, as stored."""
        columns = embeddings.c
        query = select(*_KEY, columns.vector).where(columns.project_id == project_id, columns.batch > batch)
        for *key, vector in self.connection.execute(query):
            yield VectorKey(*key), vector

    def entity_texts(self, project_id: str, ids: Iterable[str] | None = None) -> Iterable[Any]:
        """Return (id, prompt_text) of every entity, or of these."""
        columns = kg_entities.c
        query = select(columns.id, columns.prompt_text).where(columns.project_id == project_id)
        return self.connection.execute(query if ids is None else query.where(any_of(columns.id, ids)))

    def entry_texts(self, project_id: str, ids: Iterable[str] | None = None) -> Iterable[Any]:
        """Return (id, content) of every lorebook entry without an entity, or of those among these."""
        columns = lorebook_entries.c
        query = select(columns.id, columns.content).where(
            columns.project_id == project_id, columns.entity_id.is_(None)
        )
        return self.connection.execute(query if ids is None else query.where(any_of(columns.id, ids)))

    def scene_texts(self, project_id: str, ids: Iterable[str] | None = None) -> Iterable[Any]:
        """Return (id, text) of every scene, or of these."""
        columns = scenes.c
        query = select(columns.id, columns.text).where(columns.project_id == project_id)
        return self.connection.execute(query if ids is None else query.where(any_of(columns.id, ids)))

    def _hashes(self, conditions: list[ColumnElement[bool]]) -> Iterator[tuple[VectorKey, bytes]]:
        rows = self.connection.execute(select(*_KEY, embeddings.c.text_hash).where(*conditions))
        for *key, text_hash in rows:
            yield VectorKey(*key), text_hash
