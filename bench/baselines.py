"""What one would write without Fabula: plain SQLite tables, networkx, a recursive CTE, a scan by key."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import networkx as nx

NOW = "2025-01-01T00:00:00.000000Z"
CAP = 2000

# The tables, columns and indexes of the KG document; the foreign keys are what its rules imply.
_SCHEMA = """
CREATE TABLE kg_entities(id TEXT PRIMARY KEY, project_id TEXT, type TEXT, name TEXT, description TEXT,
  attributes_json TEXT, version INTEGER, created_at TEXT, updated_at TEXT);
CREATE INDEX idx_kg_entities_project ON kg_entities(project_id);
CREATE INDEX idx_kg_entities_project_type ON kg_entities(project_id, type);
CREATE INDEX idx_kg_entities_project_name ON kg_entities(project_id, name);
CREATE TABLE kg_relations(id TEXT PRIMARY KEY, project_id TEXT,
  source_entity_id TEXT REFERENCES kg_entities(id), target_entity_id TEXT REFERENCES kg_entities(id),
  relation_type TEXT, description TEXT, created_at TEXT);
CREATE INDEX idx_kg_relations_project ON kg_relations(project_id);
CREATE INDEX idx_kg_relations_source ON kg_relations(project_id, source_entity_id);
CREATE INDEX idx_kg_relations_target ON kg_relations(project_id, target_entity_id);
"""

_CTE = """
WITH RECURSIVE near(id, depth) AS (
  SELECT :start, 0
  UNION
  SELECT r.target_entity_id, near.depth + 1 FROM near JOIN kg_relations r
    ON r.project_id = :story AND r.source_entity_id = near.id WHERE near.depth < :hops
  UNION
  SELECT r.source_entity_id, near.depth + 1 FROM near JOIN kg_relations r
    ON r.project_id = :story AND r.target_entity_id = near.id WHERE near.depth < :hops
)
SELECT id FROM near GROUP BY id ORDER BY min(depth) LIMIT :cap
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection in the state Fabula's own are in."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-65536"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def entity_rows(story: str, entities: Iterable[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Entities as rows."""
    return [
        (e["id"], story, e["type"], e["name"], e["description"], _json(e["attributes"]), 1, NOW, NOW)
        for e in entities
    ]


def relation_rows(story: str, relations: Iterable[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Relations as rows."""
    return [
        (
            r["id"],
            story,
            r["sourceEntityId"],
            r["targetEntityId"],
            r["relationType"],
            r.get("description", ""),
            NOW,
        )
        for r in relations
    ]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class PlainSqlite:
    """The KG document's tables, one transaction for each write, nothing else."""

    def __init__(self, path: Path, story: str) -> None:
        self.connection = connect(path)
        self.story = story

    def create_tables(self) -> None:
        """Begin with empty tables."""
        self.connection.executescript(_SCHEMA)

    def load(self, entities: list[tuple[Any, ...]], relations: list[tuple[Any, ...]]) -> None:
        """Insert rows that are ready, all in one transaction."""
        run = self.connection
        run.execute("BEGIN IMMEDIATE")
        run.executemany(f"INSERT INTO kg_entities VALUES ({','.join('?' * 9)})", entities)
        run.executemany(f"INSERT INTO kg_relations VALUES ({','.join('?' * 7)})", relations)
        run.execute("COMMIT")

    def create(self, entity: dict[str, Any]) -> None:
        """Insert an entity."""
        self.load(entity_rows(self.story, [entity]), [])

    def relate(self, relation: dict[str, Any]) -> None:
        """Insert a relation."""
        self.load([], relation_rows(self.story, [relation]))

    def read(self, key: str) -> dict[str, Any]:
        """One entity by id, its attributes parsed."""
        cursor = self.connection.execute("SELECT * FROM kg_entities WHERE id = ?", (key,))
        entity = dict(zip((c[0] for c in cursor.description), cursor.fetchone(), strict=True))
        return {**entity, "attributes": json.loads(entity["attributes_json"])}

    def update(self, key: str, description: str) -> None:
        """Change a description if the version is still the one that was read."""
        run = self.connection
        run.execute("BEGIN IMMEDIATE")
        (version,) = run.execute("SELECT version FROM kg_entities WHERE id = ?", (key,)).fetchone()
        run.execute(
            "UPDATE kg_entities SET description = ?, version = version + 1, updated_at = ?"
            " WHERE id = ? AND version = ?",
            (description, NOW, key, version),
        )
        run.execute("COMMIT")

    def delete(self, key: str) -> None:
        """Delete an entity and its relations."""
        run = self.connection
        run.execute("BEGIN IMMEDIATE")
        for end in ("source", "target"):
            run.execute(
                f"DELETE FROM kg_relations WHERE project_id = ? AND {end}_entity_id = ?", (self.story, key)
            )
        run.execute("DELETE FROM kg_entities WHERE id = ?", (key,))
        run.execute("COMMIT")

    def page(self, limit: int) -> tuple[list[Any], int]:
        """The entities changed last, and how many there are."""
        query = "FROM kg_entities WHERE project_id = ?"
        rows = self.connection.execute(
            f"SELECT * {query} ORDER BY updated_at DESC, id LIMIT ?", (self.story, limit)
        ).fetchall()
        (total,) = self.connection.execute(f"SELECT count(*) {query}", (self.story,)).fetchone()
        return rows, total

    def search(self, keyword: str, limit: int) -> tuple[list[Any], int]:
        """The entities whose name or description has a word, and how many there are."""
        query = "FROM kg_entities WHERE project_id = ? AND (name LIKE ? OR description LIKE ?)"
        wanted = (self.story, f"%{keyword}%", f"%{keyword}%")
        rows = self.connection.execute(
            f"SELECT * {query} ORDER BY updated_at DESC, id LIMIT ?", (*wanted, limit)
        ).fetchall()
        (total,) = self.connection.execute(f"SELECT count(*) {query}", wanted).fetchone()
        return rows, total

    def subgraph(self, start: str, hops: int) -> tuple[list[Any], list[Any]]:
        """Whole rows around an entity: the ids by a recursive CTE, then the rows of both tables."""
        run = self.connection
        given = {"start": start, "story": self.story, "hops": hops, "cap": CAP}
        ids = json.dumps([key for (key,) in run.execute(_CTE, given)])
        among = "IN (SELECT value FROM json_each(:ids))"
        known = {"ids": ids, "story": self.story}
        entities = run.execute(f"SELECT * FROM kg_entities WHERE id {among}", known).fetchall()
        relations = run.execute(
            f"SELECT * FROM kg_relations WHERE project_id = :story"
            f" AND source_entity_id {among} AND +target_entity_id {among}",
            known,
        ).fetchall()
        return entities, relations


class Networkx:
    """The whole graph as networkx holds it, every row a dict on its node or edge, all in memory."""

    def __init__(self, plain: PlainSqlite) -> None:
        plain.connection.row_factory = sqlite3.Row
        self.both_ways: Any = nx.MultiGraph()
        self.directed: Any = nx.MultiDiGraph()
        for row in plain.connection.execute("SELECT * FROM kg_entities"):
            self.both_ways.add_node(row["id"], **dict(row))
            self.directed.add_node(row["id"])
        for row in plain.connection.execute("SELECT * FROM kg_relations"):
            ends = (row["source_entity_id"], row["target_entity_id"])
            self.both_ways.add_edge(*ends, **dict(row))
            self.directed.add_edge(*ends)
        plain.connection.row_factory = None

    def subgraph(self, start: str, hops: int) -> tuple[list[Any], list[Any]]:
        """The ego graph within some hops, the nearest 2,000 of it, as lists of dicts."""
        near = nx.single_source_shortest_path_length(self.both_ways, start, cutoff=hops)
        ego = self.both_ways.subgraph(list(near)[:CAP]).copy()
        return list(ego.nodes(data=True)), list(ego.edges(data=True))

    def path(self, source: str, target: str) -> list[str]:
        """The ids on a shortest way, searched from both ends."""
        try:
            return list(nx.bidirectional_shortest_path(self.both_ways, source, target))
        except nx.NetworkXNoPath:
            return []

    def cycles(self) -> list[list[str]]:
        """One cycle for each strongly connected component."""
        found = []
        for part in nx.strongly_connected_components(self.directed):
            if len(part) > 1:
                edges = nx.find_cycle(self.directed.subgraph(part))
                found.append([*(edge[0] for edge in edges), edges[0][0]])
        return found


class KeyScan:
    """Relevance key by key, as the KG document's own program had it: every name and word, `in` the text."""

    _TOKEN = re.compile(r"[\w]{2,}")

    def __init__(self, path: Path) -> None:
        columns = "id, name, aliases_json, description, attributes_json"
        rows = connect(path).execute(f"SELECT {columns} FROM kg_entities").fetchall()
        self.entities = [
            (
                key,
                [name.lower(), *(alias.lower() for alias in json.loads(aliases))],
                self._tokens(f"{text} {' '.join(map(str, json.loads(attributes).values()))}"),
            )
            for key, name, aliases, text, attributes in rows
        ]

    def relevant(self, text: str, limit: int) -> list[tuple[int, str]]:
        """The ids with the highest scores: 100 for a name, 8 for each of the first 24 words."""
        text = text.lower()
        scored = []
        for key, names, tokens in self.entities:
            score = 100 if any(name in text for name in names) else 0
            score += 8 * sum(1 for token in tokens if token in text)
            if score:
                scored.append((-score, key))
        return sorted(scored)[:limit]

    def _tokens(self, text: str) -> list[str]:
        return self._TOKEN.findall(text.lower())[:24]
