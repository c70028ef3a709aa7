"""Checking a passage against the story by rules: known, unknown and misplaced entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.consistency.linter import Discovery, Linter
from fabula.consistency.rules import RULES
from fabula.context.audience import ModelView
from fabula.context.author_view import AuthorView
from fabula.context.detection import Detected, detect
from fabula.context.entity_texts import entity_text, states_holding
from fabula.context.open_types import open_type
from fabula.context.point_of_view import Pov, seen_by
from fabula.context.told_relations import ToldRelation, told_relations
from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.check import EstablishedThere, Finding
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.level import may_be_told
from fabula.model.moment import first_instant
from fabula.model.proposal import ProposalKind
from fabula.model.relation import Language
from fabula.model.story_settings import severities_in
from fabula.model.wire import Text, Value
from fabula.operations.table import StoryRequest, operation

MAX_PASSAGE = 100_000
MOST_KNOWN = 50
MOST_FOUND = 200
SHOWN_PLACES = 20


class Passage(AsOf):
    """A passage and its position in the manuscript; without a position, periods are not checked."""

    text: Annotated[Text, Field(max_length=MAX_PASSAGE)]


class CheckPassageRequest(Passage, StoryRequest):
    """A passage and the audience of the result: an author sees everything, a model only what it may see."""

    audience: Literal["author", "model"] = "author"
    pov: Pov = None


class KnownHere(Value):
    """An entity that the passage names, where, and what is true of it at this moment."""

    entity_id: str
    type: str
    name: str
    text: str
    places: tuple[MatchPlace, ...]


class UnknownHere(Value):
    """A name in the passage that the story does not know, with the sentence it was found in."""

    name: str
    type: str
    confidence: float
    quotation: str
    start: int | None
    end: int | None


class CheckPassageResponse(Value):
    """What a passage mentions that the story knows, does not know, or does not allow.

    `relations` are those that hold between the named entities; `truncated` says that lists were cut.
    """

    findings: tuple[Finding, ...]
    known: tuple[KnownHere, ...]
    relations: tuple[ToldRelation, ...]
    unknown: tuple[UnknownHere, ...]
    truncated: bool


@operation("check.passage", role=Role.READER)
def check_passage(call: Call, request: CheckPassageRequest) -> CheckPassageResponse:
    """Check a passage against the story, without a model and with reproducible results."""
    project_id = request.project_id
    moment, is_author = request.moment, request.audience == "author"
    with call.store.read() as reader:
        story = reader.story(project_id)
        language = story.language
        chosen = severities_in(story.settings)
        with call.indexes.lease(reader, project_id) as index:
            now = None if moment is None else first_instant(moment)
            deadline = call.deadline()
            pov = seen_by(reader, index, request.pov, now)
            view = (AuthorView if is_author else ModelView)(reader, index, now, pov=pov, deadline=deadline)
            found = detect(reader, index, request.text, deadline.check, view.unknown_term())
            people = spoken_of(view, found)
            rules = [rule for rule in RULES if chosen.get(rule.id) != "off"]
            linter = Linter(reader, index, language, rules)
            linter.read_all()
            text, troubles = linter.passage(request.text, view, found, people)
            findings = [text.shown(one.rule.id, one.found) for one in troubles if _may_be_shown(view, one)]
            here = {slot: one for slot, one in people.items() if view.may_be_told(slot)}
            known = [_known(view, one, found.entities[slot]) for slot, one in here.items()]
            relations = relations_among(view, dict(list(here.items())[:MOST_KNOWN]))
            names = [
                KnownEntity(one.name, one.type, (*view.own_names(one)[1:], *_said_of(found.entities[slot])))
                for slot, one in people.items()
            ]
    unknown = list(_unknown(request.text, names, language))
    findings.sort(key=lambda one: (one.start, one.kind, one.name))
    return CheckPassageResponse(
        findings=tuple(findings[:MOST_FOUND]),
        known=tuple(known[:MOST_KNOWN]),
        relations=relations,
        unknown=tuple(unknown[:MOST_FOUND]),
        truncated=len(known) > MOST_KNOWN or max(len(findings), len(unknown)) > MOST_FOUND,
    )


def _may_be_shown(view: ModelView, discovery: Discovery) -> bool:
    """Whether a finding may be told to the audience: a model learns nothing from what is established."""
    found = discovery.found
    if (isinstance(view, AuthorView) and view.pov is None) or found.there is None or found.kind is not None:
        return True
    slot = view.index.roster.slot_of.get(found.entity_id or "")
    if slot is not None and not view.may_be_told(slot):
        return False
    return may_be_quoted(view, found.there) and view.prose(found.message) == found.message


def may_be_quoted(view: ModelView, there: EstablishedThere) -> bool:
    """Whether what is established may be quoted: a name that ends on the next line is a name all the same."""
    if there.kind != "scene" or there.chapter is None or there.start is None or there.end is None:
        return view.prose(there.quotation) == there.quotation
    scene = view.reader.manuscript.scene(view.index.project_id, there.chapter, there.scene or 0)
    if scene is None:
        return False
    (told,) = view.redaction.passages(scene.text, [(there.start, there.end)])
    return told == there.quotation and view.prose(told) == told


def spoken_of(view: ModelView, found: Detected) -> dict[int, Entity]:
    """Return the entities that the passage names, for a model without those hidden from it."""
    levels = view.index.roster.levels
    is_author = isinstance(view, AuthorView)
    slots = [
        slot
        for slot in found.entities
        if (is_author or may_be_told(levels[slot], named=False)) and not view.is_not_known(slot)
    ]
    entities = zip(slots, view.index.entities(view.reader, slots), strict=True)
    always = view.at(None)
    return {slot: view.as_named(one) for slot, one in entities if is_author or always.own_names(one)}


def _known(view: ModelView, entity: Entity, places: list[MatchPlace]) -> KnownHere:
    return KnownHere(
        entity_id=entity.id,
        type=open_type(view, entity.type),
        name=entity.name,
        text=entity_text(view, entity, states_holding(view, entity)).text,
        places=tuple(places[:SHOWN_PLACES]),
    )


def relations_among(view: ModelView, people: dict[int, Entity]) -> tuple[ToldRelation, ...]:
    """Return the relations that hold between these entities, as the audience may be told."""
    graph = view.graph
    links = {link for slot in people for peer, link in graph.steps(slot, view.instant) if peer in people}
    return told_relations(view, sorted(links), people)[:MOST_FOUND]


def _unknown(text: str, names: list[KnownEntity], language: Language) -> Iterator[UnknownHere]:
    for draft in LocalExtractor().extract(text, names, language):
        if draft.kind is ProposalKind.ENTITY and draft.same_as is None:
            yield UnknownHere(
                name=draft.entity_name,
                type=draft.entity_type,
                confidence=draft.confidence,
                quotation=draft.source_text,
                start=draft.source_start,
                end=draft.source_end,
            )


def _said_of(places: Iterable[MatchPlace]) -> set[str]:
    """Return the terms that the passage uses for an entity."""
    return {place.term for place in places}
