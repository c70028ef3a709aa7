"""What a compiled story is good for, asked of everybody in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.context.book_scan import StoryScan, scan_story_books
from fabula.index.cache import StoryIndexes
from fabula.operations.catalogue import CHANNELS
from fabula.world_info import ScanMessage

EXCERPT = "林远在青云宗见到 Alice，harbour master 守夜。"


def asked(call: Call, story_id: str) -> dict[str, Any]:
    """What the index is good for, asked of every entity."""

    def ask(channel: str, **payload: Any) -> Any:
        operation = CHANNELS[f"knowledge:{channel}"]
        return operation.run(call, operation.parse({"projectId": story_id, **payload}))

    ids = sorted(item.id for item in ask("entity:list").items)
    answers: dict[str, Any] = {}
    for number, entity_id in enumerate(ids):
        for moment in (None, {"chapter": 1}, {"chapter": 4, "scene": 1}):
            found = ask("query:subgraph", centerEntityId=entity_id, k=2, asOf=moment)
            answers[f"around {entity_id} {moment}"] = (
                {entity.id: entity for entity in found.entities},
                {relation.id: relation for relation in found.relations},
            )
            way = ask("query:path", sourceEntityId=entity_id, targetEntityId=ids[number - 1], asOf=moment)
            answers[f"way {entity_id} {moment}"] = len(way.path_entity_ids)
        cut = ask("query:subgraph", centerEntityId=entity_id, k=3, maxNodes=2)
        answers[f"cut {entity_id}"] = ({entity.id for entity in cut.entities}, cut.truncated)
        # The second time from memory.
        answers[f"read {entity_id}"] = [dict(ask("entity:read", id=entity_id)) for _ in range(2)]
    for most in (1, 2, 50):
        told = ask("query:relevant", excerpt=EXCERPT, maxEntities=most).items
        answers[f"told {most}"] = [(item.id, item.score, item.matches) for item in told]
    answers["named"] = [
        (item.id, item.score)
        for item in ask("query:relevant", excerpt=EXCERPT, entityIds=ids, maxEntities=50).items
    ]
    answers["quiet"] = [item.id for item in ask("query:relevant", excerpt="", maxEntities=3).items]
    answers |= compiled(call, story_id)
    circles = ask("query:validate")
    answers["circles"] = (circles.component_count, circles.entity_count, circles.relation_count)
    return answers


def compiled(call: Call, story_id: str) -> dict[str, Any]:
    """What is compiled for the retrieval."""
    with call.store.read() as reader, call.indexes.lease(reader, story_id) as index:
        roster, mentions = index.roster, index.mentions(reader)
        told = {
            name: {(roster.ids[m.slot], m.start, m.end) for m in mentions.named_by(slot)}
            for name, slot in roster.slot_of.items()
        }
        namers = {
            name: {roster.ids[other] for other in mentions.namers_of(slot)}
            for name, slot in roster.slot_of.items()
        }
        passages = index.passages(reader)
        reading = passages.in_order()
        everything = np.ones(len(passages.words.lengths), np.bool_)
        places = passages.words.occurrences(passages.words.query_terms(EXCERPT).codes, everything)
        order = {slot: number for number, slot in enumerate(reading.slots.tolist())}
        found = sorted(
            (word, order[slot], place)
            for word, slot, place in zip(*(column.tolist() for column in places), strict=True)
        )
        lorebook, names = index.lorebook(reader), index.names(reader)
        books = (
            {key: sorted(getattr(lorebook, key)) for key in ("aside", "always", "guarded")},
            lorebook.book_of,
            sorted((hit.start, hit.end, str(hit.owner)) for hit in names.find_all(EXCERPT + "雾里 Ann null")),
            scanned(ModelView(reader, index, None)),
        )
        spans = [column.tolist() for column in (reading.instants, reading.starts, reading.ends)]
    return {
        "books": books,
        "told of": told,
        "namers": namers,
        "passages": (spans, reading.lengths.tolist()),
        "words": found,
    }


def scanned(view: ModelView) -> Any:
    """What a scan of the story's books finds."""
    chat = (ScanMessage("", True, f"{EXCERPT} 雾里 Ann null 007"),)
    asked = StoryScan(chat=chat, token_budget=4_000, seed="s", count=len)
    found = scan_story_books(view, asked)
    if found is None:
        return None
    return [(str(one.entry.ref), one.number, one.content) for one in found.activated]


def anew(call: Call) -> Call:
    """The same call with nothing compiled yet."""
    return Call(
        **{**{name: getattr(call, name) for name in call.__slots__}, "indexes": StoryIndexes(1_000_000_000)}
    )
