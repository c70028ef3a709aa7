"""The shadow export: a folder per story that follows its change log, a moment behind.

A thread looks at the revisions of all stories, so that it sees what other processes write, too. A story is
written when it has been left alone for a moment, or has not been for too long. What goes wrong is logged once
and tried again; it never reaches the one who changed the story.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fabula.errors import FabulaError, NotFound
from fabula.projections.folder import Reached, StoryFolder, Written, folder_for
from fabula.projections.story_files import all_files, files_since
from fabula.store.export_reader import editions
from fabula.store.reader import Edition, Reader
from fabula.store.store import Store

LOOK_EVERY_SECONDS = 0.5
QUIET_SECONDS = 1.0
LONGEST_SECONDS = 10.0
RETRY_SECONDS = 10.0

log = logging.getLogger("fabula.shadow")


def bring_up_to_date(reader: Reader, folder: StoryFolder, project_id: str) -> Written | None:
    """Let a locked folder hold a story as it is now; None if it does already."""
    reader.renew()
    edition = reader.edition(project_id)
    reader.story(project_id)
    reached = folder.reached()
    now = Reached(project_id, *edition)
    if reached == now:
        return None
    files = None
    if reached is not None and reached[:2] == now[:2] and 0 < reached.revision < now.revision:
        files = files_since(reader, project_id, reached.revision)
    if files is not None:
        return folder.write(files, now, is_whole=False)
    return folder.write(all_files(reader, project_id), now, is_whole=True)


@dataclass
class Patience:
    """Which stories are to be written now: those left alone for a moment, and those never left alone."""

    _seen: dict[str, Edition] = field(default_factory=dict)
    _first: dict[str, float] = field(default_factory=dict)
    _last: dict[str, float] = field(default_factory=dict)

    def due(self, now: float, current: Mapping[str, Edition]) -> list[str]:
        """Look at the revisions of the stories, and say which of them have waited long enough."""
        for story, edition in current.items():
            if self._seen.get(story) != edition:
                is_news = story in self._seen
                self._seen[story] = edition
                self._first.setdefault(story, now if is_news else now - LONGEST_SECONDS)
                self._last[story] = now
        return [
            story
            for story, first in self._first.items()
            if now - self._last[story] >= QUIET_SECONDS or now - first >= LONGEST_SECONDS
        ]

    def done(self, story: str) -> None:
        """The story is written, or gone."""
        self._first.pop(story, None)

    def later(self, story: str, now: float) -> None:
        """The story could not be written: try again after a while."""
        self._first[story] = now + RETRY_SECONDS - LONGEST_SECONDS
        self._last[story] = now + RETRY_SECONDS - QUIET_SECONDS


class Shadow:
    """Follows all stories of a store into folders below one folder."""

    def __init__(self, store: Store, parent: Path, clock: Callable[[], float]) -> None:
        self._store, self._parent, self._clock = store, parent, clock
        self._patience = Patience()
        self._folders: dict[str, StoryFolder] = {}
        self._failing: set[str] = set()
        self._writing = threading.Lock()
        self._leaving = threading.Event()
        self._opened = self._editions()
        self._written: dict[str, Edition] = {}
        self._thread = threading.Thread(target=self._follow, daemon=True, name="shadow")
        self._thread.start()

    def close(self) -> None:
        """Write what changed since the house was opened, and stop."""
        self._leaving.set()
        self._thread.join()
        self.flush()

    def flush(self) -> None:
        """Write every story that changed since the house was opened, now."""
        for story, edition in self._editions().items():
            if edition not in (self._opened.get(story), self._written.get(story)):
                self._write(story)

    def _editions(self) -> dict[str, Edition]:
        with self._store.read() as reader:
            return editions(reader)

    def _follow(self) -> None:
        while True:
            try:
                self._look()
            except Exception:
                log.exception("failed")
            if self._leaving.wait(LOOK_EVERY_SECONDS):
                return

    def _look(self) -> None:
        for story in self._patience.due(self._clock(), self._editions()):
            if self._leaving.is_set():
                return
            if self._write(story):
                self._patience.done(story)
            else:
                self._patience.later(story, self._clock())

    def _write(self, story: str) -> bool:
        """Write a story; False if that is to be tried again."""
        try:
            with self._writing, self._store.read() as reader:
                edition = reader.edition(story)
                folder = self._folder(reader, story)
                with folder.locked():
                    bring_up_to_date(reader, folder, story)
        except NotFound:
            return True
        except Exception as error:
            return self._failed(story, error)
        self._failing.discard(story)
        self._written[story] = edition
        return True

    def _folder(self, reader: Reader, story: str) -> StoryFolder:
        known = self._folders.get(story)
        reached = None if known is None else known.reached()
        if known is None or reached is None or reached.story_id != story:
            known = folder_for(self._parent, story, reader.story(story).title)
            self._folders[story] = known
        return known

    def _failed(self, story: str, error: Exception) -> bool:
        """Log the first of a row of failures: codes and places, no text of the story."""
        if story not in self._failing:
            self._failing.add(story)
            reason = error.message if isinstance(error, FabulaError) else str(error)
            log.warning("not exported", extra={"projectId": story, "reason": reason})
        return False
