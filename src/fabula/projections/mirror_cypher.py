"""All Cypher statements; data of a story is passed only as parameters.

Labels and relationship types cannot be parameters. They come from the closed lists below, and each has a
statement of its own, built on import.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabula.model.ontology import DEFAULT_RELATION_TYPES, ENTITY_TYPES

# Types invented by an author get only the label `Entity`, or the relationship type `RELATED_TO`.
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

# The position of a story is kept on a node and changes in the same transaction as its graph.

POSITION = """
MATCH (s:Story {storyId: $storyId})
RETURN s.began AS began, s.revision AS revision, s.building AS building, s.shape AS shape
"""
POSITIONS = """
MATCH (s:Story)
RETURN s.storyId AS storyId, s.began AS began, s.revision AS revision, s.building AS building,
       s.shape AS shape
"""
# The write makes all other writers of this story's graph wait until the end of the transaction.
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

# Updates.

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
# Nodes whose label changed are removed and recreated, since not every server can relabel.
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

# Queries.

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
