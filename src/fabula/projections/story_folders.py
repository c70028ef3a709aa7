"""The story folders as a projection: one folder of text files per story, below a common folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fabula.projections.folder import Reached, StoryFolder, Written, folder_for
from fabula.projections.projection import NOWHERE, Overtaken, ProjectionProgress, unheeded
from fabula.projections.story_files import FOLLOWED, FOLLOWED_CHANGES, all_files, files_for
from fabula.store.changes import Changes
from fabula.store.reader import Edition, Reader
from fabula.store.rowkind import RowKind
from fabula.store.store import Store

# Returns the folder of a story by its id and title; the title names a new folder.
Locate = Callable[[str, str], StoryFolder]


class StoryFolders:
    """A folder of text files per story; `last` is the result of the last write."""

    name = "folder"
    kinds = FOLLOWED
    waived: frozenset[RowKind] = frozenset()
    most_changes = FOLLOWED_CHANGES

    def __init__(self, store: Store, locate: Locate) -> None:
        self._store, self._locate = store, locate
        self._folders: dict[str, StoryFolder] = {}
        self.last: Written | None = None

    @classmethod
    def below(cls, store: Store, parent: Path) -> StoryFolders:
        """Keep the folders below one parent folder."""
        return cls(store, lambda story, title: folder_for(parent, story, title))

    def position(self, story: str) -> Edition:
        """Return the edition that the folder of a story holds."""
        with self._store.read() as reader:
            reached = self._folder(reader, story).reached()
        return _edition(reached, story)

    def apply(self, story: str, changes: Changes, report: ProjectionProgress = unheeded) -> bool:
        """Write the files that changed."""
        folder = self._folder(changes.reader, story)
        with folder.locked():
            if _edition(folder.reached(), story) != changes.since:
                raise Overtaken
            files, reached = files_for(changes), Reached(story, *changes.until)
            if files is None:
                self.last = folder.write(all_files(changes.reader, story), reached, is_whole=True)
            else:
                self.last = folder.write(files, reached, is_whole=False)
        return True

    def rebuild(self, story: str, report: ProjectionProgress = unheeded) -> bool:
        """Write every file of a story that is missing or outdated."""
        with self._store.read() as reader:
            folder = self._folder(reader, story)
            with folder.locked():
                # See what another process wrote while it held the folder.
                reader.renew()
                reader.story(story)
                reached = Reached(story, *reader.edition(story))
                self.last = folder.write(all_files(reader, story), reached, is_whole=True)
        return True

    def _folder(self, reader: Reader, story: str) -> StoryFolder:
        known = self._folders.get(story)
        reached = None if known is None else known.reached()
        if known is None or reached is None or reached.story_id != story:
            known = self._locate(story, reader.story(story).title)
            self._folders[story] = known
        return known


def _edition(reached: Reached | None, story: str) -> Edition:
    if reached is None or reached.story_id != story:
        return NOWHERE
    return Edition(reached.began, reached.revision)
