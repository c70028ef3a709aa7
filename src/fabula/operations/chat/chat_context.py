"""The context of a conversation: the memory of what it is about, and lorebooks scanned as in SillyTavern.

Chat, proxy and agents use it, so that a client behaves as if its own book were active.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from pydantic import TypeAdapter

from fabula.assembly.assemble import assembled
from fabula.assembly.context import AssembledContext
from fabula.assembly.setting import Budget
from fabula.call import Call
from fabula.context.book_scan import StoryScan, scan_story_books
from fabula.model.story import Story
from fabula.model.story_settings import budget_for
from fabula.operations.chat.book_texts import NO_NOTE, AuthorsNote, BookRoom, BookTexts, told_books
from fabula.operations.chat.context_window import FittedContext, SizedMessage, Talk, fit_context
from fabula.operations.chat.conversation_state import ConversationState, conversation_state, keep_state
from fabula.operations.chat.placement import (
    AROUND,
    AroundName,
    Insertion,
    Spoken,
    around_books,
    arranged,
    outlets_wanted,
    told_by,
    with_outlets,
)
from fabula.operations.chat.spoken import SPEAKING, naming, recent, roles_in, sized, speaker
from fabula.operations.context import (
    AssembleContextRequest,
    BesideText,
    Shares,
    candidates_for,
    measured,
    question_about,
)
from fabula.operations.receipt_keeping import (
    AskedContext,
    MadeContext,
    ReceiptDoor,
    new_receipt,
    state_of,
)
from fabula.store.conversations import StoredReceipt
from fabula.world_info import ScanData, ScanMessage, ScannedCharacter, TimedEffects

USER = "User"


@dataclass(frozen=True, slots=True)
class ChatWishes:
    """What the caller of a conversation says about it beside its messages.

    Without names, `user` and `char` are those of the last messages that have one. `pinned` are ids, `called`
    names or ids.
    """

    token_budget: int | None = None
    pinned: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    shares: Shares = field(default_factory=Shares)
    user: str = ""
    char: str = ""
    scan_data: ScanData = field(default_factory=ScanData)
    conversation_id: str | None = None
    scan_depth: int | None = None
    note: AuthorsNote = NO_NOTE
    seed: str | None = None
    dry_run: bool = False
    pov: str | None = None


# How both are written into a receipt, and read from it.
WISHES, STATE = TypeAdapter(ChatWishes), TypeAdapter(ConversationState)


@dataclass(frozen=True, slots=True)
class ChatShaped:
    """The context of a conversation with the tokens and reasons of all of it, and the texts of lorebooks."""

    made: MadeContext
    books: BookTexts

    @property
    def context(self) -> AssembledContext:
        """The context with the tokens and reasons of all of it."""
        return self.made.context

    @property
    def estimated_tokens(self) -> int:
        """The tokens of everything that is added to the conversation."""
        return self.context.estimated_tokens


@dataclass(frozen=True, slots=True)
class StoryTalk:
    """A conversation about a moment of a story; its topic is the text `about`, by default its own end."""

    story: Story
    chapter: int
    scene: int
    messages: Sequence[Spoken]
    wishes: ChatWishes = field(default_factory=ChatWishes)
    about: str | None = None


@dataclass(frozen=True, slots=True)
class ToldTalk:
    """A conversation with its context: the messages that stay, and what is inserted between them."""

    talk: StoryTalk
    state: ConversationState
    around: AroundName
    fitted: FittedContext[ChatShaped]
    messages: list[Spoken]
    insertions: list[Insertion]

    @property
    def context(self) -> AssembledContext:
        """The context with all its reasons."""
        return self.fitted.context.context

    def receipt(self, call: Call, door: ReceiptDoor) -> StoredReceipt | None:
        """Return the receipt of what is told here; None if the server keeps none."""
        talk, dropped = self.talk, self.fitted.dropped
        content = {
            "talk": {
                "chapter": talk.chapter,
                "scene": talk.scene,
                "messages": talk.messages,
                "wishes": WISHES.dump_python(talk.wishes, mode="json"),
                "about": talk.about,
                "around": self.around,
                "tokenBudget": self.context.total_budget,
                "dropped": sorted(dropped),
                "state": STATE.dump_python(self.state, mode="json"),
            }
        }
        asked = AskedContext(talk.chapter, talk.scene, talk.wishes.pov, content, len(dropped))
        told = arranged(self.insertions, self.messages)
        return new_receipt(call, talk.story.id, door, asked, self.fitted.context.made, told)


def told_talk(
    call: Call, talk: StoryTalk, window: Talk | None = None, around: AroundName = "last_words"
) -> ToldTalk:
    """Assemble the context of a conversation and place it; with a window, as large as that allows."""
    spoken = sized(talk.messages)
    said = [(one.role, "\n".join(one.texts)) for one in spoken if one.role in SPEAKING]
    wishes = talk.wishes
    state = conversation_state(call, talk.story.id, said, wishes.conversation_id)

    def shaped(token_budget: int) -> ChatShaped:
        return _shaped(call, talk, spoken, state, token_budget)

    fitted: FittedContext[ChatShaped]
    if window is None:
        fitted = FittedContext(shaped(budget_for(talk.story.settings, wishes.token_budget)))
    else:
        fitted = fit_context(call, talk.story, wishes.token_budget, window, shaped)
    books = fitted.context.books
    if books.timed is not None and not wishes.dry_run:
        keep_state(call, talk.story.id, state, books.timed)
    return _placed(talk, state, around, fitted)


def told_again(
    call: Call,
    talk: StoryTalk,
    state: ConversationState,
    around: AroundName,
    fits: tuple[int, Collection[int]],
) -> ToldTalk:
    """Assemble the context of a conversation in a known state, as large as it was, and keep no effects.

    `fits` is its token budget, and the messages that gave way.
    """
    token_budget, dropped = fits
    shaped = _shaped(call, talk, sized(talk.messages), state, token_budget)
    return _placed(talk, state, around, FittedContext(shaped, dropped=frozenset(dropped)))


def _placed(
    talk: StoryTalk, state: ConversationState, around: AroundName, fitted: FittedContext[ChatShaped]
) -> ToldTalk:
    books = fitted.context.books
    kept = [message for place, message in enumerate(talk.messages) if place not in fitted.dropped]
    if books.timed is not None:
        kept = [with_outlets(message, books.outlets) for message in kept]
    told = told_by(fitted.context.context)
    insertions = [*AROUND[around](told, kept), *around_books(books.blocks, kept)]
    return ToldTalk(talk, state, around, fitted, kept, insertions)


def _shaped(
    call: Call, talk: StoryTalk, spoken: Sequence[SizedMessage], state: ConversationState, token_budget: int
) -> ChatShaped:
    wishes = talk.wishes
    texts = ["\n".join(one.texts) for one in spoken if one.role in SPEAKING]
    wanted = AssembleContextRequest(
        project_id=talk.story.id,
        chapter=talk.chapter,
        scene=talk.scene,
        text=recent(texts) if talk.about is None else talk.about,
        token_budget=token_budget,
        pinned=wishes.pinned,
        pov=wishes.pov,
    )
    beside = BesideText(naming(talk.messages, spoken), wishes.called)
    asked = _scan(call, talk, spoken, state, token_budget)
    outlets = outlets_wanted([text for one in spoken for text in one.texts])
    with measured(call) as made:
        with question_about(call, wanted, beside) as question:
            found = scan_story_books(question.view, asked)
            room = BookRoom(token_budget, call.tokens.count, outlets, wishes.note)
            books = told_books(question.view, found, room)
            left = token_budget - books.tokens
            rest = replace(question, token_budget=left, asked=question.asked._replace(scans=False))
            asking = candidates_for(rest)
            told_of = state_of(call, question)
        fitted = assembled(rest.setting, asking, Budget(left, dict(wishes.shares)))
        context = fitted.context
        trace = (*context.trace, *books.trace)
        whole = {
            "estimated_tokens": context.estimated_tokens + books.tokens,
            "total_budget": token_budget,
            "trace": trace,
            "left_out_count": sum(not item.included for item in trace),
            "seed": books.seed,
        }
        made.append(context.model_copy(update=whole))
    return ChatShaped(MadeContext(fitted, made[-1], told_of, books.texts), books)


def _scan(
    call: Call, talk: StoryTalk, spoken: Sequence[SizedMessage], state: ConversationState, token_budget: int
) -> StoryScan:
    """Return what the lorebooks are scanned for; messages that the client left out count, but are empty."""
    wishes = talk.wishes
    roles = roles_in(talk.messages)
    user = wishes.user or _last_name(talk.messages, "user") or roles.user or USER
    char = wishes.char or _last_name(talk.messages, "assistant") or roles.char
    gone = (ScanMessage("", False, ""),) * state.missing
    chat = tuple(
        ScanMessage(speaker(message) or (user if one.role == "user" else char), one.role == "user", text)
        for message, one in zip(talk.messages, spoken, strict=True)
        if one.role in SPEAKING
        for text in ("\n".join(one.texts),)
    )
    seed = f"{talk.story.id}/{state.seed}" if wishes.seed is None else wishes.seed
    return StoryScan(
        chat=(*gone, *chat),
        token_budget=token_budget,
        seed=seed,
        count=call.tokens.count,
        user=user,
        char=char,
        character=ScannedCharacter(f"{char}.png") if char else None,
        scan_data=wishes.scan_data,
        timed=TimedEffects() if wishes.dry_run else state.timed,
        dry_run=wishes.dry_run,
        scan_depth=wishes.scan_depth,
        # A name that nobody gave is in no text.
        include_names=None if char or not any(one.role == "assistant" for one in spoken) else False,
    )


def _last_name(messages: Sequence[Spoken], role: str) -> str:
    return next((speaker(one) for one in reversed(messages) if one.get("role") == role and speaker(one)), "")
