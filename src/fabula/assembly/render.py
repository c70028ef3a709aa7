"""Render the admitted pieces as messages, stable ones first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from fabula.assembly.cutting import CountsTokens
from fabula.assembly.pieces import Message, Piece, PromptBlock
from fabula.model.context import ChatMessage
from fabula.model.relation import Language

MessageRole = Literal["system", "user"]

BLOCK_GAP = "\n\n"
LINE_GAP = "\n"


class StablePrefix(NamedTuple):
    """The part a provider may cache between calls: its hash and its size."""

    digest: str
    tokens: int


def render(pieces: Iterable[Piece], language: Language) -> dict[Message, str]:
    """Return the text of each message that has pieces."""
    parts: dict[Message, list[str]] = {}
    for block, own in _by_block(pieces).items():
        texts = [piece.text for piece in own]
        if block.heading is not None:
            texts = [LINE_GAP.join((block.heading.said_in(language), *texts))]
        parts.setdefault(block.message, []).extend(texts)
    return {message: BLOCK_GAP.join(parts[message]) for message in sorted(parts)}


def messages(texts: dict[Message, str], scene_text: str) -> tuple[ChatMessage, ...]:
    """Return the chat messages: system, context, the scene's own text as the user, and what follows it."""
    chat: list[tuple[MessageRole, str]] = [
        ("system", texts.get(Message.SYSTEM, "")),
        ("system", texts.get(Message.CONTEXT, "")),
        ("user", scene_text if scene_text.strip() else ""),
        ("system", texts.get(Message.AFTER, "")),
    ]
    return tuple(ChatMessage(role=role, content=text) for role, text in chat if text)


def stable_prefix(pieces: Iterable[Piece], counter: CountsTokens) -> StablePrefix:
    """Return the longest beginning of the messages that consists only of always-on and pinned entries.

    It covers those of the system message and, if that has no other entries, those of the context message.
    Without such entries the hash is empty.
    """
    system: list[Piece] = []
    context: list[Piece] = []
    for block, own in _by_block(pieces).items():
        if block.message is not Message.AFTER:
            (system if block.message is Message.SYSTEM else context).extend(own)
    parts = [_stable_text(system)]
    if all(piece.stable for piece in system):
        parts.append(_stable_text(context))
    parts = [part for part in parts if part]
    if not parts:
        return StablePrefix("", 0)
    digest = sha256("\0".join(parts).encode()).hexdigest()
    return StablePrefix(digest, sum(counter.count(part) for part in parts))


def _stable_text(pieces: Sequence[Piece]) -> str:
    return BLOCK_GAP.join(piece.text for piece in pieces if piece.stable)


def _by_block(pieces: Iterable[Piece]) -> dict[PromptBlock, list[Piece]]:
    """Group the pieces by block, in order."""
    blocks: dict[PromptBlock, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda piece: (piece.block.order, piece.place)):
        blocks.setdefault(piece.block, []).append(piece)
    return blocks
