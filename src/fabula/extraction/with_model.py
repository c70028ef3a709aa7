"""Extraction by a language model."""

from __future__ import annotations

from collections.abc import Sequence

from fabula.errors import FabulaError
from fabula.extraction.answers import drafts_of
from fabula.extraction.known import Acquaintances
from fabula.extraction.merging import merged, moved
from fabula.extraction.pieces import TextPiece, pieces_of
from fabula.extraction.port import FailedPiece, KnownName, Progress, Reading
from fabula.extraction.prompts import extraction_messages, extraction_schema
from fabula.extraction.sloppy_json import NoJson
from fabula.llm.chat import ChatModel, ChatRequest
from fabula.model.fiction import FICTION
from fabula.model.proposal import MODEL_READER, Draft, ProposalKind
from fabula.model.relation import Language
from fabula.model.story_ontology import Ontology
from fabula.tokens import TokenCounter

_PIECE, _OVERLAP = 2_400, 240
_ANSWER = 6_000
_CUT_OFF = "The answer broke off before its end."


class ModelExtractor:
    """Asks a model about a text, piece by piece; threads may share it."""

    def __init__(
        self,
        chat: ChatModel,
        counter: TokenCounter,
        *,
        ontology: Ontology = FICTION,
        piece: int = _PIECE,
        overlap: int = _OVERLAP,
    ) -> None:
        """Take the model, what counts its tokens, the story's types, and how much it is given at once."""
        self._ontology = ontology
        self._chat = chat
        self._counter = counter
        self._piece = piece
        self._overlap = overlap

    @property
    def name(self) -> str:
        """Whose finds these are."""
        return f"{MODEL_READER}{self._chat.name}"

    def extract(
        self, text: str, known: Sequence[KnownName], language: Language, progress: Progress | None = None
    ) -> list[Draft]:
        """What is found."""
        return self.read(text, known, language, progress).drafts

    def read(
        self, text: str, known: Sequence[KnownName], language: Language, progress: Progress | None = None
    ) -> Reading:
        """What is found, and the pieces from which nothing could be had.

        A model that cannot be asked ends the reading: the rest is reported as not read, and if nothing was
        read before, its error is raised.
        """
        acquaintances = Acquaintances(known)
        pieces = pieces_of(text, self._piece, self._overlap, self._counter.count)
        drafts: list[Draft] = []
        failed: list[FailedPiece] = []
        for number, piece in enumerate(pieces):
            if progress is not None:
                progress(number, len(pieces))
            try:
                reading = self._read_piece(text, piece, acquaintances, language)
            except FabulaError as error:
                if number == 0:
                    raise
                failed.extend(FailedPiece(*left, str(error)) for left in pieces[number:])
                break
            drafts.extend(reading.drafts)
            failed.extend(reading.failed)
        if progress is not None:
            progress(len(pieces), len(pieces))
        return Reading([_recognised(draft, acquaintances) for draft in merged(drafts)], tuple(failed))

    def _read_piece(
        self, text: str, piece: TextPiece, acquaintances: Acquaintances, language: Language
    ) -> Reading:
        """One piece; a bad answer is asked for again with what was wrong, a cut one in two halves."""
        first = self._asked(text, piece, acquaintances, language, None)
        if not first.failed:
            return first
        if first.failed[0].reason == _CUT_OFF and piece.end - piece.start > 1:
            halves = pieces_of(text[piece.start : piece.end], *self._halves(text, piece))
            again = [
                self._asked(
                    text, TextPiece(piece.start + start, piece.start + end), acquaintances, language, None
                )
                for start, end in halves
            ]
            return Reading(
                [*first.drafts, *(draft for part in again for draft in part.drafts)],
                tuple(failure for part in again for failure in part.failed),
            )
        second = self._asked(text, piece, acquaintances, language, first.failed[0].reason)
        return Reading([*first.drafts, *second.drafts], second.failed)

    def _halves(self, text: str, piece: TextPiece) -> tuple[int, int]:
        size = piece.end - piece.start
        return max(1, size // 2 + size // 8), size // 20

    def _asked(
        self,
        text: str,
        piece: TextPiece,
        acquaintances: Acquaintances,
        language: Language,
        complaint: str | None,
    ) -> Reading:
        passage = text[piece.start : piece.end]
        present = {one.name: one for _, one in acquaintances.places(passage)}
        request = ChatRequest(
            messages=extraction_messages(
                passage, list(present.values()), language, complaint, self._ontology
            ),
            temperature=0.0,
            max_tokens=_ANSWER,
            json_schema=extraction_schema(self._ontology),
            json_schema_name="extraction",
        )
        answer = self._chat.complete(request)
        try:
            found = drafts_of(answer.text, passage, self._ontology)
        except NoJson as error:
            reason = _CUT_OFF if answer.finish_reason == "length" else str(error)
            return Reading([], (FailedPiece(*piece, reason),))
        drafts = [moved(draft, piece.start) for draft in found.drafts]
        if found.is_cut or answer.finish_reason == "length":
            return Reading(drafts, (FailedPiece(*piece, _CUT_OFF),))
        return Reading(drafts)


def _recognised(draft: Draft, acquaintances: Acquaintances) -> Draft:
    """The draft with the name under which the story knows this one; whom nobody knows is new."""
    if draft.kind is not ProposalKind.ENTITY:
        return draft
    owner = acquaintances.owner(draft.same_as) if draft.same_as else None
    owner = owner or acquaintances.owner(draft.entity_name)
    return draft.model_copy(update={"same_as": owner.name if owner else None})
