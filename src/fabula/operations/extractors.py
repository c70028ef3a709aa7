"""Who reads a text: a language model where one is set up, or the local extractor."""

from __future__ import annotations

import orjson

from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownName, Reading
from fabula.extraction.with_model import ModelExtractor
from fabula.model.moment import Moment, first_instant
from fabula.operations.detection import detect
from fabula.operations.ear import Ear
from fabula.operations.proposal_values import ExtractRequest
from fabula.operations.table import Call
from fabula.store.reader import Reader


def read_text(call: Call, project_id: str, request: ExtractRequest) -> tuple[str, Reading]:
    """Who read a text, and what they found; LlmUnavailable if a model is asked for and there is none.

    The database is let go of before anybody reads.
    """
    text = request.text
    is_local = request.extractor == "local" or (request.extractor == "auto" and call.chat is None)
    with call.store.read() as reader:
        language = reader.story(project_id).language
        if is_local:
            known = _everybody(reader, project_id)
        else:
            model = ModelExtractor(call.model(), call.tokens)
            known = _heard_of(call, reader, project_id, text, request.moment)
    if is_local:
        return LocalExtractor.name, LocalExtractor().read(text, known, language)
    return model.name, model.read(text, known, language)


def _everybody(reader: Reader, project_id: str) -> list[KnownName]:
    """Everybody whom the story knows."""
    return [
        KnownName(name, kind, tuple(orjson.loads(aliases)))
        for name, kind, aliases in reader.proposals.everybody(project_id)
    ]


def _heard_of(
    call: Call, reader: Reader, project_id: str, text: str, moment: Moment | None
) -> list[KnownName]:
    """Those whom the text names and of whom a model may hear, without names that are somebody's secret."""
    with call.indexes.lease(reader, project_id) as index:
        ear = Ear(reader, index, None if moment is None else first_instant(moment))
        slots = [slot for slot in detect(reader, index, text).entities if ear.may_be_told(slot)]
        return [
            KnownName(entity.name, entity.type, tuple(a for a in entity.aliases if not ear.hidden(a)))
            for entity in index.entities(reader, slots)
            if not ear.hidden(entity.name)
        ]
