"""The sets of the pure measurements, kept as stories and asked through the product's own operations."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from types import MappingProxyType

import numpy as np

from bench.eval import chinese_novels, clipper, embeddings, graphbase, locomo, multihop
from bench.eval.graph_world import Bm25, Person
from bench.eval.plain_bm25 import PlainBm25
from bench.eval.presence import on_stage, presences_in
from bench.eval.product_story import MOST, WAYS, embed, opened, retrieved, searched, story_file
from bench.eval.table import DATA, Row
from fabula.context.author_view import AuthorView
from fabula.context.story_world import StoryWorld
from fabula.memory import Memory
from fabula.operations.context import assemble_context
from fabula.operations.search.retrieval import EntityFound
from fabula.projections.meaning import NO_MEANING
from fabula.tokens import counter

ANNA = DATA / "english_novels" / "anna_karenina_chapters"
STORY = "told"
BUDGETS = (4_000, 8_000)
AFTER, END = "after the last source", "at the end of the book"
CONTEXT_FIGURES = ("sources", "all sources", "passages", "chapters", "tokens")
TURN_FIGURES = ("turns", "all turns", "passages", "tokens")
QUICK_BOOKS, QUICK_CONVERSATIONS, QUICK_CHAPTERS = 6, 1, 60


def two_wiki(quick: bool) -> Iterator[Row]:
    """Passages as entities; questions that take several of them."""
    files = sorted(multihop.FOLDER.glob(multihop.QUESTIONS))
    questions = [question for file in files for question in json.loads(file.read_text())]
    yield from _passages_of_questions(_once(multihop._people()), questions, lambda entity: entity.name)


def further_questions(quick: bool) -> Iterator[tuple[str, Row]]:
    """The same with the questions of MuSiQue and HotpotQA, where paragraphs count, not titles."""
    for title, name in multihop.TRAINING.items():
        paragraphs, questions = multihop._paragraphs(name)
        people = [multihop._person(number, *paragraph) for number, paragraph in enumerate(paragraphs)]
        halves = {"looked at": questions[::2], "not looked at": questions[1::2]}
        for row in _passages_of_questions(_told_apart(people), questions, lambda entity: entity.id, halves):
            yield title, row


def _passages_of_questions(
    people: Sequence[Person],
    questions: Sequence[multihop.Question],
    key: Callable[[Person | EntityFound], str],
    halves: Mapping[str, Sequence[multihop.Question]] = MappingProxyType({}),
) -> Iterator[Row]:
    words = Bm25([f"{person.name} {person.text}" for person in people])

    def by_words(query: str) -> list[str]:
        return [key(people[slot]) for slot in words.ranked(query, multihop.SHOWN)]

    def by_product(memory: Memory, query: str) -> list[str]:
        answer = retrieved(memory, STORY, query, maxEntities=multihop.SHOWN)
        return [key(entity) for entity in answer.entities]

    yield multihop._row("plain BM25", by_words, questions)
    with story_file() as file:
        with opened(file, WAYS[0]) as memory:
            memory.story("Passages", language="en", id=STORY)
            entities = [_as_entity(person, "unknown") for person in people]
            memory.answer("knowledge:batch:upsert", {"projectId": STORY, "entities": entities})
        embed(file, [STORY])
        for way in WAYS:
            with opened(file, way) as memory:
                yield multihop._row(f"product, {way}", partial(by_product, memory), questions)
                for name, own in halves.items():
                    yield multihop._row(f"product, {way}, {name}", partial(by_product, memory), own)


def _once(people: Sequence[Person]) -> list[Person]:
    return list({person.name.casefold(): person for person in people}.values())


def _as_entity(person: Person, kind: str) -> dict[str, object]:
    names = {"name": person.name, "aliases": list(person.aliases)}
    return {"id": person.id, "type": kind, "description": person.text, **names}


def novels(quick: bool) -> Iterator[tuple[str, Row]]:
    """Chapters as scenes; claims: their chapters, the same as of the last of them, and a context after it."""
    books = clipper.books(DATA / "clipper" / "dev")[: QUICK_BOOKS if quick else None]
    plain = [_chapters(PlainBm25(book.chapters).best(claim.text), claim) for book, claim in _claims(books)]
    yield "chapters", _mean("plain BM25, whole chapters", plain)
    with story_file() as file:
        with opened(file, WAYS[0]) as memory:
            for book in books:
                story = memory.story(book.name, language="en", id=book.name)
                for number, text in enumerate(book.chapters):
                    story.scene(number, 0, text)
        embed(file, [book.name for book in books])
        for budget in BUDGETS:
            yield "context", _filled(books, budget)
        for way in WAYS:
            with opened(file, way) as memory:
                yield from _asked_of(memory, books, way)


def _asked_of(memory: Memory, books: Sequence[clipper.Book], way: str) -> Iterator[tuple[str, Row]]:
    found, looked_up, early = [], [], []
    told: dict[tuple[str, int], list[list[float]]] = {}
    later = 0
    for book, claim in _claims(books):
        last = max(claim.sources)
        answer = retrieved(memory, book.name, claim.text, maxPassages=MOST)
        found.append(_chapters([passage.chapter for passage in answer.passages], claim))
        looked_up.append(_chapters(searched(memory, book.name, claim.text), claim))
        answer = retrieved(memory, book.name, claim.text, maxPassages=MOST, asOf={"chapter": last})
        early.append(_chapters([passage.chapter for passage in answer.passages], claim))
        later += sum(passage.chapter > last for passage in answer.passages)
        for (name, chapter), budget in product(((AFTER, last + 1), (END, len(book.chapters))), BUDGETS):
            request = {"chapter": chapter, "scene": 0, "text": claim.text, "token_budget": budget}
            context = assemble_context(memory.call(), project_id=book.name, **request)
            spoken_of = [one.chapter for one in context.recollections if one.kind == "passage"]
            later += sum(place is None or place >= chapter for place in spoken_of)
            judged = _told([place for place in spoken_of if place is not None], claim)
            told.setdefault((name, budget), []).append([*judged, context.estimated_tokens])
    yield "chapters", _mean(f"product, {way}", found)
    yield "chapters", _mean(f"product, {way}, by search", looked_up)
    for half, name in enumerate(("looked at", "not looked at")):
        own = [
            one for one, (book, _) in zip(found, _claims(books), strict=True) if _half(books, book) == half
        ]
        yield "chapters", _mean(f"product, {way}, {name}", own)
    yield "as of", _mean(f"product, {way}", early)
    yield "as of", Row(f"passages of later chapters shown, {way}", len(early), {"R@1": float(later)})
    for (name, budget), figures in told.items():
        yield "context", _context_row(f"{budget:,} tokens, {name}: product, {way}", figures)


def _filled(books: Sequence[clipper.Book], budget: int) -> Row:
    """The floor: the passages of the whole book by plain BM25, as many as fit."""
    tokens = counter(clipper.VOCABULARY)
    figures = []
    for book in books:
        index = book.index()
        where = index.in_order().chapters.tolist()
        texts = clipper._passages(book, index)
        costs = [tokens.count(text) for text in texts]
        plain = PlainBm25(texts)
        for claim in book.claims:
            packed = clipper._packed(plain.best(claim.text), costs, budget)
            judged = _told([where[row] for row in packed], claim)
            figures.append([*judged, sum(costs[row] for row in packed)])
    return _context_row(f"{budget:,} tokens, {END}: plain BM25 passages, filled in", figures)


def _told(chapters: Sequence[int], claim: clipper.Claim) -> list[float]:
    held = len(claim.sources.intersection(chapters)) / len(claim.sources)
    return [100 * held, 100.0 * (held == 1), len(chapters), len({*chapters})]


def _context_row(
    name: str, figures: Sequence[Sequence[float]], columns: Sequence[str] = CONTEXT_FIGURES
) -> Row:
    return Row(name, len(figures), dict(zip(columns, np.mean(figures, axis=0).tolist(), strict=True)))


def _half(books: Sequence[clipper.Book], book: clipper.Book) -> int:
    return books.index(book) % 2


def _claims(books: Sequence[clipper.Book]) -> Iterator[tuple[clipper.Book, clipper.Claim]]:
    return ((book, claim) for book in books for claim in book.claims)


def _chapters(order: Sequence[int], claim: clipper.Claim) -> list[float]:
    return clipper._judged(list(dict.fromkeys(order)), claim)


def _mean(name: str, judged: list[list[float]]) -> Row:
    means = (100 * np.mean(judged, axis=0)).tolist()
    return Row(name, len(judged), dict(zip(clipper.CHAPTER_FIGURES, means, strict=True)))


def episodes(quick: bool) -> Iterator[Row]:
    """Chapters of Chinese novels as scenes; the chapter of an episode that is told in other words."""
    for novel in chinese_novels.NOVELS:
        chapters = chinese_novels._chapters(novel)
        asked = [
            clipper.Claim(text, frozenset(number - 1 for number in answers), ())
            for text, answers in embeddings._episodes(novel.title)
        ]
        plain = PlainBm25([embeddings._spaced(chapter) for chapter in chapters])
        judged = [_chapters(plain.best(embeddings._spaced(one.text)), one) for one in asked]
        yield _mean(f"{novel.title}: plain BM25, whole chapters", judged)
        with story_file() as file:
            with opened(file, WAYS[0]) as memory:
                story = memory.story(novel.title, language="zh", id=STORY)
                for number, text in enumerate(chapters):
                    story.scene(number, 0, text)
            embed(file, [STORY])
            for way in WAYS:
                with opened(file, way) as memory:
                    yield from _episodes_found(memory, novel.title, way, asked)


def _episodes_found(memory: Memory, title: str, way: str, asked: Sequence[clipper.Claim]) -> Iterator[Row]:
    found, looked_up = [], []
    for one in asked:
        answer = retrieved(memory, STORY, one.text, maxPassages=MOST)
        found.append(_chapters([passage.chapter for passage in answer.passages], one))
        looked_up.append(_chapters(searched(memory, STORY, one.text), one))
    yield _mean(f"{title}: product, {way}", found)
    yield _mean(f"{title}: product, {way}, by search", looked_up)
    for half, name in enumerate(("looked at", "not looked at")):
        yield _mean(f"{title}: product, {way}, {name}", found[half::2])


def conversations(quick: bool) -> Iterator[tuple[str, Row]]:
    """Sessions as chapters and turns as scenes, under the date of the session; a context after the last."""
    (file_of_set,) = sorted((DATA / "locomo").glob("locomo10*.json"))
    told = locomo.conversations(file_of_set)[: QUICK_CONVERSATIONS if quick else None]
    plain = [list(locomo._plain(conversation)) for conversation in told]
    yield "turns", locomo._row("plain BM25 over turns", plain)
    judged: dict[str, list[list[locomo.Judged]]] = {}
    with story_file() as file:
        with opened(file, WAYS[0]) as memory:
            for number, conversation in enumerate(told):
                _keep_conversation(memory, f"talk-{number}", conversation)
        embed(file, [f"talk-{number}" for number in range(len(told))])
        for way in WAYS:
            with opened(file, way) as memory:
                judged[way] = [
                    [
                        locomo._judged(
                            _turns(memory, f"talk-{number}", conversation, question.text), question
                        )
                        for question in conversation.questions
                    ]
                    for number, conversation in enumerate(told)
                ]
                for budget in BUDGETS:
                    yield "context", _turns_told(memory, told, budget, way)
            yield "turns", locomo._row(f"product, {way}", judged[way])
    for kind, name in locomo.KINDS.items():
        yield "turns", locomo._row(f"{name}: plain BM25", plain, kind)
        for way in WAYS:
            yield "turns", locomo._row(f"{name}: product, {way}", judged[way], kind)


def _turns_told(memory: Memory, told: Sequence[locomo.Conversation], budget: int, way: str) -> Row:
    figures = []
    for number, conversation in enumerate(told):
        place = {turn.instant: nth for nth, turn in enumerate(conversation.turns)}
        after = 1 + max(turn.instant >> 20 for turn in conversation.turns)
        for question in conversation.questions:
            request = {"chapter": after, "scene": 0, "text": question.text, "token_budget": budget}
            context = assemble_context(memory.call(), project_id=f"talk-{number}", **request)
            passages = [one for one in context.recollections if one.kind == "passage"]
            turns = {place[((one.chapter or 0) << 20) | (one.scene or 0)] for one in passages}
            held = len(question.evidence & turns) / len(question.evidence)
            figures.append([100 * held, 100.0 * (held == 1), len(passages), context.estimated_tokens])
    return _context_row(f"{budget:,} tokens: product, {way}", figures, TURN_FIGURES)


def _keep_conversation(memory: Memory, story_id: str, conversation: locomo.Conversation) -> None:
    story = memory.story(story_id, language="en", id=story_id)
    for turn in conversation.turns:
        story.scene(turn.instant >> 20, turn.instant & 0xFFFFF, turn.text, turn.heading)


def _turns(memory: Memory, story_id: str, conversation: locomo.Conversation, question: str) -> list[int]:
    number = {turn.instant: place for place, turn in enumerate(conversation.turns)}
    answer = retrieved(memory, story_id, question, maxPassages=MOST)
    return list(dict.fromkeys(number[(one.chapter << 20) | one.scene] for one in answer.passages))


def active_characters(quick: bool) -> Iterator[Row]:
    """The characters of a novel as entities; who is on stage in each chapter."""
    cast = graphbase.read_cast(DATA / "graphbase" / "anna.dat")
    texts = [file.read_text() for file in sorted(ANNA.glob("*.txt"))]
    chapters = cast.chapters
    if quick:
        texts, chapters = texts[:QUICK_CHAPTERS], chapters[:QUICK_CHAPTERS]
    pure = graphbase.cast_world(cast, implied=True)
    alone = [on_stage(pure, text, pure.everybody()) for text in texts]
    yield graphbase.agreement_row("the stages alone, on stage", alone, chapters)
    with story_file() as file, opened(file, WAYS[0]) as memory:
        _keep_cast(memory, cast)
        found = list(_present(memory, cast, texts))
    for name, own in (("everybody named", 0), ("on stage", 1)):
        yield graphbase.agreement_row(f"product, {name}", [one[own] for one in found], chapters)


def _keep_cast(memory: Memory, cast: graphbase.Cast) -> None:
    memory.story("Anna Karenina", language="en", id=STORY)
    entities = [_as_entity(person, "character") for person in _told_apart(cast.people)]
    ids = [person.id for person in cast.people]
    relations = {(ids[source], ids[target]): kind for source, kind, target, _ in cast.relations}
    given = [
        {"sourceEntityId": source, "targetEntityId": target, "relationType": kind[:64]}
        for (source, target), kind in relations.items()
        if source != target
    ]
    memory.answer("knowledge:batch:upsert", {"projectId": STORY, "entities": entities, "relations": given})


def _told_apart(people: Iterable[Person]) -> list[Person]:
    """A story has one entity of a name and type; a namesake has it as an alias."""
    seen: set[str] = set()
    apart = []
    for person in people:
        if person.name.casefold() in seen:
            aliases = (person.name, *person.aliases)
            person = replace(person, name=f"{person.name} ({person.id})", aliases=aliases)
        apart.append(person)
        seen.add(person.name.casefold())
    return apart


def _present(
    memory: Memory, cast: graphbase.Cast, texts: Sequence[str]
) -> Iterator[tuple[set[int], set[int]]]:
    """Everybody named in each text, and those on stage."""
    number = {person.id: place for place, person in enumerate(cast.people)}
    call = memory.call()
    with call.store.read() as reader, call.indexes.lease(reader, STORY) as index:
        world = StoryWorld(AuthorView(reader, index, None), NO_MEANING)
        for text in texts:
            found = presences_in(world, text, world.allowed)
            own = {number[world.id_of(slot)]: one.is_on_stage for slot, one in found.items()}
            yield set(own), {slot for slot, is_there in own.items() if is_there}


def missing() -> list[Path]:
    """What of the sets is not there."""
    wanted = (
        multihop.FOLDER / multihop.CORPUS,
        DATA / "clipper" / "dev",
        DATA / "locomo",
        DATA / "graphbase" / "anna.dat",
        ANNA,
        chinese_novels.FOLDER,
    )
    return [place for place in wanted if not place.exists()]
