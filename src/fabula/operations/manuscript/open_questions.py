"""What the rules left open about a book, asked of the language model in batches that survive a restart.

Who is the same person, and what two people who share many scenes are to each other. The price is told before
and after. What the model says is applied in one step; every answer can be undone with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import orjson

from fabula.call import Call
from fabula.canon.ontology import story_ontology
from fabula.canon.step import Step
from fabula.context.audience import ModelView
from fabula.context.open_types import open_types
from fabula.errors import FabulaError
from fabula.extraction.open_questions import (
    ANSWER_TOKENS,
    DIFFERENT,
    NONE,
    SAME,
    OpenQuestion,
    QuestionAnswer,
    answer_schema,
    answers_of,
    batches_of,
    question_messages,
)
from fabula.extraction.port import Reading
from fabula.extraction.quotation import quotation
from fabula.extraction.sloppy_json import NoJson
from fabula.jobs.task import Task
from fabula.llm.chat import ChatRequest
from fabula.model.account import Role
from fabula.model.context import ChatMessage
from fabula.model.job import TaskAccepted, accepted
from fabula.model.manuscript import Scene
from fabula.model.names import name_key
from fabula.model.proposal import LOCAL_READER, MODEL_READER, Draft, Proposal, ProposalKind
from fabula.model.relation import Language
from fabula.model.story_ontology import Ontology
from fabula.model.wire import Value
from fabula.operations.graph.implicit_ties import ImplicitTie, implicit_ties
from fabula.operations.proposals.extraction import propose_reading
from fabula.operations.proposals.review import Review
from fabula.operations.proposals.sorting import ProposalOrigin
from fabula.operations.proposals.values import ReviewDecision, TextPlace
from fabula.operations.table import StoryRequest, operation
from fabula.store.log import ASK_MODEL
from fabula.store.proposal_reader import ProposalFilter
from fabula.store.reader import Reader

KIND = "open-questions"
# Enough for the people of a long novel who matter, and a bounded price.
MOST_NAMES, MOST_TIES = 400, 120
_QUOTATIONS = 3
_TIE_CONFIDENCE = 0.75


class OpenQuestionsResponse(Value):
    """How much is open, and about what it would cost to ask the model, in tokens of the story's counter."""

    same_count: int
    tie_count: int
    request_count: int
    prompt_tokens: int
    answer_tokens: int


class OpenQuestionsRequest(StoryRequest):
    """The story whose open questions are meant."""


@operation("novel.open_questions", role=Role.READER)
def list_open_questions(call: Call, request: OpenQuestionsRequest) -> OpenQuestionsResponse:
    """Count what the rules left open about the people of a book, and what asking a model would cost."""
    asked = _Asked.of(call, request.project_id)
    batches = batches_of(asked.questions)
    prompts = (question_messages(batch, asked.language, asked.types) for batch in batches)
    return OpenQuestionsResponse(
        same_count=sum(question.kind == "same" for question in asked.questions),
        tie_count=sum(question.kind == "tie" for question in asked.questions),
        request_count=len(batches),
        prompt_tokens=sum(call.tokens.count(said.content) for prompt in prompts for said in prompt),
        answer_tokens=sum(20 * len(batch) for batch in batches),
    )


def open_prompts(call: Call, project_id: str) -> list[tuple[ChatMessage, ...]]:
    """Return everything that the model would be told in asking what is open."""
    asked = _Asked.of(call, project_id)
    return [question_messages(batch, asked.language, asked.types) for batch in batches_of(asked.questions)]


@operation("novel.ask_model", role=Role.EDITOR)
def ask_open_questions(call: Call, request: OpenQuestionsRequest) -> TaskAccepted:
    """Let the model answer what the rules left open, in the background; LlmUnavailable without a model."""
    call.model("read")
    with call.store.read() as reader:
        reader.story(request.project_id)
    job = call.jobs.queue(call, KIND, request.project_id, "", "", {})
    call.jobs.crew.wake()
    return accepted(job)


def answer_open_questions(call: Call, task: Task) -> None:
    """Run the job: ask batch after batch, then apply all answers in one step.

    What an earlier attempt has asked is not asked again, even if other questions were settled meanwhile.
    """
    asked = _Asked.of(call, task.project_id)
    parts = {number: _Part.read(content) for number, content in task.parts().items()}
    known = {question for part in parts.values() for question in part.asked}
    batches = batches_of([question for question in asked.questions if question.id not in known])
    # Parts are numbered without gaps, as they are kept one after the other.
    total = len(parts) + len(batches)
    for number, batch in enumerate(batches, start=len(parts)):
        if not task.report(0.95 * number / total, f"{number + 1} / {total}"):
            return
        parts[number] = _ask(call, batch, asked)
        if not task.keep_part(number, parts[number].packed()):
            return
    count = sum(len(part.asked) for part in parts.values())
    tokens = sum(part.tokens for part in parts.values())
    # As its end, so that the price is noted however quickly the last answer came.
    if task.report(1.0, f"{count} / {tokens:,}"):
        answers = (answer for part in parts.values() for answer in part.answers)
        _apply(call, task, asked, {answer.id: answer for answer in answers})


class _Part(NamedTuple):
    """The ids of the questions of a batch, how many tokens they took, and the answers."""

    asked: list[str]
    tokens: int
    answers: list[QuestionAnswer]

    def packed(self) -> bytes:
        """The part as it is kept."""
        return orjson.dumps([self.asked, self.tokens, [tuple(answer) for answer in self.answers]])

    @classmethod
    def read(cls, content: bytes) -> _Part:
        """The part of an earlier attempt."""
        asked, tokens, answers = orjson.loads(content)
        return cls(asked, tokens, [QuestionAnswer(*answer) for answer in answers])


def _ask(call: Call, batch: Sequence[OpenQuestion], asked: _Asked) -> _Part:
    """Ask a batch; an answer that cannot be read leaves its questions open."""
    messages = question_messages(batch, asked.language, asked.types)
    answer = call.model("read").complete(
        ChatRequest(
            messages=messages,
            temperature=0.0,
            max_tokens=ANSWER_TOKENS,
            json_schema=answer_schema(batch, asked.types),
            json_schema_name="answers",
        )
    )
    told = (answer.prompt_tokens, answer.completion_tokens)
    tokens = sum(count for count in told if count is not None)
    if None in told:
        tokens = sum(call.tokens.count(text) for text in (*(m.content for m in messages), answer.text))
    ids = [question.id for question in batch]
    try:
        return _Part(ids, tokens, answers_of(answer.text, batch, asked.types))
    except NoJson:
        return _Part(ids, tokens, [])


class _Asked(NamedTuple):
    """Everything that is open in a story, and what is needed to ask it."""

    language: Language
    types: tuple[str, ...]
    questions: list[OpenQuestion]

    @classmethod
    def of(cls, call: Call, project_id: str) -> _Asked:
        """Collect the open questions of a story, with sentences of its scenes that a model may read."""
        with call.store.read() as reader:
            language = reader.story(project_id).language
            ties = sorted(implicit_ties(call, reader, project_id, None), key=lambda tie: -tie.weight)
            with call.indexes.lease(reader, project_id) as index:
                view = ModelView(reader, index, None)
                types = _tie_types(open_types(view, story_ontology(reader, project_id)))
                sentences = _Sentences(reader.manuscript.scenes(project_id), view)
                questions = [*_names(reader, project_id, view, sentences)]
                questions += islice(_untied(reader, project_id, ties, view, sentences), MOST_TIES)
        return cls(language, types, questions)


def _tie_types(ontology: Ontology) -> tuple[str, ...]:
    """The relations that two people may have, without mere acquaintance."""
    return tuple(
        edge.key
        for edge in ontology.edges
        if edge.key
        not in ("knows", "located_at", "located_in", "occurs_at", "follows", "participates_in", "owns")
    )


def _names(reader: Reader, project_id: str, view: ModelView, sentences: _Sentences) -> Iterator[OpenQuestion]:
    """Yield the names that the rules found likely to be another's, without what a model must not hear."""
    wanted = ProposalFilter(reviewed=False, kind=ProposalKind.ALIAS)
    for one in reader.proposals.page(project_id, wanted, MOST_NAMES, 0).items:
        owner = str(one.attributes["aliasOf"])
        is_open = all(view.label(name) == name for name in (one.entity_name, owner))
        if one.extractor == LOCAL_READER and is_open:
            quotations = sentences.about(one.entity_name, owner)
            yield OpenQuestion("same", one.id, one.entity_name, owner, quotations)


def _untied(
    reader: Reader, project_id: str, ties: Sequence[ImplicitTie], view: ModelView, sentences: _Sentences
) -> Iterator[OpenQuestion]:
    """Yield those of the pairs who have no relation, none was proposed, and of whom a model may hear."""
    ids = {end for tie in ties for end in (tie.source_id, tie.target_id)}
    people = {
        entity.id: str(names[0])
        for entity in reader.entities(project_id, ids).values()
        if view.may_be_told(view.index.roster.slot_of[entity.id]) and (names := view.own_names(entity))
    }
    related = {
        frozenset((relation.source_entity_id, relation.target_entity_id))
        for relation in reader.relations_from(project_id, people)
    }
    proposed = {
        frozenset(map(name_key, (one.entity_name, str(one.attributes.get("target", "")))))
        for one in reader.proposals.proposals_about(project_id, map(name_key, people.values()), ())
        if one.kind is ProposalKind.RELATION
    }
    for tie in ties:
        ends = (tie.source_id, tie.target_id)
        if people.keys() >= set(ends) and frozenset(ends) not in related:
            one, other = (people[end] for end in ends)
            if frozenset(map(name_key, (one, other))) in proposed:
                continue
            quotations = sentences.with_both(one, other)
            if quotations:
                yield OpenQuestion("tie", " ".join(ends), one, other, quotations)


class _Sentences:
    """The sentences of a book that name people and that a model may read."""

    def __init__(self, scenes: Sequence[Scene], view: ModelView) -> None:
        self._texts = [scene.text for scene in scenes]
        self._view = view

    def about(self, one: str, other: str) -> tuple[str, ...]:
        """Sentences with both names, and with each of them, the earliest first."""
        both = self.with_both(one, other)
        alone = (said for name in (one, other) for said in islice(self._naming(name), 2))
        return tuple(dict.fromkeys([*both, *alone]))[: 2 * _QUOTATIONS]

    def with_both(self, one: str, other: str) -> tuple[str, ...]:
        """The first sentences that name both."""
        found = (said for said in self._naming(one) if other in said)
        return tuple(dict.fromkeys(islice(found, _QUOTATIONS)))

    def _naming(self, name: str) -> Iterator[str]:
        for text in self._texts:
            place = text.find(name)
            while place >= 0:
                start, end = quotation(text, place, place + len(name))
                if self._view.prose(text[start:end]) == text[start:end]:
                    yield text[start:end]
                place = text.find(name, end)


def _apply(call: Call, task: Task, asked: _Asked, answers: Mapping[str, QuestionAnswer]) -> None:
    """Approve and reject names, and propose ties, in one step."""
    name = MODEL_READER + call.model("read").name
    drafts = [
        _tie(question, answers[question.id])
        for question in asked.questions
        if question.kind == "tie" and question.id in answers and answers[question.id].answer != NONE
    ]

    def first(step: Step) -> None:
        review = Review(step)
        waiting = step.proposals.proposals(task.project_id, answers.keys())
        review.expect(waiting.values())
        for proposal in waiting.values():
            _decide(review, proposal, answers[proposal.id])

    origin = ProposalOrigin(TextPlace(), name, "")
    propose_reading(call, task.project_id, ASK_MODEL, Reading(drafts), origin, first, task.insist)


def _decide(review: Review, proposal: Proposal, answer: QuestionAnswer) -> FabulaError | None:
    """Approve or reject one waiting name; one that cannot be decided stays in the queue."""
    if proposal.reviewed or answer.answer not in (SAME, DIFFERENT):
        return None
    decision = ReviewDecision(action="approved" if answer.answer == SAME else "rejected")
    outcome = review.attempt(proposal, decision)
    return outcome if isinstance(outcome, FabulaError) else None


def _tie(question: OpenQuestion, answer: QuestionAnswer) -> Draft:
    one, other = question.one, question.other
    source, target = (other, one) if answer.is_reversed else (one, other)
    return Draft(
        kind=ProposalKind.RELATION,
        entity_name=source,
        entity_type="character",
        attributes={"target": target, "type": answer.answer, "description": ""},
        source_text=question.quotations[0],
        confidence=_TIE_CONFIDENCE,
    )
