"""One story in Python: its manuscript, lorebook, contexts, proposals, and its channels as methods."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel

from fabula.call import Call
from fabula.canon.entry_values import LorebookEntry, LorebookEntryCreate
from fabula.model.context import AssembledContext
from fabula.model.parsing import parsed
from fabula.operations.bundles.bundles import import_bundle
from fabula.operations.bundles.values import (
    KnowledgeBundleImportRequest,
    KnowledgeBundleImportResponse,
)
from fabula.operations.catalogue import CHANNELS
from fabula.operations.checks import CheckPassageRequest, PassageCheck, check_passage
from fabula.operations.context import AssembleContextRequest, assemble_context
from fabula.operations.import_export.export_story import ExportFolderRequest, FolderExported, export_folder
from fabula.operations.lorebook.entries import create_entry
from fabula.operations.manuscript.manuscript import (
    ContextSnapshot,
    PutSnapshotRequest,
    SceneText,
    put_scene,
    put_snapshot,
)
from fabula.operations.manuscript.rearranging import (
    ChapterTarget,
    MoveChapterRequest,
    Moved,
    SceneTarget,
    move_chapter,
    move_scene,
)
from fabula.operations.proposals.extraction import extract_entities, list_extractions, propose_extractions
from fabula.operations.proposals.review import review_extraction
from fabula.operations.proposals.values import (
    MAX_REVIEWED,
    Extracted,
    Extraction,
    ExtractRequest,
    ProposeRequest,
    Reviewed,
    ReviewRequest,
)
from fabula.operations.search.search import SearchRequest, SearchResults, search_story
from fabula.store.proposal_reader import ProposalFilter


class House(Protocol):
    """What a story asks of the house it is in."""

    def call(self) -> Call:
        """What operations work with."""

    def answer(self, channel: str, payload: Any) -> BaseModel:
        """Answer plain data that came over a channel."""


class StoryMemory:
    """One story's channels as Python: `story.entity.create(type=…, name=…)`."""

    def __init__(self, memory: House, story_id: str) -> None:
        self.id = story_id
        self._memory = memory

    def scene(self, chapter: int, scene: int, text: str, title: str | None = None) -> SceneText:
        """Keep the text of a scene; chapters and scenes count from 0."""
        place = {"project_id": self.id, "chapter": chapter, "scene": scene}
        return put_scene(self._memory.call(), **place, text=text, title=title)[0]

    def move_scene(self, place: tuple[int, int], to: tuple[int, int], **wishes: Any) -> Moved:
        """Move a scene, and with it whatever is dated with it; `dry_run` says what that would do."""
        request = parsed(SceneTarget, {"chapter": to[0], "scene": to[1], **wishes})
        return move_scene(self._memory.call(), self.id, *place, request)

    def move_chapter(self, chapter: int, to: int, **wishes: Any) -> Moved:
        """Move a chapter, and with it whatever is dated with it."""
        request = parsed(ChapterTarget, {"chapter": to, **wishes})
        return move_chapter(
            self._memory.call(), MoveChapterRequest(project_id=self.id, chapter=chapter, to=request)
        )

    def snapshot(self, chapter: int, scene: int, summary: str, **fields: Any) -> ContextSnapshot:
        """Keep what was so at the end of a scene, for those who write the next ones."""
        said = {"chapter_index": chapter, "scene_index": scene, "summary": summary, **fields}
        return put_snapshot(self._memory.call(), parsed(PutSnapshotRequest, {"project_id": self.id, **said}))

    def entry(self, key: str, content: str, **fields: Any) -> LorebookEntry:
        """Add a lorebook entry; `category` makes it the entity of that name, too."""
        request = parsed(LorebookEntryCreate, {"entry_key": key, "content": content, **fields})
        return create_entry(self._memory.call(), self.id, request)

    def context(self, chapter: int, scene: int, text: str | None = None, **wishes: Any) -> AssembledContext:
        """What a model must know to write a scene: `messages`, and a `trace` with every reason."""
        request = parsed(AssembleContextRequest, {"chapter": chapter, "scene": scene, "text": text, **wishes})
        return assemble_context(
            self._memory.call(), AssembleContextRequest(project_id=self.id, **dict(request))
        )

    def search(self, q: str, **wishes: Any) -> SearchResults:
        """Find names, texts, events and passages that have to do with a few words or a question."""
        return search_story(
            self._memory.call(), parsed(SearchRequest, {"project_id": self.id, "q": q, **wishes})
        )

    def check(self, text: str, **wishes: Any) -> PassageCheck:
        """Hold a passage against the story: who should not be in it, who is known, who is not."""
        return check_passage(
            self._memory.call(), parsed(CheckPassageRequest, {"project_id": self.id, "text": text, **wishes})
        )

    def extract(self, text: str, **wishes: Any) -> Extracted:
        """Look through a text; what is found waits for review."""
        request = parsed(ExtractRequest, {"text": text, **wishes})
        return extract_entities(self._memory.call(), self.id, request)

    def propose(self, *proposals: dict[str, Any], **origin: Any) -> Extracted:
        """Propose what you found with means of your own."""
        request = parsed(ProposeRequest, {"proposals": proposals, **origin})
        return propose_extractions(self._memory.call(), self.id, request)

    def proposals(self, *, reviewed: bool | None = False) -> tuple[Extraction, ...]:
        """What waits for review, or was reviewed, or with None both."""
        wanted = ProposalFilter(reviewed=reviewed)
        return list_extractions(self._memory.call(), self.id, wanted, 0, MAX_REVIEWED).items

    def review(self, proposal_id: str, action: str, **wishes: Any) -> Reviewed:
        """Decide about a proposal: `approved`, `rejected` or `merged`."""
        request = parsed(ReviewRequest, {"action": action, **wishes})
        return review_extraction(self._memory.call(), self.id, proposal_id, request)

    def import_bundle(self, text: str, *, dry_run: bool = False) -> KnowledgeBundleImportResponse:
        """Write a bundle, YAML or JSON, in one step; BundleInvalid with everything that is wrong with it."""
        said = {"project_id": self.id, "text": text, "dry_run": dry_run}
        return import_bundle.run(self._memory.call(), parsed(KnowledgeBundleImportRequest, said))

    def export(self, folder: str | Path) -> FolderExported:
        """Write the story into a folder of text files; only what changed since the last time is written."""
        return export_folder(self._memory.call(), ExportFolderRequest(project_id=self.id, path=Path(folder)))

    def __getattr__(self, noun: str) -> _Noun:
        if noun.startswith("_") or not any(key.split(":")[1] == noun for key in CHANNELS):
            raise AttributeError(noun)
        return _Noun(self._memory, self.id, noun)

    def __repr__(self) -> str:
        return f"StoryMemory({self.id!r})"


class _Noun:
    def __init__(self, memory: House, story_id: str, noun: str) -> None:
        self._memory, self._story_id, self._noun = memory, story_id, noun

    def __getattr__(self, verb: str) -> Any:
        channel = f"knowledge:{self._noun}:{verb}"
        if channel not in CHANNELS:
            raise AttributeError(verb)

        def ask(**fields: Any) -> Any:
            return self._memory.answer(channel, {"project_id": self._story_id, **fields})

        ask.__doc__ = CHANNELS[channel].summary
        return ask

    def __dir__(self) -> list[str]:
        return [key.rsplit(":", 1)[1] for key in CHANNELS if key.split(":")[1] == self._noun]
