"""Every operation, in the order in which people read of them; no door reaches anything else."""

from __future__ import annotations

from typing import Any

from fabula.operations import history
from fabula.operations import ontology as ontologies
from fabula.operations.bundles import bundles
from fabula.operations.events import events
from fabula.operations.graph import batches, entities, merging, queries, relations, states
from fabula.operations.search import relevance, retrieval
from fabula.operations.table import Operation

OPERATIONS: dict[str, Operation[Any, Any]] = {
    operation.name: operation
    for operation in (
        entities.create_entity,
        entities.read_entity,
        entities.update_entity,
        entities.delete_entity,
        entities.list_entities,
        merging.merge_entities,
        merging.entity_impact,
        relations.create_relation,
        relations.update_relation,
        relations.delete_relation,
        relations.list_relations,
        relations.list_relation_types,
        states.create_state,
        states.update_state,
        states.delete_state,
        states.list_states,
        events.create_event,
        events.read_event,
        events.update_event,
        events.delete_event,
        events.list_events,
        events.event_companions,
        queries.query_subgraph,
        queries.query_path,
        queries.query_validate,
        relevance.query_relevant,
        retrieval.query_retrieve,
        queries.query_byids,
        history.list_history,
        history.undo,
        history.redo,
        batches.upsert_batch,
        ontologies.read_story_ontology,
        ontologies.write_story_ontology,
        bundles.get_knowledge_schema,
        bundles.import_bundle,
    )
}

# Those that are channels, by the name of the channel.
CHANNELS: dict[str, Operation[Any, Any]] = {
    operation.channel: operation for operation in OPERATIONS.values() if operation.channel is not None
}
