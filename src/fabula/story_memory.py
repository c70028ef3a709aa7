"""The Python API of one story: its manuscript, lorebook, contexts, proposals, and every operation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fabula.assembly.context import AssembledContext
from fabula.canon.entry_values import LorebookEntry
from fabula.model.parsing import parsed
from fabula.operations.bundles.bundles import import_bundle
from fabula.operations.bundles.values import KnowledgeBundleImportResponse
from fabula.operations.chat.messages import KnowledgeContextChatResponse, chat_context
from fabula.operations.checks.passage import CheckPassageResponse, check_passage
from fabula.operations.context import assemble_context
from fabula.operations.import_export.export_story import ExportFolderResponse, export_folder
from fabula.operations.lorebook.entries import create_entry
from fabula.operations.manuscript.manuscript import (
    ContextSnapshot,
    SceneText,
    put_scene,
    put_scene_time,
    put_snapshot,
)
from fabula.operations.manuscript.rearranging import MoveResponse, move_chapter, move_scene
from fabula.operations.manuscript.scene_header import patch_scene
from fabula.operations.manuscript.timeline import StoryTimelineResponse, read_timeline
from fabula.operations.proposals.extraction import (
    extract_entities,
    extractions_page,
    propose_extractions,
)
from fabula.operations.proposals.review import review_extraction
from fabula.operations.proposals.values import (
    MAX_REVIEWED,
    Extraction,
    ExtractRequest,
    ProposeResponse,
    ReviewExtractionResponse,
)
from fabula.operations.search.search import SearchResponse, search_story
from fabula.store.proposal_reader import ProposalFilter
from fabula.story_operations import StoryOperations


class StoryMemory(StoryOperations):
    """One story: its manuscript, contexts and proposals, and every operation as `story.noun.verb(…)`."""

    def scene(
        self, chapter: int, scene: int, text: str, title: str | None = None, **fields: Any
    ) -> SceneText:
        """Save the text of a scene, and with `world_time` when it plays; chapters and scenes count from 0."""
        return self._ask(put_scene, chapter=chapter, scene=scene, text=text, title=title, **fields)[0]

    def scene_time(self, chapter: int, scene: int, world_time: Any) -> SceneText:
        """Say when a scene plays: a day, a date, or so many days after or before a scene or an event."""
        return self._ask(put_scene_time, chapter=chapter, scene=scene, world_time=world_time)

    def plan_scene(self, chapter: int, scene: int, **patch: Any) -> SceneText:
        """Change a scene's `title`, `pov`, `notes` or `word_goal`, and leave its text as it is."""
        return self._ask(patch_scene, chapter=chapter, scene=scene, patch=patch)

    def timeline(self, order: str = "told", **wishes: Any) -> StoryTimelineResponse:
        """Return the scenes and events as they are told, or with `happened` as they happen."""
        return self._ask(read_timeline, order=order, **wishes)

    def move_scene(self, place: tuple[int, int], to: tuple[int, int], **wishes: Any) -> MoveResponse:
        """Move a scene and everything dated by it; `dry_run` shows what that would do."""
        target = {"chapter": to[0], "scene": to[1], **wishes}
        return self._ask(move_scene, chapter=place[0], scene=place[1], to=target)

    def move_chapter(self, chapter: int, to: int, **wishes: Any) -> MoveResponse:
        """Move a chapter and everything dated by it."""
        return self._ask(move_chapter, chapter=chapter, to={"chapter": to, **wishes})

    def snapshot(self, chapter: int, scene: int, summary: str, **fields: Any) -> ContextSnapshot:
        """Save the state at the end of a scene, as context for the next ones."""
        place = {"chapter_index": chapter, "scene_index": scene}
        return self._ask(put_snapshot, **place, summary=summary, **fields)

    def entry(self, key: str, content: str, **fields: Any) -> LorebookEntry:
        """Add a lorebook entry; with `category` it also becomes an entity of that name."""
        return self._ask(create_entry, entry={"entry_key": key, "content": content, **fields})

    def context(self, chapter: int, scene: int, text: str | None = None, **wishes: Any) -> AssembledContext:
        """Assemble what a model must know to write a scene: `messages`, and a `trace` with every reason."""
        return self._ask(assemble_context, chapter=chapter, scene=scene, text=text, **wishes)

    def chat_context(self, *messages: dict[str, Any], **wishes: Any) -> KnowledgeContextChatResponse:
        """Add what a model must know to a conversation: the `messages` to send, and a `trace`."""
        return self._ask(chat_context, messages=messages, **wishes)

    def search(self, q: str, **wishes: Any) -> SearchResponse:
        """Search names, texts, events and passages by a few words or a question."""
        return self._ask(search_story, q=q, **wishes)

    def check(self, text: str, **wishes: Any) -> CheckPassageResponse:
        """Check a passage against the story: who should not be in it, who is known, who is not."""
        return self._ask(check_passage, text=text, **wishes)

    def extract(self, text: str, **wishes: Any) -> ProposeResponse:
        """Extract entities from a text; what is found awaits review."""
        request = parsed(ExtractRequest, {"text": text, **wishes})
        return extract_entities(self._memory.call(), self.id, request)

    def propose(self, *proposals: dict[str, Any], **origin: Any) -> ProposeResponse:
        """Propose findings of your own."""
        return self._ask(propose_extractions, proposals=proposals, **origin)

    def proposals(self, *, reviewed: bool | None = False) -> tuple[Extraction, ...]:
        """Return the proposals that await review, that were reviewed, or with None both."""
        wanted = ProposalFilter(reviewed=reviewed)
        return extractions_page(self._memory.call(), self.id, wanted, 0, MAX_REVIEWED).items

    def review(self, proposal_id: str, action: str, **wishes: Any) -> ReviewExtractionResponse:
        """Review a proposal: `approved`, `rejected` or `merged`."""
        return self._ask(review_extraction, extraction_id=proposal_id, decision={"action": action, **wishes})

    def import_bundle(self, text: str, *, dry_run: bool = False) -> KnowledgeBundleImportResponse:
        """Import a YAML or JSON bundle in one step; raises BundleInvalid with all errors."""
        return self._ask(import_bundle, text=text, dry_run=dry_run)

    def export(self, folder: str | Path) -> ExportFolderResponse:
        """Export the story to a folder of text files; only what changed since the last time is written."""
        return self._ask(export_folder, path=Path(folder))

    def __repr__(self) -> str:
        return f"StoryMemory({self.id!r})"
