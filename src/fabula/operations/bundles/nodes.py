"""Writing the nodes of a bundle as entities, or deleting them with everything that depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fabula.canon import entity as entities
from fabula.canon.entity import EntityFields
from fabula.canon.profile_relations import Profile, profile_of, shown_attributes
from fabula.errors import FabulaError
from fabula.formats.bundle import NodeRef, NodeUpsert, attributes_after
from fabula.model.entity import MAX_ALIASES, Entity, check_attribute_count
from fabula.model.event import EVENT, TIMELINE, separate_times
from fabula.model.relation import Period, Relation
from fabula.model.story_ontology import NodeType
from fabula.model.wire import is_same, safe_json
from fabula.operations.bundles.places import identity_in
from fabula.operations.bundles.secrets import refuse_publishing
from fabula.operations.bundles.site import Site, Tally, chunks
from fabula.operations.bundles.values import SHOWN, AbsentItem, RemovedEdge


class NodeWriting:
    """The nodes of one bundle, the result of writing them, and their profiles."""

    def __init__(self, site: Site) -> None:
        self.tally = Tally()
        self.absent: list[AbsentItem] = []
        self.removed: list[RemovedEdge] = []
        self.removed_count = 0
        self.profiles: dict[str, Profile] = {}
        self.index_of: dict[str, int] = {}
        self._site = site
        self._step = site.step

    def delete(self) -> None:
        """Delete the nodes marked for deletion."""
        for chunk in chunks(self._site.plan.nodes_to_delete):
            for deletion in chunk:
                ref = deletion.node
                if self._site.places.known_id(ref) is None:
                    missing = AbsentItem(index=deletion.index, type=ref.type_name, identity=ref.identity)
                    self.absent.append(missing)
                else:
                    self.tally.deleted[ref.type_name] += 1
            going = self._known([deletion.node for deletion in chunk])
            if going:
                self._tell(entities.remove(self._step, list(going.values())), going)
            self._site.course.went_on(len(chunk))

    def _tell(self, relations: Sequence[Relation], gone: dict[str, Entity]) -> None:
        """Record which relations were deleted along, with the names at their ends."""
        self.removed_count += len(relations)
        shown = relations[: SHOWN - len(self.removed)]
        ends = {end for one in shown for end in (one.source_entity_id, one.target_entity_id)}
        names = self._step.events.names(self._step.project_id, ends - gone.keys())
        names |= {entity.id: entity.name for entity in gone.values()}
        self.removed += [
            RemovedEdge(
                id=relation.id,
                relation_type=relation.relation_type,
                source_entity_id=relation.source_entity_id,
                source_name=names[relation.source_entity_id],
                target_entity_id=relation.target_entity_id,
                target_name=names[relation.target_entity_id],
            )
            for relation in shown
        ]

    def upsert(self) -> None:
        """Create the missing nodes and update the others."""
        for chunk in chunks(self._site.plan.nodes_to_upsert):
            self._upsert(chunk)
            self._site.course.went_on(len(chunk))

    def _upsert(self, chunk: Sequence[NodeUpsert]) -> None:
        found = self._known([upsert.node for upsert in chunk])
        attributes = shown_attributes(self._step, list(found.values()))
        created: list[Entity] = []
        updated: list[tuple[Entity, Entity]] = []
        for upsert in chunk:
            name = upsert.node.type_name
            node = self._site.ontology.node_named[name]
            known = found.get(self._site.places.known_id(upsert.node) or "")
            self.tally.upserted[name] += 1
            shown = known and known.model_copy(update={"attributes": attributes[known.id]})
            after = self._after(upsert, node, shown)
            if after is None:
                continue
            if known is not None:
                refuse_publishing(upsert.index, known, after)
            if known is None:
                self.tally.created[name] += 1
                created.append(after)
            elif not is_same(after, shown or known):
                updated.append((known, after))
        if not self._site.complaints.count:
            entities.save_all(self._step, created, updated)

    def _known(self, refs: Sequence[NodeRef]) -> dict[str, Entity]:
        ids = [known for ref in refs if (known := self._site.places.known_id(ref)) is not None]
        return self._step.entities(self._step.project_id, ids) if ids else {}

    def _after(self, upsert: NodeUpsert, node: NodeType, known: Entity | None) -> Entity | None:
        """Return the entity as the bundle wants it; None if that is not possible."""
        complain = self._site.complaints.add
        if known is not None and identity_in(known, node) not in (None, upsert.node.identity_key):
            words = f"another '{node.name}' is called '{known.name}', and has another identity"
            complain(upsert.index, (), words)
            return None
        entity = known or self._blank(upsert.node)
        try:
            profile = profile_of(upsert.open_attributes or {})
            if upsert.open_attributes is not None:
                upsert = replace(upsert, open_attributes=profile.attributes)
            attributes = attributes_after(entity.attributes, upsert, node)
            if "name" not in node.columns:
                attributes |= upsert.node.identity
            attributes, fields = _dated(entity, attributes, upsert.fields)
            check_attribute_count(attributes, self._step.limits.max_attribute_keys)
            if known is not None:
                safe_json(attributes)
        except (FabulaError, ValueError) as error:
            complain(upsert.index, (), str(error).removesuffix("."))
            return None
        if profile.relations or profile.parted:
            self.profiles[entity.id] = profile
            self.index_of[entity.id] = upsert.index
        aliases = (*fields.get("aliases", entity.aliases), *upsert.also_called)
        changes = {**fields, "attributes": attributes, "aliases": aliases}
        after = entities.retold(entity, entity.model_copy(update=changes))
        if not Period.is_forward(after.since, after.until):
            complain(upsert.index, ("until",), '"until" lies before "since"')
        if len(after.aliases) > MAX_ALIASES:
            complain(upsert.index, ("aliases",), f'"aliases" must have at most {MAX_ALIASES} items')
        return after

    def _blank(self, ref: NodeRef) -> Entity:
        """Return a new entity with only its type and name set."""
        fields = EntityFields.model_construct(type=ref.type_key, name=ref.name)
        fresh = self._site.places.fresh[ref.address]
        return entities.drafted(self._step, fields, self._site.ontology, fresh).entity


def _dated(
    entity: Entity, attributes: dict[str, Any], fields: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return attributes and fields after moving an event's time from its attributes to its fields."""
    if entity.type != EVENT:
        return attributes, fields
    said = separate_times(attributes)
    moment = {} if said.moment is None else {"since": said.moment}
    return said.attributes | ({TIMELINE: said.anchor} if said.anchor else {}), {**moment, **fields}
