"""Extraction by a language model."""

from __future__ import annotations

from collections.abc import Sequence

from fabula.errors import FabulaError
from fabula.extraction.answers import drafts_of
from fabula.extraction.known import KnownNames
from fabula.extraction.merging import merged, moved
from fabula.extraction.pieces import TextPiece, pieces_of
from fabula.extraction.port import FailedPiece, KnownEntity, Progress, Reading
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
    """Extracts from a text with a language model, chunk by chunk; threads may share it."""

    def __init__(
        self,
        chat: ChatModel,
        counter: TokenCounter,
        *,
        ontology: Ontology = FICTION,
        piece: int = _PIECE,
        overlap: int = _OVERLAP,
    ) -> None:
        """Take the model, its token counter, the ontology, and the chunk size and overlap in tokens."""
        self._ontology = ontology
        self._chat = chat
        self._counter = counter
        self._piece = piece
        self._overlap = overlap

    @property
    def name(self) -> str:
        """The name of the extractor as the review queue shows it."""
        return f"{MODEL_READER}{self._chat.name}"

    def extract(
        self, text: str, known: Sequence[KnownEntity], language: Language, progress: Progress | None = None
    ) -> list[Draft]:
        """The drafts found."""
        return self.read(text, known, language, progress).drafts

    def read(
        self, text: str, known: Sequence[KnownEntity], language: Language, progress: Progress | None = None
    ) -> Reading:
        """The drafts found, and the chunks that failed.

        An unavailable model ends the extraction: the remaining chunks are reported as failed, or its error is
        raised if it happens at the first chunk.
        """
        known_names = KnownNames(known)
        pieces = pieces_of(text, self._piece, self._overlap, self._counter.count)
        drafts: list[Draft] = []
        failed: list[FailedPiece] = []
        for number, piece in enumerate(pieces):
            if progress is not None:
                progress(number, len(pieces))
            try:
                reading = self._read_piece(text, piece, known_names, language)
            except FabulaError as error:
                if number == 0:
                    raise
                failed.extend(FailedPiece(*left, str(error)) for left in pieces[number:])
                break
            drafts.extend(reading.drafts)
            failed.extend(reading.failed)
        if progress is not None:
            progress(len(pieces), len(pieces))
        return Reading([_recognised(draft, known_names) for draft in merged(drafts)], tuple(failed))

    def _read_piece(
        self, text: str, piece: TextPiece, known_names: KnownNames, language: Language
    ) -> Reading:
        """Process one chunk; a bad answer is retried with the reason, a truncated one in two halves."""
        first = self._asked(text, piece, known_names, language, None)
        if not first.failed:
            return first
        if first.failed[0].reason == _CUT_OFF and piece.end - piece.start > 1:
            halves = pieces_of(text[piece.start : piece.end], *self._halves(text, piece))
            again = [
                self._asked(
                    text, TextPiece(piece.start + start, piece.start + end), known_names, language, None
                )
                for start, end in halves
            ]
            return Reading(
                [*first.drafts, *(draft for part in again for draft in part.drafts)],
                tuple(failure for part in again for failure in part.failed),
            )
        second = self._asked(text, piece, known_names, language, first.failed[0].reason)
        return Reading([*first.drafts, *second.drafts], second.failed)

    def _halves(self, text: str, piece: TextPiece) -> tuple[int, int]:
        size = piece.end - piece.start
        return max(1, size // 2 + size // 8), size // 20

    def _asked(
        self,
        text: str,
        piece: TextPiece,
        known_names: KnownNames,
        language: Language,
        complaint: str | None,
    ) -> Reading:
        passage = text[piece.start : piece.end]
        present = {one.name: one for _, one in known_names.places(passage)}
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


def _recognised(draft: Draft, known_names: KnownNames) -> Draft:
    """The draft with `same_as` set to the known entity's name, or to None for a new one."""
    if draft.kind is not ProposalKind.ENTITY:
        return draft
    owner = known_names.owner(draft.same_as) if draft.same_as else None
    owner = owner or known_names.owner(draft.entity_name)
    return draft.model_copy(update={"same_as": owner.name if owner else None})
