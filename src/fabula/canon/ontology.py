"""Reading and saving the ontology of a story."""

from __future__ import annotations

from functools import lru_cache

from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.errors import InvalidInput
from fabula.formats.ontology_file import read_ontology
from fabula.model.fiction import FICTION
from fabula.model.story_ontology import Ontology, StoryOntology, type_key
from fabula.store.proposal_reader import ProposalFilter
from fabula.store.reader import EntityFilter, Reader


def story_ontology(reader: Reader, project_id: str) -> Ontology:
    """Return the story's ontology: the built-in one for fiction unless the author has set another."""
    kept = reader.ontology(project_id)
    return FICTION if kept is None else read_definition(kept.definition)


@lru_cache(64)
def read_definition(definition: str) -> Ontology:
    """Return the ontology that a text defines; InvalidInput if it is not valid."""
    # Every write needs it, and parsing takes a thousand times as long as comparing texts.
    return read_ontology(definition.encode())


def listed_type(reader: Reader, project_id: str, word: str) -> str:
    """Return the type that a filter means: one of the ontology, or a removed one that rows still have."""
    try:
        return story_ontology(reader, project_id).entity_type(word)
    except InvalidInput:
        lost = type_key(word)
        held = (
            reader.entity_page(project_id, EntityFilter(type=lost), 1, 0),
            reader.proposals.page(project_id, ProposalFilter(entity_type=lost), 1, 0),
        )
        if any(page.total for page in held):
            return lost
        raise


def save(step: Step, before: StoryOntology | None, definition: str) -> StoryOntology:
    """Save an ontology for a story, replacing the previous one if there is one."""
    if before is None:
        after = StoryOntology.trusted(
            project_id=step.project_id,
            definition=definition,
            version=1,
            created_at=step.now,
            updated_at=step.now,
        )
        step.add([after])
    else:
        after = touched(step, before, definition=definition)
        step.replace([(before, after)])
    return after
