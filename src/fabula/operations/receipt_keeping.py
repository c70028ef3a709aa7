"""Receipts of contexts: what was told, what was left out and why, and what is needed to make it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

import orjson

from fabula.assembly.assemble import Assembled
from fabula.assembly.context import AssembledContext, TraceItem
from fabula.assembly.reasons import ReasonCode
from fabula.assembly.trace import nearest_left_out
from fabula.call import Call
from fabula.context.candidates.catalogue import Question
from fabula.errors import FabulaError
from fabula.model.wire import Value
from fabula.operations.table import log
from fabula.projections.meaning import VectorMeaning
from fabula.store.conversations import StoredReceipt
from fabula.store.past import versions_at

# Of what was left out, a receipt names this many that came closest.
LEFT_OUT = 200
# A longer input is not kept: its receipt can be read and compared, but not made again.
MOST_INPUT_BYTES = 512_000

# Who asked: for a scene, for a conversation, through chat or proxy, or an agent.
ReceiptDoor = Literal["context", "conversation", "chat", "proxy", "mcp"]
Messages = Sequence[Mapping[str, Any]]


class VectorsUsed(Value):
    """The embedding model that a context was made with, and whether it had seen every text of the story."""

    model: str
    up_to_date: bool


class ReceiptPiece(Value):
    """A piece that was told: its version in the story, if it has one, its tokens and the hash of its text."""

    kind: str
    id: str
    label: str
    reason: ReasonCode
    position: str | None = None
    version: int | None = None
    tokens: int
    cut: bool = False
    hash: str


class ReceiptLeftOut(Value):
    """A candidate that was left out, and why; with `budget`, how many tokens were missing."""

    kind: str
    id: str
    label: str
    reason: ReasonCode
    missing_tokens: int = 0


class ReceiptHeading(Value):
    """A receipt in a list; `replayable` if its input is kept."""

    id: str
    at: str
    door: ReceiptDoor
    revision: int
    chapter: int
    scene: int
    pov: str | None
    estimated_tokens: int
    total_budget: int
    told_count: int
    left_out_count: int
    replayable: bool


class ContextReceipt(ReceiptHeading):
    """What a model was told of a story, and why: without texts, but with their hashes."""

    token_model: str
    vectors: VectorsUsed | None
    program: str
    seed: str
    dropped_messages: int
    messages_hash: str
    told: tuple[ReceiptPiece, ...]
    left_out: tuple[ReceiptLeftOut, ...]


@dataclass(frozen=True, slots=True)
class StoryState:
    """The revision of a story that a context tells of, and its embeddings."""

    revision: int
    vectors: VectorsUsed | None


@dataclass(frozen=True, slots=True)
class MadeContext:
    """A context with what its receipt says beside it: the texts of its pieces, and what it was made from."""

    assembled: Assembled
    context: AssembledContext
    state: StoryState
    more_texts: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def texts(self) -> dict[tuple[str, str], str]:
        """The texts of what was told, by kind and id."""
        return {**self.assembled.texts(), **self.more_texts}


@dataclass(frozen=True, slots=True)
class AskedContext:
    """What a context was asked for with: the place in the story, and the whole input."""

    chapter: int
    scene: int
    pov: str | None
    content: Mapping[str, Any]
    dropped_messages: int = 0


def state_of(call: Call, question: Question) -> StoryState:
    """Return the state of the story while a question about it is open."""
    view, meaning = question.view, call.meaning
    vectors = None
    if isinstance(meaning, VectorMeaning):
        known = view.reader.vectors.set_of(view.index.project_id)
        if known is not None:
            is_new = meaning.is_up_to_date(view.reader, view.index.project_id)
            vectors = VectorsUsed(model=known.model, up_to_date=is_new)
    return StoryState(view.index.edition.revision, vectors)


def new_receipt(
    call: Call, project_id: str, door: ReceiptDoor, asked: AskedContext, made: MadeContext, messages: Messages
) -> StoredReceipt | None:
    """Return the receipt of a context that was just made, to be kept; None if the server keeps none."""
    if not call.receipts:
        return None
    context, state = made.context, made.state
    try:
        content = orjson.dumps(asked.content)
    except TypeError:  # a lone surrogate or a huge number, which clients may send but nothing can keep
        content = repr(asked.content).encode("utf-8", "replace")
        is_kept = False
    else:
        is_kept = len(content) <= MOST_INPUT_BYTES
    origin = f"{project_id}\n{state.revision}\n{door}\n{asked.chapter}.{asked.scene}\n".encode()
    receipt_id, at = blake2b(origin + content, digest_size=16).hexdigest(), call.clock.now()
    told = told_pieces(call, project_id, made)
    left_out = left_out_of(context.trace)
    heading = {
        "id": receipt_id,
        "at": at,
        "door": door,
        "revision": state.revision,
        "chapter": asked.chapter,
        "scene": asked.scene,
        "pov": asked.pov,
        "estimatedTokens": context.estimated_tokens,
        "totalBudget": context.total_budget,
        "toldCount": len(told),
        "leftOutCount": context.left_out_count,
        "replayable": is_kept,
    }
    more = {
        "tokenModel": call.token_model,
        "vectors": None if state.vectors is None else state.vectors.model_dump(by_alias=True),
        "program": program(),
        "seed": context.seed,
        "droppedMessages": asked.dropped_messages,
        "messagesHash": messages_hash(messages),
        "told": [one.model_dump(mode="json", by_alias=True) for one in told],
        "leftOut": [one.model_dump(mode="json", by_alias=True) for one in left_out],
    }
    return StoredReceipt(receipt_id, at, heading, more, orjson.loads(content) if is_kept else None)


def keep_receipt(call: Call, project_id: str, receipt: StoredReceipt | None) -> str | None:
    """Keep a receipt and return its id; if that fails, the caller gets the context all the same."""
    if receipt is None:
        return None
    try:
        with call.store.write_conversations(project_id) as writer:
            writer.put_receipt(receipt, call.receipts)
    except FabulaError as error:
        log.warning("no receipt kept", extra={"projectId": project_id, "code": error.code})
        return None
    return receipt.id


def told_pieces(call: Call, project_id: str, made: MadeContext) -> tuple[ReceiptPiece, ...]:
    """Return what a context tells, with the versions of its pieces as far as they are known."""
    included = [item for item in made.context.trace if item.included]
    texts, revision = made.texts, made.state.revision
    with call.store.read() as reader:
        versions = versions_at(reader, project_id, revision, {item.id for item in included})
    return tuple(
        ReceiptPiece(
            kind=item.kind,
            id=item.id,
            label=item.label,
            reason=item.reason,
            position=None if item.position is None else item.position.value,
            version=versions.get(item.id),
            tokens=item.tokens,
            cut=item.cut,
            hash=text_hash(texts.get((item.kind, item.id), "")),
        )
        for item in included
    )


def left_out_of(trace: Sequence[TraceItem]) -> tuple[ReceiptLeftOut, ...]:
    """Return what was left out of a context, as far as a receipt names it."""
    return tuple(
        ReceiptLeftOut(
            kind=item.kind,
            id=item.id,
            label=item.label,
            reason=item.reason,
            missing_tokens=item.missing_tokens,
        )
        for item in nearest_left_out(trace, LEFT_OUT)
        if not item.included
    )


@cache
def program() -> str:
    """Return the version of this program."""
    try:
        return version("fabula")
    except PackageNotFoundError:  # it runs from its source
        return ""


def text_hash(text: str) -> str:
    """Return a hash of a text that was told."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def messages_hash(messages: Messages) -> str:
    """Return a hash of the messages that a model received, byte for byte."""
    try:
        said = orjson.dumps(list(messages))
    except TypeError:
        said = repr(list(messages)).encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=16).hexdigest()
