"""Threads lose the people and the scenes that are gone."""

from __future__ import annotations

from fabula.canon.consequences.made import Made
from fabula.canon.versions import touched
from fabula.store.writer import Writer


def shorten_threads(writer: Writer, made: Made) -> None:
    """Remove from threads the entities that are gone, and what was quoted from scenes that are."""
    is_less = any(turn.after is None for turn in (*made.entities.values(), *made.turns("scene").values()))
    # A thread that is brought back may name what has gone since.
    if not is_less and not (writer.is_reverting and made.turns("thread")):
        return
    threads = writer.threads.all_of(writer.project_id)
    if not threads:
        return
    people = writer.entities(writer.project_id, {key for thread in threads for key in thread.people})
    scenes = writer.threads.scene_places(writer.project_id)
    for thread in threads:
        after = thread.keeping(lambda point: point.scene_id in scenes)
        after = after.model_copy(update={"people": tuple(one for one in thread.people if one in people)})
        if after != thread:
            writer.replace([(thread, touched(writer, after))])
