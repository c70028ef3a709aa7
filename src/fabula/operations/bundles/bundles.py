"""Bundles: their schema and their import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fabula.call import Call
from fabula.canon.ontology import story_ontology
from fabula.canon.profile_relations import Profile, keep_relations
from fabula.canon.step import Step, write
from fabula.collector import collector_paused
from fabula.errors import BundleInvalid, Conflict, InvalidInput, RelationInvalid
from fabula.formats.bundle import BundlePlan, NodeDeletion, NodeUpsert, bundle_plan
from fabula.formats.bundle_check import bundle_check
from fabula.formats.bundle_ends import orphans, over_cardinality
from fabula.formats.bundle_fact_plan import BundleFacts, fact_plan, missing_nodes
from fabula.formats.bundle_schema import bundle_schema
from fabula.formats.bundle_words import identity_words
from fabula.formats.safe_yaml import YamlReading, read_yaml
from fabula.model.account import Role
from fabula.model.story_ontology import Ontology
from fabula.operations.bundles.edges import EdgeWriting
from fabula.operations.bundles.facts import BundleFactWriting
from fabula.operations.bundles.files import offered_file
from fabula.operations.bundles.nodes import NodeWriting
from fabula.operations.bundles.places import NodePlaces
from fabula.operations.bundles.secrets import refuse_unveiling
from fabula.operations.bundles.site import BundleProgress, Complaints, Course, Site, invalid_bundle
from fabula.operations.bundles.values import (
    SHOWN,
    BundleStats,
    KnowledgeBundleImportRequest,
    KnowledgeBundleImportResponse,
    KnowledgeBundleSchemaRequest,
    KnowledgeBundleSchemaResponse,
    totals_of,
)
from fabula.operations.table import operation
from fabula.store.log import IMPORT_BUNDLE


@operation("bundle.schema", role=Role.READER, channel="knowledge:bundle:schema")
def get_knowledge_schema(call: Call, request: KnowledgeBundleSchemaRequest) -> KnowledgeBundleSchemaResponse:
    """Show the schema that a bundle for the story must satisfy, with an example that can be imported."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        ontology = story_ontology(reader, request.project_id)
    return KnowledgeBundleSchemaResponse.model_validate(bundle_schema(ontology))


@operation("bundle.import", role=Role.EDITOR, channel=IMPORT_BUNDLE)
def import_bundle(call: Call, request: KnowledgeBundleImportRequest) -> KnowledgeBundleImportResponse:
    """Import a bundle into the story in one step, or report everything that is wrong with it."""
    return import_data(call, request.project_id, request.text.encode(), dry_run=request.dry_run)


def import_knowledge_bundle(
    call: Call,
    project_id: str,
    temp_file_path: str | Path,
    *,
    dry_run: bool = False,
) -> KnowledgeBundleImportResponse:
    """Import a bundle from a file in the import folder, and delete the file after success."""
    with offered_file(call.import_dir, temp_file_path) as offered:
        answer = import_data(call, project_id, offered.data, dry_run=dry_run)
        is_deleted = not dry_run and offered.delete()
    return answer.model_copy(update={"file_deleted": is_deleted})


def import_data(
    call: Call,
    project_id: str,
    data: bytes,
    *,
    dry_run: bool = False,
    progress: BundleProgress | None = None,
) -> KnowledgeBundleImportResponse:
    """Import a bundle from bytes; `progress` receives how many of how many items are written."""
    with call.store.read() as reader:
        seen = reader.story(project_id).revision
        ontology = story_ontology(reader, project_id)
    plan, facts, lines = _planned(data, ontology)

    def work(step: Step) -> tuple[NodeWriting, EdgeWriting, BundleFactWriting, int]:
        if story_ontology(step, project_id) != ontology:
            raise Conflict("The story got another ontology meanwhile.")
        site = _site(step, plan, facts, ontology, lines, progress or (lambda done, total: True))
        refuse_unveiling(site)
        nodes, edges, others = _written(site)
        step.settle()
        return nodes, edges, others, step.revision

    with collector_paused():
        nodes, edges, others, revision = write(call, project_id, IMPORT_BUNDLE, work, dry_run=dry_run)
    absent = sorted((*nodes.absent, *edges.absent), key=lambda item: item.index)
    of_nodes, of_edges = nodes.tally.counts(), edges.tally.counts()
    return KnowledgeBundleImportResponse(
        stats=BundleStats(nodes=totals_of(of_nodes), edges=totals_of(of_edges)),
        nodes=of_nodes,
        edges=of_edges,
        facts=others.tally.counts(),
        absent=tuple(absent[:SHOWN]),
        absent_count=len(absent),
        removed_edges=tuple(nodes.removed),
        removed_edge_count=nodes.removed_count,
        dry_run=dry_run,
        revision=seen if dry_run else revision,
    )


def _planned(data: bytes, ontology: Ontology) -> tuple[BundlePlan, BundleFacts, list[int]]:
    """Return the plan of a file and the line of each item; BundleInvalid with all errors if there are any."""
    reading = _read(data)
    found = bundle_check(reading.value, ontology, reading)
    if found.count:
        raise invalid_bundle(found)
    return bundle_plan(reading.value, ontology), fact_plan(reading.value, ontology), reading.lines


def _read(data: bytes) -> YamlReading:
    try:
        return read_yaml(data)
    except InvalidInput as error:
        place = {"line": error.details["line"]} if error.details else {}
        told = {"path": "", "message": error.message, **place}
        if error.suggestion:
            told["suggestion"] = error.suggestion
        raise BundleInvalid(
            error.message, details={"errors": [told], "errorCount": 1}, suggestion=error.suggestion
        ) from None


def _site(
    step: Step,
    plan: BundlePlan,
    facts: BundleFacts,
    ontology: Ontology,
    lines: Sequence[int],
    report: BundleProgress,
) -> Site:
    places = NodePlaces(step, plan, facts, ontology)
    return Site(step, plan, facts, ontology, places, Complaints(lines), Course(plan, facts, report))


def _written(site: Site) -> tuple[NodeWriting, EdgeWriting, BundleFactWriting]:
    """Write the whole plan: deletions first, then nodes, the edges between them, and what is said of both."""
    _hold_against_story(site)
    nodes, edges = NodeWriting(site), EdgeWriting(site)
    edges.delete()
    nodes.delete()
    nodes.upsert()
    edges.upsert()
    site.complaints.refuse()
    _keep_profiles(site, nodes)
    others = BundleFactWriting(site, edges.created)
    others.upsert()
    site.complaints.refuse()
    return nodes, edges, others


def _keep_profiles(site: Site, nodes: NodeWriting) -> None:
    """Save the relations that the profiles of nodes name."""
    try:
        keep_relations(site.step, nodes.profiles)
    except (InvalidInput, RelationInvalid):
        # The step is rolled back anyway: trying the profiles one by one shows which ones are invalid.
        for entity_id, profile in nodes.profiles.items():
            _complain_of_profile(site, nodes.index_of[entity_id], {entity_id: profile})
        site.complaints.refuse()
        raise


def _complain_of_profile(site: Site, index: int, said: dict[str, Profile]) -> None:
    try:
        keep_relations(site.step, said)
    except (InvalidInput, RelationInvalid) as error:
        site.complaints.add(index, (), error.message.removesuffix("."))


def _hold_against_story(site: Site) -> None:
    plan, places = site.plan, site.places
    site.complaints.take(orphans(plan, places.exists))
    created = {one.node.address for one in plan.nodes_to_upsert}
    kept = places.known.keys() - {one.node.address for one in plan.nodes_to_delete}
    site.complaints.take(missing_nodes(site.facts, created | kept))
    held = places.stored_edges(site.step, plan, site.ontology)
    site.complaints.take(
        over_cardinality(
            plan,
            site.ontology,
            lambda key, side, *address: held.get((key, side, places.known.get(address, "")), ()),
        )
    )
    if places.doubled:
        _complain_of_doubled(site)
        site.complaints.refuse()


def _complain_of_doubled(site: Site) -> None:
    plan, doubled = site.plan, site.places.doubled
    nodes: tuple[NodeUpsert | NodeDeletion, ...] = (*plan.nodes_to_upsert, *plan.nodes_to_delete)
    named = [(item.index, item.node) for item in nodes]
    named += [(edge.index, end) for edge in plan.edges_to_upsert for end in (edge.source, edge.target)]
    for index, ref in named:
        if ref.address in doubled:
            who = f"'{ref.type_name}' {identity_words(ref.identity)}"
            site.complaints.add(
                index, (), f"{who} is an entity that the bundle names by another identity, too"
            )
