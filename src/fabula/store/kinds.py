"""All kinds of rows recorded in the change log."""

from __future__ import annotations

from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.entity import Entity, EntityState
from fabula.model.event import Event, EventRole, PendingRelation
from fabula.model.evidence import Evidence
from fabula.model.knowing import Knowing
from fabula.model.lore import LoreEntry
from fabula.model.manuscript import Chapter, Scene, Snapshot
from fabula.model.participation import Participation
from fabula.model.proposal import Proposal
from fabula.model.relation import Relation, RelationType
from fabula.model.reveal import Reveal
from fabula.model.story import Story
from fabula.model.story_ontology import StoryOntology
from fabula.model.thread import Thread
from fabula.model.waiver import Waiver
from fabula.model.wire import Value
from fabula.store import (
    book_rows,
    event_rows,
    event_tables,
    evidence_reader,
    evidence_tables,
    graph_rows,
    knowing_reader,
    knowing_tables,
    lore_rows,
    ontology_rows,
    ontology_tables,
    proposal_rows,
    proposal_tables,
    reveal_reader,
    reveal_tables,
    story_rows,
    tables,
    thread_reader,
    thread_tables,
    waiver_reader,
    waiver_tables,
)
from fabula.store.rowkind import RowKind

_PUBLIC = {"secrecy": "public"}

STORY = RowKind(
    "story",
    tables.stories,
    story_rows.story_row,
    story_rows.story_from_row,
    id_column="project_id",
    unlogged=frozenset({"revision", "entity_count", "relation_count", "created_at", "updated_at"}),
)
ENTITY = RowKind(
    "entity",
    tables.kg_entities,
    graph_rows.entity_row,
    graph_rows.entity_from_row,
    derive=graph_rows.derived_of_entity,
    unlogged=frozenset({"name_key", "search_fold", "prompt_text"}),
    counter="entity_count",
    added={**_PUBLIC, "names_json": "[]"},
)
STATE = RowKind(
    "state", tables.kg_entity_states, graph_rows.state_row, graph_rows.state_from_row, added=_PUBLIC
)
RELATION = RowKind(
    "relation",
    tables.kg_relations,
    graph_rows.relation_row,
    graph_rows.relation_from_row,
    counter="relation_count",
    added=_PUBLIC,
)
RELATION_TYPE = RowKind(
    "relation_type",
    tables.kg_relation_types,
    graph_rows.relation_type_row,
    graph_rows.relation_type_from_row,
)
ENTRY = RowKind(
    "entry",
    tables.lorebook_entries,
    lore_rows.entry_row,
    lore_rows.entry_from_row,
    derive=lore_rows.derived_of_entry,
    unlogged=frozenset({"key_fold", "search_fold", "category"}),
    added={"book_id": OWN_BOOK, "place": 0, **_PUBLIC},
)
BOOK = RowKind("book", tables.lorebooks, book_rows.book_row, book_rows.book_from_row)
CHAPTER = RowKind("chapter", tables.chapters, story_rows.chapter_row, story_rows.chapter_from_row)
SCENE = RowKind("scene", tables.scenes, story_rows.scene_row, story_rows.scene_from_row)
SNAPSHOT = RowKind(
    "snapshot", tables.context_snapshots, story_rows.snapshot_row, story_rows.snapshot_from_row
)
PROPOSAL = RowKind(
    "proposal",
    proposal_tables.entity_extractions,
    proposal_rows.proposal_row,
    proposal_rows.proposal_from_row,
    derive=proposal_rows.derived_of_proposal,
    unlogged=frozenset({"name_key"}),
)
ONTOLOGY = RowKind(
    "ontology",
    ontology_tables.story_ontologies,
    ontology_rows.ontology_row,
    ontology_rows.ontology_from_row,
    id_column="project_id",
)

EVENT = RowKind(
    "event",
    event_tables.kg_events,
    event_rows.event_row,
    event_rows.event_from_row,
    derive=event_rows.derived_of_event,
    unlogged=frozenset({"search_fold"}),
    added={"place": 0, "tells_json": "[]"},
)
EVENT_ROLE = RowKind(
    "event_role",
    event_tables.kg_event_roles,
    event_rows.role_row,
    event_rows.role_from_row,
    derive=event_rows.derived_of_role,
    unlogged=frozenset({"name_key"}),
)
PENDING_RELATION = RowKind(
    "pending_relation",
    event_tables.kg_pending_relations,
    event_rows.pending_row,
    event_rows.pending_from_row,
    derive=event_rows.derived_of_pending,
    unlogged=frozenset({"name_key"}),
)

EVIDENCE = RowKind(
    "evidence",
    evidence_tables.fact_evidence,
    evidence_reader.evidence_row,
    evidence_reader.evidence_from_row,
)
REVEAL = RowKind("reveal", reveal_tables.reveals, reveal_reader.reveal_row, reveal_reader.reveal_from_row)

KNOWING = RowKind(
    "knowing", knowing_tables.knowings, knowing_reader.knowing_row, knowing_reader.knowing_from_row
)
THREAD = RowKind(
    "thread",
    thread_tables.story_threads,
    thread_reader.thread_row,
    thread_reader.thread_from_row,
    added=_PUBLIC,
)
WAIVER = RowKind(
    "waiver",
    waiver_tables.check_waivers,
    waiver_reader.waiver_row,
    waiver_reader.waiver_from_row,
)

KIND_OF: dict[type[Value], RowKind] = {
    Story: STORY,
    Entity: ENTITY,
    EntityState: STATE,
    Relation: RELATION,
    RelationType: RELATION_TYPE,
    LoreBook: BOOK,
    LoreEntry: ENTRY,
    Chapter: CHAPTER,
    Scene: SCENE,
    Snapshot: SNAPSHOT,
    Proposal: PROPOSAL,
    StoryOntology: ONTOLOGY,
    Event: EVENT,
    EventRole: EVENT_ROLE,
    Participation: EVENT_ROLE,
    PendingRelation: PENDING_RELATION,
    Evidence: EVIDENCE,
    Knowing: KNOWING,
    Thread: THREAD,
    Waiver: WAIVER,
    Reveal: REVEAL,
}
KINDS: dict[str, RowKind] = {kind.name: kind for kind in KIND_OF.values()}
