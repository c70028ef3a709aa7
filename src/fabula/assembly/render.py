"""The chosen pieces as messages, what never changes first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from fabula.assembly.cutting import TokenCounter
from fabula.assembly.pieces import MESSAGE_OF, Message, Piece, Section
from fabula.model.context import ChatMessage
from fabula.model.relation import Language

Role = Literal["system", "user"]

BLOCK_GAP = "\n\n"
LINE_GAP = "\n"

_HEADINGS: dict[Language, dict[Section, str]] = {
    "zh": {
        Section.RELATIONS: "## 关系",
        Section.EVENTS: "## 往事",
        Section.QUOTES: "## 原文",
        Section.SO_FAR: "## 前情",
        Section.STAGE: "## 在场人物",
    },
    "en": {
        Section.RELATIONS: "## Relations",
        Section.EVENTS: "## What happened",
        Section.QUOTES: "## In the story's own words",
        Section.SO_FAR: "## The story so far",
        Section.STAGE: "## On stage",
    },
}


class StablePrefix(NamedTuple):
    """What a provider may keep from call to call: its hash and its size."""

    digest: str
    tokens: int


def heading(section: Section, language: Language) -> str:
    """The line over a section; empty for lore, which speaks for itself."""
    return _HEADINGS[language].get(section, "")


def render(pieces: Iterable[Piece], language: Language) -> dict[Message, str]:
    """The texts of the messages made of pieces; those without any are left out."""
    blocks: dict[Message, list[str]] = {}
    for section, own in _by_section(pieces).items():
        texts = [piece.text for piece in own]
        title = heading(section, language)
        if title:
            texts = [LINE_GAP.join((title, *texts))]
        blocks.setdefault(MESSAGE_OF[section], []).extend(texts)
    return {message: BLOCK_GAP.join(blocks[message]) for message in sorted(blocks)}


def messages(texts: dict[Message, str], scene_text: str) -> tuple[ChatMessage, ...]:
    """The texts as a chat: system, context, the scene's own text as the user's, and what stands after it."""
    chat: list[tuple[Role, str]] = [
        ("system", texts.get(Message.SYSTEM, "")),
        ("system", texts.get(Message.CONTEXT, "")),
        ("user", scene_text if scene_text.strip() else ""),
        ("system", texts.get(Message.AFTER, "")),
    ]
    return tuple(ChatMessage(role=role, content=text) for role, text in chat if text)


def stable_prefix(pieces: Iterable[Piece], counter: TokenCounter) -> StablePrefix:
    """The longest beginning of the messages that is made of always and pinned entries only.

    That is those of the system message, and, if it has no others, those of the context message after it.
    Without such entries the hash is empty.
    """
    sections = _by_section(pieces)
    system, before = sections.get(Section.SYSTEM, []), sections.get(Section.BEFORE, [])
    parts = [_stable_text(system)]
    if all(piece.stable for piece in system):
        parts.append(_stable_text(before))
    parts = [part for part in parts if part]
    if not parts:
        return StablePrefix("", 0)
    digest = sha256("\0".join(parts).encode()).hexdigest()
    return StablePrefix(digest, sum(counter.count(part) for part in parts))


def _stable_text(pieces: Sequence[Piece]) -> str:
    return BLOCK_GAP.join(piece.text for piece in pieces if piece.stable)


def _by_section(pieces: Iterable[Piece]) -> dict[Section, list[Piece]]:
    """The pieces of each section in their order there."""
    sections: dict[Section, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda piece: (piece.section, piece.place)):
        sections.setdefault(piece.section, []).append(piece)
    return sections
