"""The rows that the files of a story folder make."""

from __future__ import annotations

from typing import NamedTuple

from fabula.model.book import LoreBook
from fabula.model.entity import Entity, EntityState
from fabula.model.event import Event, EventRole, PendingRelation
from fabula.model.evidence import Evidence
from fabula.model.knowing import Knowing
from fabula.model.lore import LoreEntry
from fabula.model.manuscript import Chapter, Scene, Snapshot
from fabula.model.proposal import Proposal
from fabula.model.relation import Relation, RelationType
from fabula.model.reveal import Reveal
from fabula.model.thread import Thread
from fabula.model.waiver import Waiver


class FolderRows(NamedTuple):
    """All rows of a story except its own, in an order in which they can be inserted."""

    relation_types: tuple[RelationType, ...]
    entities: tuple[Entity, ...]
    books: tuple[LoreBook, ...]
    entries: tuple[LoreEntry, ...]
    states: tuple[EntityState, ...]
    events: tuple[Event, ...]
    roles: tuple[EventRole, ...]
    # After the roles, so that a relation already stated by a role is not duplicated.
    relations: tuple[Relation, ...]
    waiting: tuple[PendingRelation, ...]
    chapters: tuple[Chapter, ...]
    scenes: tuple[Scene, ...]
    snapshots: tuple[Snapshot, ...]
    proposals: tuple[Proposal, ...]
    evidence: tuple[Evidence, ...]
    knowings: tuple[Knowing, ...]
    threads: tuple[Thread, ...]
    waivers: tuple[Waiver, ...]
    reveals: tuple[Reveal, ...]
