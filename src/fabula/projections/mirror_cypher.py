"""Every statement that is said to a graph server; what is true of a story travels in parameters only.

Labels and types of relationships cannot be parameters. They are chosen from the closed lists below, and each
has its statement, made once when this file is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabula.model.ontology import DEFAULT_RELATION_TYPES, ENTITY_TYPES

# A type that an author invented has no label of its own beside `Entity`, and no type beside `RELATED_TO`.
NO_LABEL = "Entity"
OTHER_RELATION = "RELATED_TO"

LABELS: Mapping[str, str] = {kind: kind.capitalize() for kind in ENTITY_TYPES}
RELATION_TYPES: Mapping[str, str] = {word.key: word.key.upper() for word in DEFAULT_RELATION_TYPES} | {
    "owns": "POSSESSES"
}

CONSTRAINTS = (
    "CREATE CONSTRAINT fabula_story IF NOT EXISTS FOR (s:Story) REQUIRE s.storyId IS UNIQUE",
    "CREATE CONSTRAINT fabula_entity IF NOT EXISTS FOR (n:Entity) REQUIRE (n.storyId, n.id) IS UNIQUE",
    "CREATE INDEX fabula_name IF NOT EXISTS FOR (n:Entity) ON (n.storyId, n.name)",
)
AWAIT_INDEXES = "CALL db.awaitIndexes(10)"

# How far a story is mirrored: kept on a node, changed in the transaction that changes its graph.

POSITION = """
MATCH (s:Story {storyId: $storyId})
RETURN s.began AS began, s.revision AS revision, s.building AS building, s.shape AS shape
"""
POSITIONS = """
MATCH (s:Story)
RETURN s.storyId AS storyId, s.began AS began, s.revision AS revision, s.building AS building,
       s.shape AS shape
"""
# The write keeps everybody else who changes this story's graph waiting until the end of the transaction.
HOLD = """
MERGE (s:Story {storyId: $storyId})
ON CREATE SET s.began = '', s.revision = 0
SET s.held = timestamp()
RETURN s.began AS began, s.revision AS revision, s.building AS building, s.shape AS shape
"""
BUILDING = """
MATCH (s:Story {storyId: $storyId})
SET s.began = $began, s.revision = 0, s.building = $builder, s.shape = $shape
"""
REACHED = """
MATCH (s:Story {storyId: $storyId})
SET s.began = $began, s.revision = $revision, s.title = $title, s.shape = $shape REMOVE s.building
"""
FORGET_POSITION = "MATCH (s:Story {storyId: $storyId}) DELETE s"

# Changing a graph.

REMOVE_SOME = """
MATCH (n:Entity {storyId: $storyId}) WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS removed
"""
REMOVE_NODES = """
UNWIND $ids AS id MATCH (n:Entity {storyId: $storyId, id: id}) DETACH DELETE n
"""
REMOVE_EDGES = """
UNWIND $edges AS edge
MATCH (:Entity {storyId: $storyId, id: edge.source})-[r]->() WHERE r.id = edge.id DELETE r
"""
CHANGE_NODES = """
UNWIND $nodes AS node MATCH (n:Entity {storyId: $storyId, id: node.id}) SET n = node
"""
# Who has another label than yesterday is removed first and made anew: not every server can relabel.
_NODES = """
UNWIND $nodes AS node CREATE (n:LABELS {storyId: $storyId, id: node.id}) SET n = node
"""
_EDGES = """
UNWIND $edges AS edge
MATCH (a:Entity {storyId: $storyId, id: edge.source})
MATCH (b:Entity {storyId: $storyId, id: edge.target})
CREATE (a)-[r:RELATED_TO]->(b) SET r = edge.properties
"""
NODES: Mapping[str, str] = {
    label: _NODES.replace("LABELS", ":".join(dict.fromkeys((NO_LABEL, label))))
    for label in (*LABELS.values(), NO_LABEL)
}
EDGES: Mapping[str, str] = {
    name: _EDGES.replace(OTHER_RELATION, name) for name in (*RELATION_TYPES.values(), OTHER_RELATION)
}

# Questions to a graph.

ALL_NODES = """
MATCH (n:Entity {storyId: $storyId})
RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n.id
"""
ALL_EDGES = """
MATCH (a:Entity {storyId: $storyId})-[r]->(b:Entity)
RETURN a.id AS source, b.id AS target, type(r) AS type, properties(r) AS properties ORDER BY r.id
"""
SOME_NODES = """
UNWIND $ids AS id MATCH (n:Entity {storyId: $storyId, id: id}) RETURN properties(n) AS properties
"""
RING = """
UNWIND $ids AS id
MATCH (a:Entity {storyId: $storyId, id: id})-[r]-(b:Entity)
WHERE $instant IS NULL OR (r.firstInstant <= $instant AND r.lastInstant >= $instant
                           AND b.firstInstant <= $instant AND b.lastInstant >= $instant)
RETURN DISTINCT b.id AS id ORDER BY id
"""
STANDING = """
UNWIND $ids AS id
MATCH (n:Entity {storyId: $storyId, id: id})
OPTIONAL MATCH (n)-[r]-()
RETURN n.id AS id, n.significanceScore AS significance, count(r) AS degree
"""
AMONG = """
UNWIND $ids AS id
MATCH (a:Entity {storyId: $storyId, id: id})-[r]->(b:Entity)
WHERE b.id IN $ids
  AND ($instant IS NULL OR (r.firstInstant <= $instant AND r.lastInstant >= $instant))
RETURN a.id AS source, b.id AS target, properties(r) AS properties ORDER BY r.id
"""
IN_CHAPTER = """
MATCH (c:Character {storyId: $storyId})-[r:LOCATED_AT {chapterIndex: $chapter}]->(l:Location)
WHERE r.kind = 'relation'
RETURN c.id AS source, l.id AS target, properties(r) AS properties ORDER BY r.id
"""
ACQUAINTED = """
UNWIND $ids AS id
MATCH (:Character {storyId: $storyId, id: id})-[k:KNOWS]-(:Character)
WITH DISTINCT k
RETURN startNode(k).id AS source, endNode(k).id AS target, properties(k) AS properties ORDER BY k.id
"""
FOLLOWING = """
UNWIND $ids AS id
MATCH (a:Entity {storyId: $storyId, id: id})-[r:FOLLOWS]->(b:Event)
RETURN a.id AS source, b.id AS target, properties(r) AS properties ORDER BY r.id
"""
OUTGOING = """
MATCH (a:Entity {storyId: $storyId, id: $id})-[r]->(b:Entity)
RETURN a.id AS source, b.id AS target, properties(r) AS properties ORDER BY r.id
"""
