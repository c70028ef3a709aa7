"""The folders of stories as a projection: one folder of text files for each story, below one folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fabula.projections.folder import Reached, StoryFolder, Written, folder_for
from fabula.projections.projection import NOWHERE, Overtaken, Report, unheeded
from fabula.projections.story_files import FOLLOWED, FOLLOWED_CHANGES, all_files, files_for
from fabula.store.changes import Changes
from fabula.store.reader import Edition, Reader
from fabula.store.rowkind import RowKind
from fabula.store.store import Store

# The folder of a story, wherever that is; its title names a new one.
Locate = Callable[[str, str], StoryFolder]


class StoryFolders:
    """A folder per story that holds it as text files; `last` is what the last writing did."""

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
        """The folders below one folder."""
        return cls(store, lambda story, title: folder_for(parent, story, title))

    def position(self, story: str) -> Edition:
        """Which edition the folder of a story holds."""
        with self._store.read() as reader:
            reached = self._folder(reader, story).reached()
        return _edition(reached, story)

    def apply(self, story: str, changes: Changes, report: Report = unheeded) -> bool:
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

    def rebuild(self, story: str, report: Report = unheeded) -> bool:
        """Write every file of a story that is not there as it should be."""
        with self._store.read() as reader:
            folder = self._folder(reader, story)
            with folder.locked():
                # What another process wrote while it held the folder is seen now.
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
