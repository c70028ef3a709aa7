"""Make the context of a receipt again, from the story as it was at its revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from fabula.call import Call
from fabula.canon.past import as_of
from fabula.errors import Conflict
from fabula.model.account import Role
from fabula.model.wire import Value
from fabula.operations.chat.chat_context import STATE, WISHES, StoryTalk, told_again
from fabula.operations.chat.conversation_state import ConversationState
from fabula.operations.chat.placement import AroundName, Spoken, arranged
from fabula.operations.context import AssembleContextRequest, made_context
from fabula.operations.receipt_keeping import (
    ContextReceipt,
    MadeContext,
    left_out_of,
    messages_hash,
    program,
    told_pieces,
)
from fabula.operations.receipts.comparing import ReceiptDifference, ToldPieces, difference
from fabula.operations.receipts.reading import ReceiptRequest, pieces_of, shown, stored_receipt
from fabula.operations.table import operation
from fabula.projections.embeddings import Vectors
from fabula.projections.meaning import VectorMeaning
from fabula.store.conversations import StoredReceipt

# Why the same input at the same revision may give another context.
ReplayReason = Literal["input_not_kept", "embeddings", "token_model", "program", "unknown"]


@dataclass(frozen=True, slots=True)
class Retold:
    """A context that was made again: its messages, and what it tells."""

    made: MadeContext
    messages: list[Spoken]
    pieces: ToldPieces

    @classmethod
    def of(cls, call: Call, project_id: str, made: MadeContext, messages: list[Spoken]) -> Self:
        """Return a context with its pieces as a receipt names them."""
        told = told_pieces(call, project_id, made)
        left_out = left_out_of(made.context.trace)
        tokens = made.context.estimated_tokens
        return cls(made, messages, ToldPieces(told, left_out, messages_hash(messages), tokens))


@dataclass(frozen=True, slots=True)
class SceneInput:
    """The input of the context of a scene."""

    request: AssembleContextRequest

    @property
    def moment(self) -> tuple[int, int]:
        """The chapter and scene that the context is for."""
        return self.request.chapter, self.request.scene

    def told(self, call: Call) -> Retold:
        """Make the context."""
        made = made_context(call, self.request)
        messages = [message.model_dump() for message in made.context.messages]
        return Retold.of(call, self.request.project_id, made, messages)

    def with_budget(self, tokens: int) -> Self:
        """Return the same with another token budget."""
        return self._but(token_budget=tokens)

    def with_pin(self, pinned: str) -> Self:
        """Return the same with something pinned."""
        return self._but(pinned=(*self.request.pinned, pinned))

    def with_pov(self, pov: str | None) -> Self:
        """Return the same from another point of view."""
        return self._but(pov=pov)

    def at(self, chapter: int, scene: int) -> Self:
        """Return the same at another moment."""
        return self._but(chapter=chapter, scene=scene)

    def with_word(self, call: Call, word: str) -> Self:
        """Return the same with a word more at the end of the text."""
        text = self.request.text
        if text is None:
            with call.store.read() as reader:
                saved = reader.manuscript.scene(self.request.project_id, *self.moment)
            text = "" if saved is None else saved.text
        return self._but(text=f"{text}\n{word}")

    def _but(self, **fields: Any) -> Self:
        return replace(self, request=self.request.model_copy(update=fields))


@dataclass(frozen=True, slots=True)
class TalkInput:
    """The input of the context of a conversation."""

    talk: StoryTalk
    state: ConversationState
    around: AroundName
    token_budget: int
    dropped: tuple[int, ...]

    @property
    def moment(self) -> tuple[int, int]:
        """The chapter and scene that the context is for."""
        return self.talk.chapter, self.talk.scene

    def told(self, call: Call) -> Retold:
        """Make the context."""
        told = told_again(call, self.talk, self.state, self.around, (self.token_budget, self.dropped))
        messages = arranged(told.insertions, told.messages)
        return Retold.of(call, self.talk.story.id, told.fitted.context.made, messages)

    def with_budget(self, tokens: int) -> Self:
        """Return the same with another token budget."""
        return replace(self, token_budget=tokens)

    def with_pin(self, pinned: str) -> Self:
        """Return the same with something pinned."""
        return self._but(pinned=(*self.talk.wishes.pinned, pinned))

    def with_pov(self, pov: str | None) -> Self:
        """Return the same from another point of view."""
        return self._but(pov=pov)

    def at(self, chapter: int, scene: int) -> Self:
        """Return the same at another moment."""
        return replace(self, talk=replace(self.talk, chapter=chapter, scene=scene))

    def with_word(self, call: Call, word: str) -> Self:
        """Return the same with a word more at the end of what is talked about."""
        talk = self.talk
        if talk.about is not None:
            return replace(self, talk=replace(talk, about=f"{talk.about}\n{word}"))
        said: list[Spoken] = [*talk.messages, {"role": "user", "content": word}]
        return replace(self, talk=replace(talk, messages=said))

    def _but(self, **fields: Any) -> Self:
        return replace(self, talk=replace(self.talk, wishes=replace(self.talk.wishes, **fields)))


ReceiptInput = SceneInput | TalkInput


class ReplayReceiptResponse(Value):
    """The messages that the receipt's input gives at its revision.

    They are the `same`, byte for byte, or `reasons` says why not, and `difference` what is told otherwise.
    """

    receipt_id: str
    revision: int
    same: bool
    reasons: tuple[ReplayReason, ...]
    messages: tuple[dict[str, Any], ...]
    difference: ReceiptDifference | None


@operation("receipt.replay", role=Role.READER)
def replay_receipt(call: Call, request: ReceiptRequest) -> ReplayReceiptResponse:
    """Make the context of a receipt again at its revision: the same messages, or the reason why not."""
    stored = stored_receipt(call, request.project_id, request.receipt_id)
    receipt = shown(stored)
    if stored.asked is None:
        return ReplayReceiptResponse(
            receipt_id=receipt.id,
            revision=receipt.revision,
            same=False,
            reasons=("input_not_kept",),
            messages=(),
            difference=None,
        )
    with at_its_time(call, request.project_id, receipt) as then:
        again = input_of(then, request.project_id, stored).told(then)
    found = difference(pieces_of(receipt), again.pieces)
    return ReplayReceiptResponse(
        receipt_id=receipt.id,
        revision=receipt.revision,
        same=found.same_messages,
        reasons=() if found.same_messages else _reasons(call, receipt),
        messages=tuple(again.messages),
        difference=found,
    )


def _reasons(call: Call, receipt: ContextReceipt) -> tuple[ReplayReason, ...]:
    """Return what may have made a context different that was made again."""
    meaning, used = call.meaning, receipt.vectors
    is_same_embedder = isinstance(meaning, VectorMeaning) and (
        used is None
        or (used.up_to_date and used.model == meaning.embedder.model and not meaning.embedder.is_remote)
    )
    causes: dict[ReplayReason, bool] = {
        "embeddings": used is not None and not is_same_embedder,
        "token_model": receipt.token_model != call.token_model,
        "program": receipt.program != program(),
    }
    return tuple(reason for reason, is_cause in causes.items() if is_cause) or ("unknown",)


@contextmanager
def at_its_time(call: Call, project_id: str, receipt: ContextReceipt) -> Iterator[Call]:
    """Open a copy of the story as it was when a context was made, with the embeddings it had then."""
    used = receipt.vectors
    with as_of(call, project_id, receipt.revision, with_vectors=used is not None) as then:
        meaning = then.meaning
        if (
            used is not None
            and used.up_to_date
            and isinstance(meaning, VectorMeaning)
            and meaning.embedder.model == used.model
            and not meaning.embedder.is_remote
        ):
            Vectors(then.store, meaning.embedder, discretion=meaning.discretion).rebuild(project_id)
        yield then


def input_of(call: Call, project_id: str, stored: StoredReceipt) -> ReceiptInput:
    """Return the input of a receipt; raises Conflict if it was not kept."""
    asked = stored.asked
    if asked is None:
        raise Conflict(
            f"The input of receipt '{stored.id}' was not kept, because it was too long.",
            details={"receiptId": stored.id},
            suggestion="Ask for the context again with less text.",
        )
    if "scene" in asked:
        return SceneInput(AssembleContextRequest.model_validate({"projectId": project_id, **asked["scene"]}))
    talk: Mapping[str, Any] = asked["talk"]
    with call.store.read() as reader:
        story = reader.story(project_id)
    return TalkInput(
        StoryTalk(
            story,
            talk["chapter"],
            talk["scene"],
            talk["messages"],
            WISHES.validate_python(talk["wishes"]),
            talk["about"],
        ),
        STATE.validate_python(talk["state"]),
        talk["around"],
        talk["tokenBudget"],
        tuple(talk["dropped"]),
    )
