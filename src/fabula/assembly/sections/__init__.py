"""The sections of a context, in trace order."""

from __future__ import annotations

from typing import Any

from fabula.assembly.recollections import RecollectionsAnswer
from fabula.assembly.section import Section
from fabula.assembly.sections.characters import CHARACTERS, CharactersAnswer
from fabula.assembly.sections.events import EVENTS
from fabula.assembly.sections.lore import LORE, LoreAnswer
from fabula.assembly.sections.passages import PASSAGES
from fabula.assembly.sections.recalled import RECALLED
from fabula.assembly.sections.relations import RELATIONS, RelationsAnswer
from fabula.assembly.sections.snapshots import SNAPSHOTS, SnapshotsAnswer
from fabula.assembly.sections.threads import THREADS
from fabula.assembly.sections.who_knows import WHO_KNOWS, KnowledgeAnswer

SECTIONS: tuple[Section[Any], ...] = (
    LORE,
    RECALLED,
    RELATIONS,
    WHO_KNOWS,
    SNAPSHOTS,
    CHARACTERS,
    EVENTS,
    PASSAGES,
    THREADS,
)


# Pydantic orders inherited fields from the last base class to the first.
class SectionAnswers(
    KnowledgeAnswer, RecollectionsAnswer, CharactersAnswer, SnapshotsAnswer, RelationsAnswer, LoreAnswer
):
    """The fields that the sections contribute to an answer."""
