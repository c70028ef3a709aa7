"""What the rules leave open in saved scenes, asked of the language model, and told apart from theirs.

For each scene, the model is told what is established of those it names, as far as a model may hear it, and
the scene as a model may read it. A finding needs words that stand in the scene and one of the facts it was
told, so that it has both quotations, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, NamedTuple

from pydantic import Field

from fabula.call import Call
from fabula.consistency.linter import Linter
from fabula.consistency.model_questions import (
    ANSWER_TOKENS,
    contradiction_messages,
    contradiction_schema,
    contradictions_of,
)
from fabula.consistency.rules import RULES
from fabula.context.audience import ModelView
from fabula.context.detection import detect
from fabula.context.entity_texts import entity_text, states_holding
from fabula.errors import FabulaError
from fabula.extraction.pieces import pieces_of
from fabula.extraction.sloppy_json import NoJson
from fabula.llm.chat import ChatRequest
from fabula.model.account import Role
from fabula.model.as_of import StoryPlace
from fabula.model.check import EstablishedThere, WrittenHere
from fabula.model.context import ChatMessage
from fabula.model.entity import Entity
from fabula.model.evidence import fingerprint
from fabula.model.manuscript import Scene
from fabula.model.moment import instant_of
from fabula.model.relation import Language
from fabula.model.story_settings import severities_in
from fabula.model.waiver import waiver_key
from fabula.model.wire import Value
from fabula.operations.checks.passage import may_be_quoted, relations_among, spoken_of
from fabula.operations.checks.report import chosen_scenes
from fabula.operations.checks.values import KnowledgeChecksRunRequest
from fabula.operations.table import StoryRequest, operation

MODEL_RULE = "model"
MOST_REQUESTS = 1_000
# How many facts a request tells, and how many tokens of a scene.
MOST_FACTS, _PIECE, _OVERLAP = 60, 2_400, 120
# What is read of everybody in every scene establishes nothing.
_PASSING = frozenset({"acts", "sex", "place"})


class ModelChecksRequest(StoryPlace, StoryRequest):
    """Which saved scenes to ask the model about, and how often at most; without anything, all of them."""

    since_revision: Annotated[int, Field(ge=0, strict=True)] | None = None
    most_requests: Annotated[int, Field(ge=1, le=MOST_REQUESTS, strict=True)] = 20


class ModelChecksPrice(Value):
    """How often the model would be asked, and about what it would cost, in tokens of the story's counter.

    `leftOutCount` is how many requests more than `mostRequests` the scenes would need.
    """

    request_count: int
    left_out_count: int
    prompt_tokens: int
    answer_tokens: int


class ModelFinding(Value):
    """What a model says is wrong in a saved scene, with both quotations; no rule says so."""

    id: str
    model: str
    message: str
    entity_id: str | None
    name: str
    here: WrittenHere
    there: EstablishedThere


class ModelChecksResponse(Value):
    """The findings of a model, and what they cost; `failedCount` requests got no answer that can be read."""

    findings: tuple[ModelFinding, ...]
    model: str
    request_count: int
    failed_count: int
    left_out_count: int
    prompt_tokens: int
    answer_tokens: int
    revision: int


class _Stated(NamedTuple):
    """A fact that the model is told, and whom it is about."""

    words: str
    there: EstablishedThere
    entity_id: str | None
    name: str


class _Asked(NamedTuple):
    """A question: a part of a scene as a model may read it, and what is established before."""

    scene: Scene
    passage: str
    facts: tuple[_Stated, ...]
    # Where the rules have found something already.
    known: tuple[tuple[int, int], ...]

    def messages(self, language: Language) -> tuple[ChatMessage, ...]:
        """The messages that ask it."""
        return contradiction_messages([fact.words for fact in self.facts], self.passage, language)


class _Questions(NamedTuple):
    """Everything to ask about a story."""

    language: Language
    revision: int
    asked: list[_Asked]
    left_out: int


@operation("checks.model_price", role=Role.READER)
def model_checks_price(call: Call, request: ModelChecksRequest) -> ModelChecksPrice:
    """Count how often a model would be asked about what the rules leave open, and what it would cost."""
    questions = _questions(call, request)
    return ModelChecksPrice(
        request_count=len(questions.asked),
        left_out_count=questions.left_out,
        prompt_tokens=sum(_prompt_tokens(call, one.messages(questions.language)) for one in questions.asked),
        answer_tokens=ANSWER_TOKENS // 10 * len(questions.asked),
    )


def model_prompts(call: Call, project_id: str) -> list[tuple[ChatMessage, ...]]:
    """Return everything that the model would be told in asking what the rules leave open."""
    questions = _questions(call, ModelChecksRequest(project_id=project_id, most_requests=MOST_REQUESTS))
    return [one.messages(questions.language) for one in questions.asked]


@operation("checks.ask_model", role=Role.EDITOR)
def check_with_model(call: Call, request: ModelChecksRequest) -> ModelChecksResponse:
    """Ask the model what the rules leave open in saved scenes; LlmUnavailable without a model."""
    model = call.model("read")
    questions = _questions(call, request)
    findings: dict[str, ModelFinding] = {}
    prompt_tokens = answer_tokens = failed = 0
    for number, one in enumerate(questions.asked):
        messages = one.messages(questions.language)
        try:
            answer = model.complete(
                ChatRequest(
                    messages=messages,
                    temperature=0.0,
                    max_tokens=ANSWER_TOKENS,
                    json_schema=contradiction_schema(len(one.facts)),
                    json_schema_name="contradictions",
                )
            )
        except FabulaError:
            # What was found so far is paid for.
            if number == 0:
                raise
            failed += len(questions.asked) - number
            break
        prompt_tokens += answer.prompt_tokens or _prompt_tokens(call, messages)
        answer_tokens += answer.completion_tokens or call.tokens.count(answer.text)
        try:
            findings |= {found.id: found for found in _found(one, answer.text, model.name)}
        except NoJson:
            failed += 1
    return ModelChecksResponse(
        findings=tuple(findings.values()),
        model=model.name,
        request_count=len(questions.asked),
        failed_count=failed,
        left_out_count=questions.left_out,
        prompt_tokens=prompt_tokens,
        answer_tokens=answer_tokens,
        revision=questions.revision,
    )


def _prompt_tokens(call: Call, messages: Sequence[ChatMessage]) -> int:
    return sum(call.tokens.count(said.content) for said in messages)


def _found(asked: _Asked, answer: str, model: str) -> Iterator[ModelFinding]:
    scene = asked.scene
    for said in contradictions_of(answer, len(asked.facts), asked.passage):
        start = scene.text.find(said.quotation)
        end = start + len(said.quotation)
        # What a rule has found is settled where the rules' findings are.
        if start < 0 or any(start < last and first < end for first, last in asked.known):
            continue
        fact = asked.facts[said.number - 1]
        facts = () if fact.entity_id is None else (f"entity:{fact.entity_id}",)
        marks = (fingerprint(said.quotation), fingerprint(fact.there.quotation))
        yield ModelFinding(
            id=waiver_key(MODEL_RULE, facts, *marks),
            model=model,
            message=said.reason,
            entity_id=fact.entity_id,
            name=fact.name,
            here=WrittenHere(
                chapter=scene.chapter_index,
                scene=scene.scene_index,
                scene_id=scene.id,
                start=start,
                end=end,
                mark_start=start,
                mark_end=end,
                quotation=said.quotation,
            ),
            there=fact.there,
        )


def _questions(call: Call, request: ModelChecksRequest) -> _Questions:
    """Collect what to ask, the scenes in the order of the story."""
    project_id = request.project_id
    wanted = KnowledgeChecksRunRequest(
        project_id=project_id,
        chapter=request.chapter,
        scene=request.scene,
        since_revision=request.since_revision,
    )
    with call.store.read() as reader:
        story = reader.story(project_id)
        off = {rule for rule, severity in severities_in(story.settings).items() if severity == "off"}
        with call.indexes.lease(reader, project_id) as index:
            linter = Linter(reader, index, story.language, [rule for rule in RULES if rule.id not in off])
            linter.read_all()
            asked = (
                one
                for scene in chosen_scenes(reader, linter.scenes, wanted)
                for one in _of_scene(
                    call,
                    linter,
                    scene,
                    ModelView(reader, index, instant_of(scene.chapter_index, scene.scene_index)),
                )
            )
            chosen = list(islice(asked, request.most_requests))
            left_out = sum(1 for _ in asked)
    return _Questions(story.language, story.revision, chosen, left_out)


def _of_scene(call: Call, linter: Linter, scene: Scene, view: ModelView) -> Iterator[_Asked]:
    people = {
        slot: entity
        for slot, entity in spoken_of(view, detect(view.reader, view.index, scene.text)).items()
        if view.may_be_told(slot)
    }
    facts = tuple(islice(_stated(linter, view, people), MOST_FACTS))
    passage = view.prose(scene.text)
    if not facts or not passage.strip():
        return
    marks = (one.found.here for one in linter.scene(scene))
    known = tuple((here.start or 0, here.end or 0) for here in marks if here is not None)
    for start, end in pieces_of(passage, _PIECE, _OVERLAP, call.tokens.count):
        yield _Asked(scene, passage[start:end], facts, known)


def _stated(linter: Linter, view: ModelView, people: dict[int, Entity]) -> Iterator[_Stated]:
    """Yield what is established of people: by their facts, their relations, and earlier scenes."""
    for entity in people.values():
        told = entity_text(view, entity, states_holding(view, entity)).text
        for line in filter(None, map(str.strip, told.splitlines())):
            there = EstablishedThere(kind="entity", id=entity.id, quotation=line)
            yield _Stated(f"{entity.name}: {line}", there, entity.id, entity.name)
        yield from _said_before(linter, view, entity)
    for tie in relations_among(view, people):
        words = f"{tie.source} → {tie.target}: {tie.label or tie.type}"
        there = EstablishedThere(kind="relation", id=tie.id, quotation=words)
        yield _Stated(words, there, tie.source_id, tie.source)


def _said_before(linter: Linter, view: ModelView, entity: Entity) -> Iterator[_Stated]:
    """Yield the sentences that first said something of somebody, by a name that may be told by now."""
    names = view.own_names(entity)
    seen = set()
    for who, topic in linter.established.topics(""):
        if who != entity.id or topic in _PASSING:
            continue
        for said in linter.established.before(who, topic, view.instant)[:1]:
            there = said.there
            is_named = any(name in there.quotation for name in names)
            if is_named and there.quotation not in seen and may_be_quoted(view, there):
                seen.add(there.quotation)
                yield _Stated(there.quotation, there, entity.id, entity.name)
