"""Reading a whole manuscript with the local extractor, in blocks that survive a restart.

Confident and frequent finds become part of the story, in one step that can be undone; the others wait for
review. Every scene without a snapshot gets an extractive one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from fabula.call import Call
from fabula.canon.step import Step, write
from fabula.extraction.found import FoundMentions
from fabula.extraction.known import KnownNames
from fabula.extraction.local import LocalExtractor
from fabula.extraction.mentions import FoundMention
from fabula.extraction.port import Reading
from fabula.extraction.quotation import quotation
from fabula.extraction.rereading import paragraphs_of
from fabula.extraction.short_summary import short_summary
from fabula.extraction.summary import CharacterState, SceneSummary
from fabula.extraction.whole_book import Block, joined, packed, unpacked, weighed
from fabula.jobs.task import Task
from fabula.model.manuscript import Scene
from fabula.model.proposal import FIRST_CHAPTER, JOINS, LAST_CHAPTER, Draft, ProposalKind, ReadFact
from fabula.model.relation import Language
from fabula.operations.manuscript.snapshots import put_made
from fabula.operations.proposals.extraction import propose_reading
from fabula.operations.proposals.extractors import known_names
from fabula.operations.proposals.scene_times import scene_time_drafts
from fabula.operations.proposals.values import TextPlace
from fabula.store.job_reader import SceneReading
from fabula.store.job_writer import JobWriter
from fabula.store.log import READ_NOVEL, SUM_UP_NOVEL

# Long enough for statistics, and short enough to be read again after a crash.
BLOCK = 150_000
# Less confident finds are of no use in a review queue as long as a novel's.
LEAST = 0.65
# Entities often named together do know each other, although relations get a lower confidence than names.
_FOR_RELATIONS = 0.1
_READING_SHARE = 0.75


class Book:
    """All scenes as one text, and which offset belongs to which scene."""

    extractor = LocalExtractor.name

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self.scenes = scenes
        self.starts: list[int] = []
        place = 0
        for scene in scenes:
            self.starts.append(place)
            place += len(scene.text) + 1

    @cached_property
    def text(self) -> str:
        """The whole text, with a newline after each scene."""
        return "".join(f"{scene.text}\n" for scene in self.scenes)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the start and end of blocks of whole scenes."""
        start = 0
        for number, place in enumerate([*self.starts[1:], len(self.text)]):
            if place - start >= BLOCK or number == len(self.scenes) - 1:
                yield start, place
                start = place

    def scene_at(self, place: int) -> Scene:
        """Return the scene at an offset of the book."""
        return self.scenes[bisect_right(self.starts, place) - 1]

    def progress_at(self, place: int) -> str:
        """Return how many chapters end before an offset, of how many."""
        read = bisect_right(self._chapter_ends, place)
        return f"{read} / {len(self._chapter_ends)}"

    @cached_property
    def _chapter_ends(self) -> list[int]:
        """The offsets at which the chapters end, in order."""
        ends: dict[int, int] = {}
        for scene, start in zip(self.scenes, self.starts, strict=True):
            ends[scene.chapter_index] = start + len(scene.text)
        return list(ends.values())

    def located(self, draft: Draft | ReadFact) -> tuple[TextPlace, int | None, int | None]:
        """Return the scene that contains a find, and the span within it."""
        if draft.source_start is None or draft.source_end is None:
            return TextPlace(), None, None
        number = bisect_right(self.starts, draft.source_start) - 1
        scene, start = self.scenes[number], self.starts[number]
        end = min(draft.source_end - start, len(scene.text))
        place = TextPlace(manuscript_id=scene.id, chapter=scene.chapter_index, scene=scene.scene_index)
        return place, draft.source_start - start, end


class _Part(NamedTuple):
    """What was found in a block, and the hash of its text."""

    mark: str
    found: FoundMentions


def read_novel(call: Call, task: Task) -> None:
    """Read the novel of a story, or what is left of it."""
    project_id = task.project_id
    with call.store.read() as reader:
        stage = reader.jobs.novel_stage(project_id)
        language = reader.story(project_id).language
        scenes = reader.manuscript.scenes(project_id)
        known = known_names(call, reader, project_id)
    if stage == "read":
        return
    book = Book(scenes)
    found = _found(task, book, known, language)
    if found is None:
        return
    weighty = weighed(found, book.text, language)
    if stage != "proposed":
        drafts = LocalExtractor(threshold=LEAST).drafts(book.text, weighty, known, language, is_book=True)
        drafts = list(_placed(drafts, weighty.mentions, book))
        heads = zip(book.scenes, book.starts, strict=True)
        drafts += [draft for scene, start in heads for draft in scene_time_drafts(scene, start)]
        if not task.report(_READING_SHARE, f"{len(drafts)}"):
            return
        _propose(call, task, book, drafts)
    _sum_up(call, task, book, weighty, language)


def _found(task: Task, book: Book, known: KnownNames, language: Language) -> FoundMentions | None:
    """Return the finds of all blocks, including those of an earlier attempt; None if the work must stop."""
    parts = task.parts()
    blocks: list[Block] = []
    listed = list(book.blocks())
    for number, (start, end) in enumerate(listed):
        text = book.text[start:end]
        mark = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        part = _part(parts[number]) if number in parts else None
        if part is None or part.mark != mark:
            found = LocalExtractor().found(text, known, language)
            if not task.keep_part(number, orjson.dumps(mark) + b"\n" + packed(found)):
                return None
        else:
            found = part.found
        blocks.append(Block(start, found))
        if not task.report(_READING_SHARE * end / len(book.text), book.progress_at(end)):
            return None
    return joined(blocks)


def _placed(drafts: Sequence[Draft], mentions: Sequence[FoundMention], book: Book) -> Iterator[Draft]:
    """Yield the drafts, each entity moved to its earliest mention, with the chapters that name it."""
    first: dict[str, FoundMention] = {}
    last: dict[str, FoundMention] = {}
    for mention in mentions:
        if mention.named:
            first.setdefault(mention.text, mention)
            last[mention.text] = mention
    for draft in drafts:
        named = [name for name in draft.names if name in first]
        if draft.kind not in (ProposalKind.ENTITY, ProposalKind.ALIAS) or not named:
            yield draft
            continue
        earliest, latest = min(first[name] for name in named), max(last[name] for name in named)
        attributes = {
            **draft.attributes,
            FIRST_CHAPTER: book.scene_at(earliest.start).chapter_index,
            LAST_CHAPTER: book.scene_at(latest.start).chapter_index,
        }
        if JOINS in attributes:
            attributes[JOINS] = [_in_chapter(join, book) for join in attributes[JOINS]]
        changes: dict[str, Any] = {"attributes": attributes}
        if draft.kind is ProposalKind.ENTITY and earliest.start < (draft.source_end or 0):
            start, end = quotation(book.text, earliest.start, earliest.end)
            changes |= {"source_text": book.text[start:end], "source_start": start, "source_end": end}
        yield draft.model_copy(update=changes)


def _in_chapter(join: dict[str, Any], book: Book) -> dict[str, Any]:
    """Return why two names are one person's, with the chapter and scene instead of the offset in the book."""
    told = {key: value for key, value in join.items() if key != "start"}
    if join["start"] is None:
        return told
    scene = book.scene_at(join["start"])
    return {**told, "chapter": scene.chapter_index, "scene": scene.scene_index}


def _part(content: bytes) -> _Part:
    mark, _, rest = content.partition(b"\n")
    return _Part(orjson.loads(mark), unpacked(rest))


def _propose(call: Call, task: Task, book: Book, drafts: list[Draft]) -> None:
    """Propose what was found, and approve what is confident enough, in one step."""
    approve: float | None = task.payload.get("approve")
    never = 2.0

    def note(step: Step) -> None:
        jobs = JobWriter(step.connection)
        jobs.note_novel(task.project_id, "proposed")
        for scene in book.scenes:
            marks = tuple(dict.fromkeys(one.mark for one in paragraphs_of(scene.text)))
            reading = SceneReading(book.extractor, marks)
            jobs.note_reading(scene.project_id, scene.chapter_index, scene.scene_index, reading)
        task.insist(step)

    def threshold(kind: ProposalKind) -> float:
        if approve is None:
            return never
        return approve - (_FOR_RELATIONS if kind is ProposalKind.RELATION else 0.0)

    reading = Reading(drafts)
    propose_reading(call, task.project_id, READ_NOVEL, reading, book, last=note, threshold=threshold)


def _sum_up(call: Call, task: Task, book: Book, found: FoundMentions, language: Language) -> None:
    """Give every scene without a snapshot an extractive one; states carry over from each to the next."""
    project_id = task.project_id
    with call.store.read() as reader:
        known = known_names(call, reader, project_id)
        snapshots = reader.manuscript.snapshots(project_id)
    written = {(one.chapter_index, one.scene_index) for one in snapshots}
    mentions = iter(found.mentions)
    held: FoundMention | None = next(mentions, None)
    summaries = []
    for number, (scene, start) in enumerate(zip(book.scenes, book.starts, strict=True)):
        end = start + len(scene.text)
        own: list[FoundMention] = []
        while held is not None and held.start < end:
            mention = _known(held, start, known)
            # A whole book was judged as one: whoever the story does not have is nobody yet.
            if mention.known is not None:
                own.append(mention)
            held = next(mentions, None)
        if (scene.chapter_index, scene.scene_index) not in written and scene.text.strip():
            summaries.append((scene, short_summary(scene.text, known, language, found=own)))
        share = _READING_SHARE + 0.2 * number / len(book.scenes)
        if not task.report(share, book.progress_at(end)):
            return
    _keep(call, task, summaries)


def _keep(call: Call, task: Task, summaries: Sequence[tuple[Scene, SceneSummary]]) -> None:
    """Save the snapshots, and record in the same step that the novel is read."""

    def work(step: Step) -> None:
        states: dict[str, CharacterState] = {}
        for scene, summary in summaries:
            made = put_made(step, scene, summary, "extractive", states)
            for one in made.active_characters if made is not None else ():
                states[one.name] = CharacterState(
                    name=one.name, current_state=one.current_state, emotional_state=one.emotional_state
                )
        JobWriter(step.connection).note_novel(task.project_id, "read")
        task.insist(step)

    write(call, task.project_id, SUM_UP_NOVEL, work)


def _known(mention: FoundMention, start: int, known: KnownNames) -> FoundMention:
    """Return a mention of the book relative to its scene, under the name the story now has for it."""
    own = mention._replace(start=mention.start - start, end=mention.end - start)
    owner = known.owner(mention.text) if mention.named and mention.known is None else None
    return own if owner is None else own._replace(known=owner.name, type=owner.type, confidence=1.0)


def mention_counts(call: Call, project_id: str) -> list[tuple[str, str, int, tuple[int, int]]]:
    """List a story's entities with type, number of mentions and first mention, the most frequent first."""
    with call.store.read() as reader:
        known = known_names(call, reader, project_id)
        scenes = reader.manuscript.scenes(project_id)
    times: Counter[str] = Counter()
    first: dict[str, tuple[int, int]] = {}
    types = {one.name: one.type for one in known.everybody}
    for scene in scenes:
        for _, one in known.places(scene.text):
            times[one.name] += 1
            first.setdefault(one.name, (scene.chapter_index, scene.scene_index))
    return [(name, types[name], count, first[name]) for name, count in times.most_common()]
