"""The world time of a view in words, as its audience may read them."""

from __future__ import annotations

from fabula.context.audience import ModelView
from fabula.model.audience import OpenText
from fabula.model.calendar import DAYS
from fabula.model.moment import place_of
from fabula.model.story_settings import calendar_in
from fabula.model.world_time import WorldTime


def world_time_words(view: ModelView) -> OpenText:
    """Return when a view's moment plays, with the author's word for it unless that names a secret.

    Empty if the view has no moment, or no scene told by then has a world time.
    """
    if view.day is None or view.instant is None:
        return OpenText("")
    story = view.reader.story(view.index.project_id)
    scene = view.reader.manuscript.scene(view.index.project_id, *place_of(view.instant))
    own = None if scene is None else scene.world_time
    calendar, bare = calendar_in(story.settings), WorldTime.trusted(day=view.day, label="")
    for time in (own or bare, bare):
        if told := view.label(calendar.told(time, story.language)):
            return told
    return OpenText(DAYS.shown(view.day, story.language))
