"""A story as it was at an earlier revision, in a database of its own that is thrown away afterwards."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from fabula.call import Call
from fabula.canon.consequences.events import retell_events
from fabula.canon.consequences.lookups import categorise_entries, index_aliases
from fabula.canon.consequences.made import Made
from fabula.canon.step import Step
from fabula.errors import NotFound
from fabula.index.cache import StoryIndexes
from fabula.meters import Meters
from fabula.model.account import LOCAL
from fabula.store.change import Change
from fabula.store.past import blank_database, story_as_of
from fabula.store.store import Store
from fabula.store.writer import Opening

ROOM = 1_000_000_000

# What is derived from rows, and not recorded.
_DERIVED = (index_aliases, categorise_entries, retell_events)


class _TurnedBack(Step):
    """A step whose changes are there already: only what is derived from them is written."""

    def __init__(self, call: Call, changes: Sequence[Change], opening: Opening) -> None:
        super().__init__(call, opening)
        self._changes = changes

    @property
    def done(self) -> Sequence[Change]:
        """The changes that led back."""
        return self._changes

    def finish(self) -> int:
        """Write what is derived; the log stays as it is."""
        made = Made(self, 0)
        for derive in _DERIVED:
            derive(self, made)
        return self._story.revision


@contextmanager
def as_of(call: Call, project_id: str, revision: int, *, with_vectors: bool = True) -> Iterator[Call]:
    """Open a copy of a story as it was at a revision, which may be changed without changing the story.

    What is not in the change log is as it is today: the settings of the server, and the embeddings, which
    may be left out.
    """
    folder = Path(tempfile.mkdtemp(prefix="fabula-"))
    try:
        place = folder / "fabula.db"
        place.write_bytes(blank_database())
        with call.store.read() as reader:
            if not 0 < revision <= reader.story(project_id).revision:
                raise NotFound(f"The story has no step {revision}.", details={"revision": revision})
            past = story_as_of(reader, project_id, revision, with_vectors=with_vectors)
        store = Store(place, limits=call.limits, clock=call.clock)
        try:
            store.put_rows(past.rows)
            then = replace(
                call,
                store=store,
                indexes=StoryIndexes(ROOM),
                identity=LOCAL,
                meaning=call.meaning.at_rest(),
                mirror=None,
                meters=Meters(),
            )
            turned = partial(_TurnedBack, then, past.changes)
            with store.write(project_id, turned, action="", actor=LOCAL.id):
                pass
            yield then
        finally:
            store.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
