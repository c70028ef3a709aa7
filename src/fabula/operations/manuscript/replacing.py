"""Finding and replacing words in the whole manuscript, in one step that can be undone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.canon.step import Step, in_step
from fabula.canon.versions import touched
from fabula.errors import Conflict, InvalidInput
from fabula.model.account import Role
from fabula.model.manuscript import MAX_SCENE_LENGTH, Scene, word_count
from fabula.model.wire import Id, Text, Value
from fabula.operations.manuscript.after_saving import queue_after_scene
from fabula.operations.table import StoryRequest, operation

MOST_WORDS = 1_000
MOST_SHOWN = 500
_AROUND = 40
# Chinese has no spaces between words, so only letters and digits of other scripts go on.
_GOES_ON = r"[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"


class WordsSought(StoryRequest):
    """Words to find in the manuscript."""

    find: Annotated[Text, Field(min_length=1, max_length=MOST_WORDS)]
    match_case: bool = True
    whole_words: bool = False


class FindWordsRequest(WordsSought):
    """Words to find, and how many places to show."""

    limit: Annotated[int, Field(ge=1, le=MOST_SHOWN)] = 100


class ReplaceWordsRequest(WordsSought):
    """Words to find, and those to put in their place.

    `scenes` are the ids of the scenes meant, by default all. With `expectedCount` nothing is replaced if
    there are more or fewer places by now.
    """

    replacement: Annotated[Text, Field(max_length=MOST_WORDS)]
    scenes: Annotated[tuple[Id, ...], Field(max_length=100_000)] | None = None
    expected_count: Annotated[int, Field(ge=0)] | None = None


class FoundPlace(Value):
    """A place that has the words, with some text around it."""

    scene_id: str
    chapter: int
    scene: int
    start: int
    end: int
    before: str
    words: str
    after: str


class FoundInScene(Value):
    """How often a scene has the words."""

    scene_id: str
    chapter: int
    scene: int
    count: int


class FindWordsResponse(Value):
    """How often each scene has the words, and the first places, in story order."""

    count: int
    scenes: tuple[FoundInScene, ...]
    places: tuple[FoundPlace, ...]


class ReplaceWordsResponse(Value):
    """How many places in how many scenes were changed."""

    count: int
    scene_count: int


@operation("manuscript.find", role=Role.READER)
def find_words(call: Call, request: FindWordsRequest) -> FindWordsResponse:
    """Find words letter by letter in the whole manuscript, with nothing hidden from the author."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        found = list(_found(request, reader.manuscript.scenes(request.project_id)))
    shown = (_shown(scene, place) for scene, places in found for place in places)
    return FindWordsResponse(
        count=sum(len(places) for _, places in found),
        scenes=tuple(
            FoundInScene(
                scene_id=scene.id, chapter=scene.chapter_index, scene=scene.scene_index, count=len(places)
            )
            for scene, places in found
        ),
        places=tuple(place for place, _ in zip(shown, range(request.limit), strict=False)),
    )


@operation("manuscript.replace", role=Role.EDITOR)
def replace_words(call: Call, request: ReplaceWordsRequest) -> ReplaceWordsResponse:
    """Replace words in the whole manuscript in one step; the earlier versions stay in the history."""
    answer = _replaced(call, request)
    call.jobs.crew.notice()
    return answer


@in_step("scenes:replace")
def _replaced(step: Step, request: ReplaceWordsRequest) -> ReplaceWordsResponse:
    meant = None if request.scenes is None else set(request.scenes)
    scenes = [one for one in step.manuscript.scenes(request.project_id) if meant is None or one.id in meant]
    found = list(_found(request, scenes))
    count = sum(len(places) for _, places in found)
    if request.expected_count is not None and request.expected_count != count:
        raise Conflict(
            "The text has changed since the words were looked for.",
            details={"expectedCount": request.expected_count, "count": count},
            suggestion="Look at the places again.",
        )
    changed = [(scene, _with(step, scene, places, request.replacement)) for scene, places in found]
    changed = [(before, after) for before, after in changed if after.text != before.text]
    step.replace(changed)
    for scene, _ in changed:
        queue_after_scene(step.call, request.project_id, scene.chapter_index, scene.scene_index, step)
    return ReplaceWordsResponse(count=count, scene_count=len(changed))


def _found(sought: WordsSought, scenes: Iterable[Scene]) -> Iterator[tuple[Scene, list[re.Match[str]]]]:
    pattern = _pattern(sought)
    for scene in scenes:
        places = list(pattern.finditer(scene.text))
        if places:
            yield scene, places


def _pattern(sought: WordsSought) -> re.Pattern[str]:
    words = re.escape(sought.find)
    if sought.whole_words:
        words = (
            (f"(?<!{_GOES_ON})" if re.match(_GOES_ON, sought.find[0]) else "")
            + words
            + (f"(?!{_GOES_ON})" if re.match(_GOES_ON, sought.find[-1]) else "")
        )
    return re.compile(words, 0 if sought.match_case else re.IGNORECASE)


def _with(step: Step, scene: Scene, places: list[re.Match[str]], replacement: str) -> Scene:
    parts, end = [], 0
    for place in places:
        parts += [scene.text[end : place.start()], replacement]
        end = place.end()
    text = "".join([*parts, scene.text[end:]])
    if len(text) > MAX_SCENE_LENGTH:
        raise InvalidInput(
            f"A scene would have more than {MAX_SCENE_LENGTH:,} characters.",
            details={"field": "replacement", "sceneId": scene.id},
            suggestion="Replace with fewer words.",
        )
    return touched(step, scene, text=text, word_count=word_count(text))


def _shown(scene: Scene, place: re.Match[str]) -> FoundPlace:
    start, end = place.span()
    return FoundPlace(
        scene_id=scene.id,
        chapter=scene.chapter_index,
        scene=scene.scene_index,
        start=start,
        end=end,
        before=scene.text[max(0, start - _AROUND) : start].rpartition("\n")[2],
        words=place[0],
        after=scene.text[end : end + _AROUND].partition("\n")[0],
    )
