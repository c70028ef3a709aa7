"""The types of operations in Python. Written by `make schemas`; do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from fabula.call import Call
from fabula.canon.book_values import BookPatch
from fabula.canon.entity import EntityPatch
from fabula.canon.entry_values import LorebookEntry, LorebookEntryCreate, LorebookEntryPatch
from fabula.canon.event_values import EventParticipantGiven, EventPatch, EventPlaceGiven, StructuredKvGiven
from fabula.canon.relation_fields import RelationPatch
from fabula.canon.scene_plan import ScenePatch
from fabula.canon.thread import PointFields, ThreadPatch
from fabula.model.account import Member, Role
from fabula.model.entity import EntityName
from fabula.model.fact import FactKind, FactRef, Secrecy
from fabula.model.graph import GraphEdge
from fabula.model.job import Job, TaskAccepted
from fabula.model.knowing import HowKnown, KnowingSource
from fabula.model.level import AiContextLevel
from fabula.model.lore import Category
from fabula.model.manuscript import SnapshotCharacter, SnapshotLocation
from fabula.model.moment import Moment
from fabula.model.proposal import ProposalKind
from fabula.model.scan_settings import ScanSettings
from fabula.model.story import Story
from fabula.model.thread import ThreadKind, ThreadStatus
from fabula.model.world_time import RelativeTime, SceneTime, WorldTime
from fabula.operations.bundles.values import KnowledgeBundleImportResponse, KnowledgeBundleSchemaResponse
from fabula.operations.chat.chat import Conversation
from fabula.operations.chat.kept import ConversationHeading, ConversationPatch, KeptConversation
from fabula.operations.chat.values import Turn
from fabula.operations.checks.values import (
    KnowledgeChecksFixResponse,
    KnowledgeChecksNewestResponse,
    KnowledgeChecksRunResponse,
    KnowledgeWaiverCreateResponse,
    KnowledgeWaiverDeleteResponse,
    KnowledgeWaiverListResponse,
)
from fabula.operations.checks.with_model import ModelChecksPrice, ModelChecksResponse
from fabula.operations.context import Shares
from fabula.operations.events.events import (
    EventListFilter,
    KnowledgeEventCompanionsResponse,
    KnowledgeEventCreateResponse,
    KnowledgeEventDeleteResponse,
    KnowledgeEventListResponse,
    KnowledgeEventReadResponse,
    KnowledgeEventUpdateResponse,
)
from fabula.operations.evidence import DetachEvidenceResponse, FactEvidence, ListEvidenceResponse
from fabula.operations.graph.batches import BatchEntity, BatchRelation, KnowledgeBatchUpsertResponse
from fabula.operations.graph.entities import (
    EntityListFilter,
    KnowledgeEntityCreateResponse,
    KnowledgeEntityDeleteResponse,
    KnowledgeEntityListResponse,
    KnowledgeEntityReadResponse,
    KnowledgeEntityUpdateResponse,
)
from fabula.operations.graph.graph_layout import LayOutGraphResponse
from fabula.operations.graph.graph_patterns import (
    ChapterGraphResponse,
    ConsequencesResponse,
    TimelineResponse,
)
from fabula.operations.graph.graph_picture import GraphPictureResponse
from fabula.operations.graph.graph_view import FullGraphResponse, GraphAroundResponse, RelationshipPatch
from fabula.operations.graph.merging import KnowledgeEntityImpactResponse, KnowledgeEntityMergeResponse
from fabula.operations.graph.queries import (
    KnowledgeQueryByIdsResponse,
    KnowledgeQueryPathResponse,
    KnowledgeQuerySubgraphResponse,
    KnowledgeQueryValidateResponse,
)
from fabula.operations.graph.relations import (
    KnowledgeRelationCreateResponse,
    KnowledgeRelationDeleteResponse,
    KnowledgeRelationListResponse,
    KnowledgeRelationTypeListResponse,
    KnowledgeRelationUpdateResponse,
    RelationListFilter,
)
from fabula.operations.graph.states import (
    KnowledgeStateCreateResponse,
    KnowledgeStateDeleteResponse,
    KnowledgeStateListResponse,
    KnowledgeStateUpdateResponse,
)
from fabula.operations.history import (
    KnowledgeHistoryListResponse,
    KnowledgeHistoryRedoResponse,
    KnowledgeHistoryUndoResponse,
)
from fabula.operations.import_export.import_folder import ImportArchiveResponse
from fabula.operations.import_export.lore_export import (
    ExportEntriesResponse,
    ExportLossesResponse,
    LorebookFile,
)
from fabula.operations.knowledge.knowings import (
    KnowledgeKnowingCreateResponse,
    KnowledgeKnowingDeleteResponse,
    KnowledgeKnowingListResponse,
    KnowledgeKnowingUpdateResponse,
)
from fabula.operations.knowledge.leaks import LeaksResponse
from fabula.operations.knowledge.questions import (
    IronyResponse,
    KnowersResponse,
    KnowledgeChainResponse,
    KnowledgeOfResponse,
    KnowledgeThoughtsResponse,
)
from fabula.operations.lorebook.books import (
    KnowledgeLorebookCreateResponse,
    KnowledgeLorebookDeleteResponse,
    KnowledgeLorebookListResponse,
    KnowledgeLorebookReadResponse,
    KnowledgeLorebookUpdateResponse,
)
from fabula.operations.lorebook.bulk import BulkEditResponse
from fabula.operations.lorebook.estimates import EstimateEntryResponse
from fabula.operations.manuscript.appearances import ListAppearancesResponse
from fabula.operations.manuscript.cast import ReadCastResponse
from fabula.operations.manuscript.manuscript import ChapterInfo, ContextSnapshot, SceneText
from fabula.operations.manuscript.mentions import FindMentionsResponse
from fabula.operations.manuscript.new_names import FindNewNamesResponse
from fabula.operations.manuscript.open_questions import OpenQuestionsResponse
from fabula.operations.manuscript.rearranging import (
    ChapterTarget,
    DeleteChapterResponse,
    MoveResponse,
    SceneTarget,
)
from fabula.operations.manuscript.replacing import FindWordsResponse, ReplaceWordsResponse
from fabula.operations.members import ListMembersResponse
from fabula.operations.name_covers import ListCoversResponse
from fabula.operations.ontology import KnowledgeOntologyReadResponse, KnowledgeOntologyWriteResponse
from fabula.operations.proposals.uses import ListProposalUsesResponse
from fabula.operations.proposals.values import (
    BatchDecision,
    DraftGiven,
    Extraction,
    ProposeResponse,
    ReviewDecision,
    ReviewExtractionResponse,
    ReviewExtractionsResponse,
)
from fabula.operations.receipt_keeping import ContextReceipt, ReceiptHeading
from fabula.operations.receipts.reading import DiffReceiptsResponse
from fabula.operations.receipts.replaying import ReplayReceiptResponse
from fabula.operations.receipts.to_include import ToIncludeResponse
from fabula.operations.receipts.what_if import WhatIfResponse
from fabula.operations.reveal_foresight import RevealWhatIfResponse
from fabula.operations.reveals import (
    KnowledgeRevealCreateResponse,
    KnowledgeRevealDeleteResponse,
    KnowledgeRevealListResponse,
    KnowledgeRevealUpdateResponse,
)
from fabula.operations.search.embedding import EmbeddingStatusResponse
from fabula.operations.search.relevance import KnowledgeQueryRelevantResponse
from fabula.operations.search.retrieval import KnowledgeQueryRetrieveResponse
from fabula.operations.stale import ListStaleResponse, ResolveStaleResponse, StaleChoice
from fabula.operations.stories import DeleteStoryResponse, StoryPatch
from fabula.operations.table import Operation, RequestT, ResponseT
from fabula.operations.threads import (
    KnowledgeThreadCreateResponse,
    KnowledgeThreadDeleteResponse,
    KnowledgeThreadListResponse,
    KnowledgeThreadMarkResponse,
    KnowledgeThreadUnmarkResponse,
    KnowledgeThreadUpdateResponse,
)
from fabula.operations.vocabulary import KnownName, ListNamesResponse
from fabula.projections.mirror import MirrorReport
from fabula.store.page import Page
from fabula.store.reader import Edition

class House(Protocol):
    """What a story needs from the memory it belongs to."""

    def call(self) -> Call:
        """Return the context in which operations run."""

def is_noun(name: str) -> bool:
    """Whether the names of operations on a story begin with this noun."""

PYTHON: dict[str, Operation[Any, Any]]

class _BatchOperations:
    def upsert(
        self,
        *,
        mode: Literal["create", "upsert"] = ...,
        entities: Sequence[BatchEntity | Mapping[str, Any]] = ...,
        relations: Sequence[BatchRelation | Mapping[str, Any]] = ...,
    ) -> KnowledgeBatchUpsertResponse:
        """Create or update many entities and relations in one step."""

class _BundleOperations:
    def schema(self) -> KnowledgeBundleSchemaResponse:
        """Show the schema that a bundle for the story must satisfy, with an example that can be imported."""

class _ChatOperations:
    def begin(
        self,
        *,
        chapter: int,
        scene: int,
        text: str | None = ...,
        messages: Sequence[Turn | Mapping[str, Any]] = ...,
        token_budget: int | None = ...,
        pinned: Sequence[str] = ...,
        shares: Shares | Mapping[str, Any] = ...,
        max_tokens: int | None = ...,
        temperature: float | None = ...,
        prose: bool = ...,
        task: Literal["write", "read", "sum_up"] = ...,
        stream: bool = ...,
        save: Literal["append", "replace"] | None = ...,
        conversation_id: str | None = ...,
        pov: str | None = ...,
    ) -> Conversation:
        """Prepare a model request with the story's context; it is metered but not yet sent."""

class _ChecksOperations:
    def ask_model(
        self,
        *,
        chapter: int | None = ...,
        scene: int | None = ...,
        since_revision: int | None = ...,
        most_requests: int = ...,
    ) -> ModelChecksResponse:
        """Ask the model what the rules leave open in saved scenes; LlmUnavailable without a model."""
    def fix(
        self,
        *,
        finding_id: str,
        kind: Literal["change_text", "add_state", "correct_fact", "waive"],
        text: str | None = ...,
        reason: str = ...,
        expected_version: int | None = ...,
    ) -> KnowledgeChecksFixResponse:
        """Mend a finding in one of the ways it offers: change the text, the fact, or waive it."""
    def model_price(
        self,
        *,
        chapter: int | None = ...,
        scene: int | None = ...,
        since_revision: int | None = ...,
        most_requests: int = ...,
    ) -> ModelChecksPrice:
        """Count how often a model would be asked about what the rules leave open, and what it would cost."""
    def newest(self) -> KnowledgeChecksNewestResponse:
        """Return the newest findings of the whole story."""
    def run(
        self,
        *,
        chapter: int | None = ...,
        scene: int | None = ...,
        rules: Sequence[str] | None = ...,
        since_revision: int | None = ...,
    ) -> KnowledgeChecksRunResponse:
        """Check saved scenes by rules, without a model and with reproducible results."""

class _ConversationOperations:
    def delete(self, *, conversation_id: str) -> None:
        """Delete a kept conversation."""
    def fork(
        self, *, conversation_id: str, after: int | None = ..., title: str | None = ...
    ) -> KeptConversation:
        """Branch a new conversation off from a kept one, which stays as it is."""
    def keep(self, *, title: str, messages: Sequence[Turn | Mapping[str, Any]]) -> KeptConversation:
        """Keep a conversation with the story."""
    def list(self, *, query: str = ..., page: int = ..., size: int = ...) -> Page[ConversationHeading]:
        """List the kept conversations, newest change first, or those that contain some words."""
    def read(self, *, conversation_id: str) -> KeptConversation:
        """Read a kept conversation with its messages."""
    def update(
        self, *, conversation_id: str, patch: ConversationPatch | Mapping[str, Any]
    ) -> KeptConversation:
        """Rename a kept conversation, or save how it went on."""

class _EmbeddingOperations:
    def start(self) -> Job:
        """Compute the missing embeddings of a story in the background; JobInProgress if that is running."""
    def status(self) -> EmbeddingStatusResponse:
        """Show whether the embeddings of a story are up to date."""

class _EntityOperations:
    def create(
        self,
        *,
        type: str,
        name: str,
        since: Moment | Mapping[str, Any] | None = ...,
        until: Moment | Mapping[str, Any] | None = ...,
        valid_from: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        valid_to: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        told: Moment | Mapping[str, Any] | None = ...,
        description: str = ...,
        attributes: Mapping[str, Any] = ...,
        aliases: Sequence[str] = ...,
        names: Sequence[EntityName | Mapping[str, Any]] = ...,
        ai_context_level: AiContextLevel | Literal["always", "when_detected", "manual_only", "never"] = ...,
        secrecy: Secrecy | Literal["public", "private"] = ...,
        significance: float = ...,
        layout_x: float | None = ...,
        layout_y: float | None = ...,
    ) -> KnowledgeEntityCreateResponse:
        """Create an entity; a duplicate name within its type is refused."""
    def delete(self, *, id: str, expected_version: int | None = ...) -> KnowledgeEntityDeleteResponse:
        """Delete an entity with its relations, and return how many relations were deleted."""
    def impact(self, *, id: str) -> KnowledgeEntityImpactResponse:
        """Report what deleting an entity would affect, without deleting anything."""
    def list(
        self, *, filter: EntityListFilter | Mapping[str, Any] = ..., limit: int = ..., offset: int = ...
    ) -> KnowledgeEntityListResponse:
        """List entities, the most recently changed first."""
    def merge(
        self, *, target_entity_id: str, source_entity_ids: Sequence[str], expected_version: int | None = ...
    ) -> KnowledgeEntityMergeResponse:
        """Merge several entities into one: names become aliases, relations are redirected, nothing is lost."""
    def read(self, *, id: str) -> KnowledgeEntityReadResponse:
        """Read an entity."""
    def update(
        self, *, id: str, expected_version: int, patch: EntityPatch | Mapping[str, Any]
    ) -> KnowledgeEntityUpdateResponse:
        """Change an entity, unless it has changed since `expectedVersion`."""

class _EventOperations:
    def companions(
        self, *, entity_id: str, as_of: Moment | Mapping[str, Any] | None = ..., limit: int = ...
    ) -> KnowledgeEventCompanionsResponse:
        """Find the entities that share events with a given one: how often, how recently, how significant."""
    def create(
        self,
        *,
        structured_kv: StructuredKvGiven | Mapping[str, Any] | None = ...,
        name: str | None = ...,
        summary: str = ...,
        event: str = ...,
        time_anchor: str = ...,
        locations: Sequence[EventPlaceGiven | Mapping[str, Any] | str] = ...,
        roles: Sequence[EventParticipantGiven | Mapping[str, Any] | str] = ...,
        logic: Sequence[str] = ...,
        causality: str = ...,
        level: int = ...,
        place: int = ...,
        tells: Sequence[FactRef | Mapping[str, Any]] = ...,
        significance: float = ...,
        moment: Moment | Mapping[str, Any] | None = ...,
        world_time: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        told: Moment | Mapping[str, Any] | None = ...,
        ai_context_level: AiContextLevel | Literal["always", "when_detected", "manual_only", "never"] = ...,
        secrecy: Secrecy | Literal["public", "private"] = ...,
        aliases: Sequence[str] = ...,
        attributes: Mapping[str, Any] = ...,
    ) -> KnowledgeEventCreateResponse:
        """Create an event; unknown participants and places stay pending by name."""
    def delete(self, *, id: str, expected_version: int | None = ...) -> KnowledgeEventDeleteResponse:
        """Delete an event with its roles and relations; its participants and places stay."""
    def list(
        self, *, filter: EventListFilter | Mapping[str, Any] = ..., limit: int = ..., offset: int = ...
    ) -> KnowledgeEventListResponse:
        """List events in story order, the most significant first within a moment."""
    def read(self, *, id: str) -> KnowledgeEventReadResponse:
        """Read an event with its participants."""
    def update(
        self, *, id: str, patch: EventPatch | Mapping[str, Any], expected_version: int | None = ...
    ) -> KnowledgeEventUpdateResponse:
        """Change an event; `roles` and `locations` are replaced as a whole."""

class _EvidenceOperations:
    def attach(
        self,
        *,
        kind: FactKind | Literal["entity", "entry", "relation", "state", "event", "thread"],
        id: str,
        scene_id: str,
        quotation: str,
        start: int | None = ...,
    ) -> FactEvidence:
        """Attach a quotation from a scene to a fact."""
    def detach(self, *, id: str) -> DetachEvidenceResponse:
        """Remove a quotation from the fact that rests on it."""
    def list(
        self, *, kind: FactKind | Literal["entity", "entry", "relation", "state", "event", "thread"], id: str
    ) -> ListEvidenceResponse:
        """List the quotations that a fact rests on."""

class _ExtractionOperations:
    def all(self, *, extractor: Literal["auto", "local", "model"] = ...) -> TaskAccepted:
        """Read every scene in the background as one job, leaving out what was read before."""
    def extract(
        self,
        *,
        text: str,
        chapter: int | None = ...,
        scene: int | None = ...,
        manuscript_id: str | None = ...,
        extractor: Literal["auto", "local", "model"] = ...,
        background: bool = ...,
    ) -> ProposeResponse | TaskAccepted:
        """Extract proposals from a text, at once or in the background."""
    def list(
        self,
        *,
        reviewed: bool | None = ...,
        entity_type: str | None = ...,
        kind: ProposalKind | Literal["entity", "relation", "alias", "event", "time"] | None = ...,
        min_confidence: float | None = ...,
        chapter: int | None = ...,
        scene: int | None = ...,
        page: int = ...,
        size: int = ...,
    ) -> Page[Extraction]:
        """List proposals, newest first, the most confident of one reading before the others."""
    def propose(
        self,
        *,
        proposals: Sequence[DraftGiven | Mapping[str, Any]],
        chapter: int | None = ...,
        scene: int | None = ...,
        manuscript_id: str | None = ...,
        text: str = ...,
        extractor: str = ...,
    ) -> ProposeResponse:
        """Propose what the caller has found by other means."""
    def read(self, *, extraction_id: str) -> Extraction:
        """Read a proposal."""
    def review(
        self, *, extraction_id: str, decision: ReviewDecision | Mapping[str, Any]
    ) -> ReviewExtractionResponse:
        """Review a proposal; if approved or merged, it is written and linked in the same step."""
    def review_many(self, *, decision: BatchDecision | Mapping[str, Any]) -> ReviewExtractionsResponse:
        """Review many proposals in one step; those that cannot be decided stay pending and are reported."""
    def uses(self) -> ListProposalUsesResponse:
        """Count how often each waiting name stands in the manuscript, so that the queue can be sorted by use."""

class _GraphMirrorOperations:
    def delete(self) -> None:
        """Remove the mirror of a story; the story stays, and is mirrored again when it next changes."""
    def verify(self) -> MirrorReport:
        """Compare a story with its mirror by a checksum over both."""

class _GraphRelationshipOperations:
    def create(
        self,
        *,
        type: str,
        source_id: str | None = ...,
        target_id: str | None = ...,
        source: str | None = ...,
        target: str | None = ...,
        description: str = ...,
        properties: Mapping[str, Any] = ...,
        since: Moment | Mapping[str, Any] | None = ...,
        until: Moment | Mapping[str, Any] | None = ...,
        valid_from: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        valid_to: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        told: Moment | Mapping[str, Any] | None = ...,
    ) -> GraphEdge:
        """Create a relation between two nodes."""
    def delete(self, *, relationship_id: str) -> None:
        """Delete a relation; its nodes stay."""
    def update(self, *, relationship_id: str, patch: RelationshipPatch | Mapping[str, Any]) -> GraphEdge:
        """Change a relation."""

class _GraphOperations:
    def around(
        self,
        *,
        entity: str = ...,
        depth: int = ...,
        as_of: Moment | Mapping[str, Any] | None = ...,
        pov: str | None = ...,
    ) -> GraphAroundResponse:
        """Show the surroundings of an entity given by id, name or alias."""
    def chapter(self, *, chapter: int) -> ChapterGraphResponse:
        """Show who is where in a chapter, and whom they know."""
    def consequences(self, *, event: str = ...) -> ConsequencesResponse:
        """Show the events that follow a given event, up to five in a chain."""
    def layout(self) -> LayOutGraphResponse:
        """Place every entity without a position, at once or in the background."""
    @property
    def mirror(self) -> _GraphMirrorOperations: ...
    def picture(
        self, *, as_of: Moment | Mapping[str, Any] | None = ..., implicit: bool = ...
    ) -> GraphPictureResponse:
        """Show the graph in columns, at all times or as of a moment."""
    def read(
        self, *, as_of: Moment | Mapping[str, Any] | None = ..., pov: str | None = ...
    ) -> FullGraphResponse:
        """Show all entities and relations of a story, or those that somebody knows."""
    @property
    def relationship(self) -> _GraphRelationshipOperations: ...
    def sync(self, *, scope: Literal["full", "incremental"] = ..., force_reindex: bool = ...) -> TaskAccepted:
        """Compile the story's graph in the background, and mirror it if a graph server is configured."""
    def timeline(self, *, entity: str = ...) -> TimelineResponse:
        """Show all outgoing relations of an entity in chapter order."""

class _HistoryOperations:
    def list(
        self, *, id: str | None = ..., limit: int = ..., offset: int = ...
    ) -> KnowledgeHistoryListResponse:
        """List the steps of a story, or those that changed one row, newest first."""
    def redo(self, *, revision: int | None = ...) -> KnowledgeHistoryRedoResponse:
        """Redo a step that was undone."""
    def undo(
        self, *, revision: int | None = ..., max_changes: int | None = ...
    ) -> KnowledgeHistoryUndoResponse:
        """Undo a step, the newest or any other that no later step depends on."""

class _JobOperations:
    def list(self, *, unfinished: bool = ..., page: int = ..., size: int = ...) -> Page[Job]:
        """List the jobs of a story, newest first."""

class _KnowingOperations:
    def create(
        self,
        *,
        fact: FactRef | Mapping[str, Any],
        knower_id: str,
        since: Moment | Mapping[str, Any] | None = ...,
        until: Moment | Mapping[str, Any] | None = ...,
        knows: bool = ...,
        how: HowKnown | Literal["witnessed", "told", "read", "deduced", "believes"] = ...,
        belief: str = ...,
        source: KnowingSource | Mapping[str, Any] | None = ...,
    ) -> KnowledgeKnowingCreateResponse:
        """Note that somebody knows a fact, believes something else, or does not know it."""
    def delete(self, *, id: str) -> KnowledgeKnowingDeleteResponse:
        """Delete a knowing."""
    def list(
        self,
        *,
        knower_id: str | None = ...,
        kind: FactKind | Literal["entity", "entry", "relation", "state", "event", "thread"] | None = ...,
        fact_id: str | None = ...,
        limit: int = ...,
        offset: int = ...,
    ) -> KnowledgeKnowingListResponse:
        """List the stored knowings, the oldest first."""
    def update(
        self,
        *,
        fact: FactRef | Mapping[str, Any],
        knower_id: str,
        id: str,
        since: Moment | Mapping[str, Any] | None = ...,
        until: Moment | Mapping[str, Any] | None = ...,
        knows: bool = ...,
        how: HowKnown | Literal["witnessed", "told", "read", "deduced", "believes"] = ...,
        belief: str = ...,
        source: KnowingSource | Mapping[str, Any] | None = ...,
        expected_version: int | None = ...,
    ) -> KnowledgeKnowingUpdateResponse:
        """Change a knowing."""

class _KnowledgeOperations:
    def chain(
        self,
        *,
        chain: Sequence[str],
        fact: FactRef | Mapping[str, Any],
        chapter: int | None = ...,
        scene: int | None = ...,
    ) -> KnowledgeChainResponse:
        """Say whether one person thinks that another thinks … that the last one knows a fact."""
    def irony(self, *, chapter: int, scene: int) -> IronyResponse:
        """Say what the reader of a scene knows and those on stage do not."""
    def leaks(self, *, chapter: int, scene: int, pov: str) -> LeaksResponse:
        """Say which private facts in a scene and its context somebody does not know."""
    def of_fact(
        self,
        *,
        kind: FactKind | Literal["entity", "entry", "relation", "state", "event", "thread"],
        id: str,
        chapter: int | None = ...,
        scene: int | None = ...,
    ) -> KnowersResponse:
        """Say who knows a fact as of a moment, how and since when."""
    def of_knower(
        self, *, knower: str, chapter: int | None = ..., scene: int | None = ...
    ) -> KnowledgeOfResponse:
        """Say what somebody knows as of a moment, how and since when."""
    def thoughts(
        self, *, chain: Sequence[str], chapter: int | None = ..., scene: int | None = ...
    ) -> KnowledgeThoughtsResponse:
        """Say what one person thinks that another thinks … that the last one knows, and what not."""

class _LorebookBookOperations:
    def create(
        self,
        *,
        name: str,
        source: Literal["global", "character", "chat", "persona"] = ...,
        activation: Literal["fabula", "sillytavern"] = ...,
        enabled: bool = ...,
        settings: ScanSettings | Mapping[str, Any] = ...,
        position: int | None = ...,
        extensions: Mapping[str, Any] = ...,
        adopt_imported: bool = ...,
    ) -> KnowledgeLorebookCreateResponse:
        """Create a lorebook beside the story's own, and move imported entries into it if asked to."""
    def delete(self, *, id: str) -> KnowledgeLorebookDeleteResponse:
        """Delete a lorebook together with its entries."""
    def list(self) -> KnowledgeLorebookListResponse:
        """List the lorebooks of a story, its own first."""
    def read(self, *, id: str) -> KnowledgeLorebookReadResponse:
        """Read a lorebook."""
    def update(self, *, id: str, patch: BookPatch | Mapping[str, Any]) -> KnowledgeLorebookUpdateResponse:
        """Change a lorebook: its name, order, settings, or by which rules its entries are activated."""

class _LorebookEntryOperations:
    def create(self, *, entry: LorebookEntryCreate | Mapping[str, Any]) -> LorebookEntry:
        """Create an entry, and the entity of its name unless its category is custom."""
    def delete(self, *, entry_id: str) -> None:
        """Delete an entry, with its entity and the entity's relations if it has one."""
    def list(
        self,
        *,
        book_id: str | None = ...,
        category: Category
        | Literal["character", "location", "item", "event", "concept", "faction", "custom"]
        | None = ...,
        enabled: bool | None = ...,
        keyword: str | None = ...,
        page: int = ...,
        size: int = ...,
    ) -> Page[LorebookEntry]:
        """List entries, highest priority first."""
    def read(self, *, entry_id: str) -> LorebookEntry:
        """Read an entry by its id."""
    def update(self, *, entry_id: str, patch: LorebookEntryPatch | Mapping[str, Any]) -> LorebookEntry:
        """Change an entry together with its entity."""

class _LorebookKeyOperations:
    def delete(self, *, entry_key: str, book_id: str = ...) -> None:
        """Delete the entry with a key, or the entity of that name, with everything that depends on it."""
    def read(self, *, entry_key: str, book_id: str = ...) -> LorebookEntry:
        """Read an entry by its key."""
    def update(
        self, *, entry_key: str, patch: LorebookEntryPatch | Mapping[str, Any], book_id: str = ...
    ) -> LorebookEntry:
        """Change the entry with a key; an entity of that name without an entry gets one."""

class _LorebookOperations:
    @property
    def book(self) -> _LorebookBookOperations: ...
    def delete(self, *, ids: Sequence[str]) -> BulkEditResponse:
        """Delete many entries in one step, all of them or none."""
    def edit(self, *, ids: Sequence[str], patch: LorebookEntryPatch | Mapping[str, Any]) -> BulkEditResponse:
        """Apply the same change to many entries in one step, to all of them or none."""
    @property
    def entry(self) -> _LorebookEntryOperations: ...
    def estimate(
        self,
        *,
        content: str = ...,
        category: Category
        | Literal["character", "location", "item", "event", "concept", "faction", "custom"] = ...,
        attributes: Mapping[str, Any] = ...,
    ) -> EstimateEntryResponse:
        """Count the tokens of an entry that is not saved yet."""
    def export(
        self,
        *,
        book_id: str = ...,
        format: Literal[
            "sillytavern",
            "card-v2",
            "card-v3",
            "card-v2-png",
            "card-v3-png",
            "character-book",
            "lorebook-v3",
            "novelai",
            "novelai-scenario",
            "risu",
            "risu-module",
            "agnai",
            "kobold",
            "aidungeon",
            "nativetavern",
            "markdown",
            "csv",
            "tsv",
        ]
        | Literal["fabula"] = ...,
        report: bool = ...,
        picture: bytes | None = ...,
    ) -> ExportEntriesResponse | ExportLossesResponse | LorebookFile:
        """Export a lorebook in the format that `/imports` accepts, or for another program."""
    @property
    def key(self) -> _LorebookKeyOperations: ...

class _ManuscriptChapterOperations:
    def delete(self, *, chapter: int, dry_run: bool = ...) -> DeleteChapterResponse:
        """Delete a chapter with its scenes and their snapshots; the other chapters keep their numbers."""
    def list(self) -> tuple[ChapterInfo, ...]:
        """List all chapters with their scenes, in order, without the texts."""
    def move(self, *, chapter: int, to: ChapterTarget | Mapping[str, Any]) -> MoveResponse:
        """Move a chapter with its scenes, together with everything dated by them."""
    def put(self, *, chapter: int, title: str) -> ChapterInfo:
        """Set the title of a chapter."""

class _ManuscriptSceneOperations:
    def delete(self, *, chapter: int, scene: int) -> None:
        """Delete a scene and its snapshot; its versions stay in the history."""
    def move(self, *, chapter: int, scene: int, to: SceneTarget | Mapping[str, Any]) -> MoveResponse:
        """Move a scene together with everything dated by it."""
    def patch(self, *, chapter: int, scene: int, patch: ScenePatch | Mapping[str, Any]) -> SceneText:
        """Change a scene's title, point of view, notes or goal, and leave its text as it is."""
    def put(
        self,
        *,
        chapter: int,
        scene: int,
        text: str,
        title: str | None = ...,
        world_time: SceneTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        expected_version: int | None = ...,
        expected_id: str | None = ...,
    ) -> tuple[SceneText, bool]:
        """Save a scene's text; return the scene and whether it is new."""
    def read(self, *, chapter: int, scene: int) -> SceneText:
        """Read a scene."""
    def time(
        self,
        *,
        chapter: int,
        scene: int,
        world_time: SceneTime | Mapping[str, Any] | RelativeTime | float | str | None,
        expected_version: int | None = ...,
    ) -> SceneText:
        """Set when a scene plays in the story's own time, and leave its text as it is."""

class _ManuscriptSnapshotOperations:
    def list(self) -> tuple[ContextSnapshot, ...]:
        """List all snapshots in story order."""
    def put(
        self,
        *,
        chapter_index: int,
        scene_index: int,
        manuscript_id: str | None = ...,
        active_characters: Sequence[SnapshotCharacter | Mapping[str, Any]] = ...,
        active_locations: Sequence[SnapshotLocation | Mapping[str, Any]] = ...,
        timeline_position: str = ...,
        summary: str = ...,
        emotional_tone: str = ...,
        word_count: int | None = ...,
    ) -> ContextSnapshot:
        """Save the snapshot of a scene."""

class _ManuscriptOperations:
    def appearances(self, *, entity_id: str) -> ListAppearancesResponse:
        """Find where an entity is named in the saved scenes, with nothing hidden from the author."""
    def cast(self, *, type: str = ..., limit: int = ...) -> ReadCastResponse:
        """List whom the manuscript names, the most named first, with nothing hidden from the author."""
    @property
    def chapter(self) -> _ManuscriptChapterOperations: ...
    def find(
        self, *, find: str, match_case: bool = ..., whole_words: bool = ..., limit: int = ...
    ) -> FindWordsResponse:
        """Find words letter by letter in the whole manuscript, with nothing hidden from the author."""
    def replace(
        self,
        *,
        find: str,
        replacement: str,
        match_case: bool = ...,
        whole_words: bool = ...,
        scenes: Sequence[str] | None = ...,
        expected_count: int | None = ...,
    ) -> ReplaceWordsResponse:
        """Replace words in the whole manuscript in one step; the earlier versions stay in the history."""
    @property
    def scene(self) -> _ManuscriptSceneOperations: ...
    @property
    def snapshot(self) -> _ManuscriptSnapshotOperations: ...

class _MemberOperations:
    def list(self) -> ListMembersResponse:
        """List the members of a story."""
    def put(self, *, user_name: str, role: Role | Literal["owner", "editor", "reader"]) -> Member:
        """Set the role of a user in a story."""
    def read(self, *, user_name: str) -> Member:
        """Read the role of a user in a story."""
    def remove(self, *, user_name: str) -> None:
        """Remove a user from a story."""

class _MentionOperations:
    def find(self, *, text: str, chapter: int | None = ..., scene: int | None = ...) -> FindMentionsResponse:
        """Find every known name in a text, as the context does, with nothing hidden from the author."""
    def new(self, *, text: str, chapter: int | None = ..., scene: int | None = ...) -> FindNewNamesResponse:
        """Find the names in a text that nobody in the story has, without a model; nothing is saved."""

class _NameOperations:
    def covers(self) -> ListCoversResponse:
        """List the open names that contain a name the author hides from models."""
    def list(self, *, q: str | None = ..., limit: int = ...) -> ListNamesResponse:
        """List all names, aliases and keywords, or with `q` the `limit` best completions."""
    def read(self, *, name_id: str) -> KnownName:
        """Read the names, aliases and keywords of an entity or a custom entry."""

class _NovelOperations:
    def ask_model(self) -> TaskAccepted:
        """Let the model answer what the rules left open, in the background; LlmUnavailable without a model."""
    def open_questions(self) -> OpenQuestionsResponse:
        """Count what the rules left open about the people of a book, and what asking a model would cost."""

class _OntologyOperations:
    def read(self) -> KnowledgeOntologyReadResponse:
        """Show the entity and relation types of a story."""
    def write(
        self, *, text: str | None, expected_version: int | None = ..., dry_run: bool = ...
    ) -> KnowledgeOntologyWriteResponse:
        """Replace the ontology of a story, and report what no longer fits; nothing is deleted."""

class _QueryOperations:
    def byids(self, *, entity_ids: Sequence[str]) -> KnowledgeQueryByIdsResponse:
        """Read several entities at once; ids of another story are refused."""
    def path(
        self,
        *,
        source_entity_id: str,
        target_entity_id: str,
        directed: bool = ...,
        as_of: Moment | Mapping[str, Any] | None = ...,
        pov: str | None = ...,
    ) -> KnowledgeQueryPathResponse:
        """Find a shortest path from one entity to another."""
    def relevant(
        self,
        *,
        excerpt: str,
        max_entities: int = ...,
        entity_ids: Sequence[str] | None = ...,
        pov: str | None = ...,
    ) -> KnowledgeQueryRelevantResponse:
        """Find the entities a passage is about, by name, alias and the words of their descriptions."""
    def retrieve(
        self,
        *,
        query: str,
        as_of: Moment | Mapping[str, Any] | None = ...,
        pinned: Sequence[str] = ...,
        max_entities: int = ...,
        max_events: int = ...,
        max_passages: int = ...,
        pov: str | None = ...,
    ) -> KnowledgeQueryRetrieveResponse:
        """Find what is relevant to a query, through names, relations, shared events and texts."""
    def subgraph(
        self,
        *,
        center_entity_id: str,
        k: int = ...,
        max_nodes: int | None = ...,
        as_of: Moment | Mapping[str, Any] | None = ...,
        pov: str | None = ...,
    ) -> KnowledgeQuerySubgraphResponse:
        """Show all entities within k hops of a given one, in either direction."""
    def validate(self, *, relation_types: Sequence[str] | None = ...) -> KnowledgeQueryValidateResponse:
        """Find the cycles in the graph; a cycle is a result, never an error."""

class _ReceiptOperations:
    def diff(self, *, from_: str, to: str) -> DiffReceiptsResponse:
        """Compare two receipts: what came, went, changed and moved."""
    def list(self, *, page: int = ..., size: int = ...) -> Page[ReceiptHeading]:
        """List the receipts of a story's contexts, newest first."""
    def read(self, *, receipt_id: str) -> ContextReceipt:
        """Read a receipt: what was told, with versions and hashes, and what was left out and why."""
    def replay(self, *, receipt_id: str) -> ReplayReceiptResponse:
        """Make the context of a receipt again at its revision: the same messages, or the reason why not."""
    def to_include(self, *, receipt_id: str, kind: str, id: str) -> ToIncludeResponse:
        """Find the smallest changes with which a context would tell something that it left out."""
    def what_if(
        self,
        *,
        receipt_id: str,
        token_budget: int | None = ...,
        pin: str | None = ...,
        hide: str | None = ...,
        pov: str | None = ...,
        chapter: int | None = ...,
        scene: int | None = ...,
    ) -> WhatIfResponse:
        """Say what a context would gain and lose with another budget, pin, point of view or moment."""

class _RelationOperations:
    def create(
        self,
        *,
        relation_type: str,
        source_entity_id: str,
        target_entity_id: str,
        since: Moment | Mapping[str, Any] | None = ...,
        until: Moment | Mapping[str, Any] | None = ...,
        valid_from: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        valid_to: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        told: Moment | Mapping[str, Any] | None = ...,
        description: str = ...,
        properties: Mapping[str, Any] = ...,
        secrecy: Secrecy | Literal["public", "private"] = ...,
    ) -> KnowledgeRelationCreateResponse:
        """Create a relation between two entities of the story."""
    def delete(self, *, id: str) -> KnowledgeRelationDeleteResponse:
        """Delete a relation; its entities stay."""
    def list(
        self, *, filter: RelationListFilter | Mapping[str, Any] = ..., limit: int = ..., offset: int = ...
    ) -> KnowledgeRelationListResponse:
        """List relations, the most recently changed first."""
    def update(
        self, *, id: str, patch: RelationPatch | Mapping[str, Any], expected_version: int | None = ...
    ) -> KnowledgeRelationUpdateResponse:
        """Change a relation's fields; its ends cannot change."""

class _RelationtypeOperations:
    def list(self, *, language: Literal["zh", "en"] | None = ...) -> KnowledgeRelationTypeListResponse:
        """List the relation types, with their Chinese and English labels."""

class _RevealOperations:
    def create(
        self,
        *,
        entity_ids: Sequence[str],
        at: Moment | Mapping[str, Any],
        known_to: Sequence[str] | None = ...,
    ) -> KnowledgeRevealCreateResponse:
        """Keep two entities apart until a moment, from which on they are told as one."""
    def delete(self, *, id: str) -> KnowledgeRevealDeleteResponse:
        """Delete a reveal; its two entities are two again at every moment."""
    def list(self) -> KnowledgeRevealListResponse:
        """List the reveals of a story, in the order of their moments."""
    def update(
        self,
        *,
        id: str,
        entity_ids: Sequence[str] | None = ...,
        at: Moment | Mapping[str, Any] | None = ...,
        known_to: Sequence[str] | None = ...,
        expected_version: int | None = ...,
    ) -> KnowledgeRevealUpdateResponse:
        """Change a reveal: its moment, its two entities, or who learns it."""
    def what_if(self, *, id: str, at: Moment | Mapping[str, Any]) -> RevealWhatIfResponse:
        """Show what the contexts of scenes would gain and lose if a reveal came at another moment."""

class _StaleOperations:
    def list(self, *, entity_id: str | None = ...) -> ListStaleResponse:
        """List the facts that the manuscript no longer says."""
    def resolve(self, *, items: Sequence[StaleChoice | Mapping[str, Any]]) -> ResolveStaleResponse:
        """Confirm, correct or drop stale facts, all in one step."""

class _StateOperations:
    def create(
        self,
        *,
        entity_id: str,
        since: Moment | Mapping[str, Any] | None = ...,
        until: Moment | Mapping[str, Any] | None = ...,
        valid_from: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        valid_to: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        told: Moment | Mapping[str, Any] | None = ...,
        description: str = ...,
        attributes: Mapping[str, Any] = ...,
        secrecy: Secrecy | Literal["public", "private"] = ...,
    ) -> KnowledgeStateCreateResponse:
        """Add a state that holds for an entity from a moment on or for a period."""
    def delete(self, *, id: str) -> KnowledgeStateDeleteResponse:
        """Delete a state."""
    def list(self, *, entity_id: str) -> KnowledgeStateListResponse:
        """List the states of an entity, ordered by their start."""
    def update(
        self,
        *,
        id: str,
        since: Moment | Mapping[str, Any] | None = ...,
        until: Moment | Mapping[str, Any] | None = ...,
        valid_from: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        valid_to: WorldTime | Mapping[str, Any] | RelativeTime | float | str | None = ...,
        told: Moment | Mapping[str, Any] | None = ...,
        description: str = ...,
        attributes: Mapping[str, Any] = ...,
        secrecy: Secrecy | Literal["public", "private"] = ...,
        expected_version: int | None = ...,
    ) -> KnowledgeStateUpdateResponse:
        """Change a state."""

class _StoryOperations:
    def delete(self) -> DeleteStoryResponse:
        """Delete a story with everything in it, history included."""
    def duplicate(self, *, title: str) -> ImportArchiveResponse:
        """Create a copy of a story as an export and an import would, without its history."""
    def fill(
        self,
        *,
        data: bytes,
        format: Literal["bundle", "folder"] = ...,
        dry_run: bool = ...,
        is_json: bool = ...,
    ) -> KnowledgeBundleImportResponse | ImportArchiveResponse:
        """Import a file into a story in one step, or report everything that is wrong with it."""
    def read(self) -> Story:
        """Read a story's own fields."""
    def update(self, *, patch: StoryPatch | Mapping[str, Any]) -> Story:
        """Change a story's own fields."""
    def watch(self) -> Edition:
        """Read the current edition of a story before watching it for changes."""

class _ThreadOperations:
    def create(
        self,
        *,
        title: str,
        kind: ThreadKind | Literal["mystery", "promise", "clue", "goal", "debt", "prop"] = ...,
        note: str = ...,
        people: Sequence[str] = ...,
        due: Moment | Mapping[str, Any] | None = ...,
        due_within: int | None = ...,
        dropped: bool = ...,
        ai_context_level: AiContextLevel | Literal["always", "when_detected", "manual_only", "never"] = ...,
        secrecy: Secrecy | Literal["public", "private"] = ...,
        plants: Sequence[PointFields | Mapping[str, Any]] = ...,
    ) -> KnowledgeThreadCreateResponse:
        """Create a thread, with its plants if there are any."""
    def delete(self, *, id: str) -> KnowledgeThreadDeleteResponse:
        """Delete a thread."""
    def list(
        self,
        *,
        as_of: Moment | Mapping[str, Any] | None = ...,
        status: Literal["unsettled"]
        | ThreadStatus
        | Literal["overdue", "due", "paid_in_part", "open", "planned", "paid", "dropped"]
        | None = ...,
    ) -> KnowledgeThreadListResponse:
        """List the threads of a story as of a moment, the most pressing first."""
    def mark(
        self,
        *,
        scene_id: str,
        quotation: str,
        id: str,
        role: Literal["plants", "advances", "payoffs"],
        start: int | None = ...,
        partial: bool = ...,
    ) -> KnowledgeThreadMarkResponse:
        """Mark the words of a scene that plant, advance or pay off a thread."""
    def unmark(self, *, id: str, point_id: str) -> KnowledgeThreadUnmarkResponse:
        """Remove a plant, advance or pay-off of a thread."""
    def update(self, *, id: str, patch: ThreadPatch | Mapping[str, Any]) -> KnowledgeThreadUpdateResponse:
        """Change a thread: its title, kind, note, people, when it is due, or whether it is dropped."""

class _WaiverOperations:
    def create(self, *, finding_id: str, reason: str = ...) -> KnowledgeWaiverCreateResponse:
        """Say that a finding is intended; it stays quiet until what is written or established changes."""
    def delete(self, *, id: str) -> KnowledgeWaiverDeleteResponse:
        """Delete a waiver, so that its finding is reported again."""
    def list(self) -> KnowledgeWaiverListResponse:
        """List the findings that are intended."""

class StoryOperations:
    """The operations of one story as Python methods: `story.entity.create(type=…, name=…)`."""

    id: str
    _memory: House

    def __init__(self, memory: House, story_id: str) -> None: ...
    def ask(self, name: str, /, **fields: Any) -> Any:
        """Run an operation on this story by name, such as `context.preview`."""
    def _ask(self, operation: Operation[RequestT, ResponseT], **fields: Any) -> ResponseT: ...
    @property
    def batch(self) -> _BatchOperations: ...
    @property
    def bundle(self) -> _BundleOperations: ...
    @property
    def chat(self) -> _ChatOperations: ...
    @property
    def checks(self) -> _ChecksOperations: ...
    @property
    def conversation(self) -> _ConversationOperations: ...
    @property
    def embedding(self) -> _EmbeddingOperations: ...
    @property
    def entity(self) -> _EntityOperations: ...
    @property
    def event(self) -> _EventOperations: ...
    @property
    def evidence(self) -> _EvidenceOperations: ...
    @property
    def extraction(self) -> _ExtractionOperations: ...
    @property
    def graph(self) -> _GraphOperations: ...
    @property
    def history(self) -> _HistoryOperations: ...
    @property
    def job(self) -> _JobOperations: ...
    @property
    def knowing(self) -> _KnowingOperations: ...
    @property
    def knowledge(self) -> _KnowledgeOperations: ...
    @property
    def lorebook(self) -> _LorebookOperations: ...
    @property
    def manuscript(self) -> _ManuscriptOperations: ...
    @property
    def member(self) -> _MemberOperations: ...
    @property
    def mention(self) -> _MentionOperations: ...
    @property
    def name(self) -> _NameOperations: ...
    @property
    def novel(self) -> _NovelOperations: ...
    @property
    def ontology(self) -> _OntologyOperations: ...
    @property
    def query(self) -> _QueryOperations: ...
    @property
    def receipt(self) -> _ReceiptOperations: ...
    @property
    def relation(self) -> _RelationOperations: ...
    @property
    def relationtype(self) -> _RelationtypeOperations: ...
    @property
    def reveal(self) -> _RevealOperations: ...
    @property
    def stale(self) -> _StaleOperations: ...
    @property
    def state(self) -> _StateOperations: ...
    @property
    def story(self) -> _StoryOperations: ...
    @property
    def thread(self) -> _ThreadOperations: ...
    @property
    def waiver(self) -> _WaiverOperations: ...
