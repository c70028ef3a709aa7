"""A thread that keeps the mirror up to date: with what others write, too, and after the server was away.

What goes wrong is logged once and tried again; it never reaches the one who changed the story.
"""

from __future__ import annotations

import logging
import threading

from fabula.errors import FabulaError, GraphUnavailable, NotFound
from fabula.projections.mirror import Mirror, Position
from fabula.store.export_reader import editions
from fabula.store.reader import Edition
from fabula.store.store import Store

LOOK_EVERY_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0

log = logging.getLogger("fabula.mirror")


class MirrorFollower:
    """Brings the graphs of all stories of a store up to date, soon after they change."""

    def __init__(self, store: Store, mirror: Mirror) -> None:
        self._store, self._mirror = store, mirror
        self._reached: dict[str, Edition] | None = None
        self._given_up: dict[str, Edition] = {}
        self._pause = LOOK_EVERY_SECONDS
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True, name="mirror")
        self._thread.start()

    def close(self) -> None:
        """Stop; what is not mirrored yet is mirrored by the next who follows."""
        self._leaving.set()
        self._thread.join()

    def _follow(self) -> None:
        while True:
            try:
                self._look()
                self._pause = LOOK_EVERY_SECONDS
            except Exception as error:
                self._failed(error)
            if self._leaving.wait(self._pause):
                return

    def _look(self) -> None:
        with self._store.read() as reader:
            current, gone = editions(reader), reader.gone_stories()
        for story, began in gone.items():
            self._bid_farewell(story, began, is_back=story in current)
        for story, edition in current.items():
            if self._leaving.is_set():
                return
            if edition not in (self._known().get(story), self._given_up.get(story)):
                self._mirror_story(story, edition)

    def _known(self) -> dict[str, Edition]:
        """How far the graphs were when this thread last saw them."""
        if self._reached is None:
            positions = self._mirror.positions().items()
            self._reached = {story: at.edition for story, at in positions if at == Position(at.edition, None)}
        return self._reached

    def _mirror_story(self, story: str, edition: Edition) -> None:
        """Mirror one story; one that cannot be is left until it changes, and keeps nobody else waiting."""
        try:
            if self._mirror.bring_up_to_date(story, lambda done, total: not self._leaving.is_set()):
                self._known()[story] = edition
        except NotFound:
            self._known().pop(story, None)
        except GraphUnavailable:
            raise
        except Exception:
            self._given_up[story] = edition
            log.exception("not mirrored", extra={"projectId": story})

    def _bid_farewell(self, story: str, began: str, *, is_back: bool) -> None:
        """Remove the graph of a story that was deleted; one that began anew under its id is built anew."""
        if not is_back:
            self._mirror.delete_story_graph(story)
            self._known().pop(story, None)
        self._store.forget_gone(story, began)

    def _failed(self, error: Exception) -> None:
        """Log the first of a row of failures, and try again after longer and longer pauses."""
        if self._pause == LOOK_EVERY_SECONDS:
            reason = error.message if isinstance(error, FabulaError) else type(error).__name__
            log.warning("not mirrored", extra={"reason": reason})
        self._reached = None
        self._pause = min(LONGEST_PAUSE_SECONDS, 2 * self._pause)
