"""Writing the edges of a bundle as relations, or deleting them."""

from __future__ import annotations

from collections.abc import Sequence

from fabula.canon import relation as relations
from fabula.canon.relation import relation_identity
from fabula.formats.bundle import EdgeDeletion, EdgeUpsert, attributes_after
from fabula.model.fact import Secrecy
from fabula.model.relation import Period, Relation
from fabula.model.story_ontology import relation_id
from fabula.model.validity import NOT_DATED, beginning
from fabula.model.wire import is_same, safe_json
from fabula.operations.bundles.secrets import refuse_publishing
from fabula.operations.bundles.site import Site, Tally, chunks
from fabula.operations.bundles.values import AbsentItem


class EdgeWriting:
    """The edges of one bundle, and the result of writing them."""

    def __init__(self, site: Site) -> None:
        self.tally = Tally()
        self.absent: list[AbsentItem] = []
        self.created: set[str] = set()
        self._site = site
        self._step = site.step

    def delete(self) -> None:
        """Delete the edges marked for deletion."""
        for chunk in chunks(self._site.plan.edges_to_delete):
            gone = self._meant_to_go(chunk)
            relations.remove(self._step, list(gone.values()))
            self._site.course.went_on(len(chunk))

    def _meant_to_go(self, chunk: Sequence[EdgeDeletion]) -> dict[str, Relation]:
        places = self._site.places
        sources = {here for edge in chunk if (here := places.known_id(edge.source)) is not None}
        held: dict[tuple[str | None, str | None, str], list[Relation]] = {}
        for relation in self._step.relations_from(self._step.project_id, sources):
            source, target, word, _ = relation_identity(relation)
            held.setdefault((source, target, word), []).append(relation)
        gone: dict[str, Relation] = {}
        for edge in chunk:
            ends = places.known_id(edge.source), places.known_id(edge.target)
            meant = {
                relation.id: relation
                for relation in held.get((*ends, edge.relation_key), ())
                if edge.is_every or beginning(relation.since, relation.valid_from) == edge.beginning
            }
            if not meant:
                identity = {"source": edge.source.identity, "target": edge.target.identity}
                self.absent.append(AbsentItem(index=edge.index, type=edge.type_name, identity=identity))
            self.tally.deleted[edge.type_name] += len(meant.keys() - gone.keys())
            gone |= meant
        return gone

    def upsert(self) -> None:
        """Create the missing edges and update the others."""
        edges = self._site.plan.edges_to_upsert
        words = {edge.relation_key: edge.type_name for edge in edges}
        relations.register_types(self._step, words.items())
        for chunk in chunks(edges):
            self._upsert(chunk)
            self._site.course.went_on(len(chunk))

    def _upsert(self, chunk: Sequence[EdgeUpsert]) -> None:
        places, project_id = self._site.places, self._step.project_id
        older = {here for edge in chunk if (here := places.known_id(edge.source)) is not None}
        held = self._step.relations_from(project_id, older) if older else ()
        known_as = {relation_identity(relation): relation for relation in held}
        blanks = [self._blank(edge) for edge in chunk]
        taken = self._step.relations(project_id, [blank.id for blank in blanks if blank is not None])
        created: list[Relation] = []
        updated: list[tuple[Relation, Relation]] = []
        for edge, blank in zip(chunk, blanks, strict=True):
            self.tally.upserted[edge.type_name] += 1
            if blank is None:
                continue
            known = known_as.get(relation_identity(blank))
            after = self._after(edge, known or blank)
            if known is not None:
                refuse_publishing(edge.index, known, after)
            if known is None:
                self.tally.created[edge.type_name] += 1
                if after.id in taken:
                    after = after.model_copy(update={"id": self._step.new_id()})
                created.append(after)
            elif not is_same(after, known):
                updated.append((known, after))
        if not self._site.complaints.count:
            relations.save_all(self._step, created, updated, {})
            self.created |= {relation.id for relation in created}

    def _after(self, edge: EdgeUpsert, relation: Relation) -> Relation:
        type_ = self._site.ontology.edge_named[edge.type_name]
        properties = attributes_after(relation.properties, edge, type_)
        after = relation.model_copy(update={**edge.fields, "properties": properties})
        if not Period.is_forward(after.since, after.until):
            self._site.complaints.add(edge.index, ("until",), '"until" lies before "since"')
        try:
            safe_json(properties)
        except ValueError as error:
            self._site.complaints.add(edge.index, (), str(error))
        return after

    def _blank(self, edge: EdgeUpsert) -> Relation | None:
        """Return a new relation with only its ends and beginning set; None if an end is missing."""
        places = self._site.places
        source, target = places.id_of(edge.source), places.id_of(edge.target)
        if source is None or target is None:
            return None
        if source == target:
            self._site.complaints.add(edge.index, ("target",), "both ends are the same entity")
            return None
        return Relation.trusted(
            id=relation_id(edge.relation_key, source, target, edge.since, edge.valid_from),
            project_id=self._step.project_id,
            source_entity_id=source,
            target_entity_id=target,
            relation_type=edge.relation_key,
            description="",
            properties={},
            secrecy=Secrecy.PUBLIC,
            since=edge.since,
            until=None,
            **{**NOT_DATED, "valid_from": edge.valid_from},
            version=1,
            created_at=self._step.now,
            updated_at=self._step.now,
        )
