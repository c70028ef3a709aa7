"""Who reads a text: a language model where one is set up, or the local extractor."""

from __future__ import annotations

import orjson

from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import Extractor, KnownName
from fabula.operations.proposal_values import ExtractorWish
from fabula.operations.table import Call
from fabula.store.reader import Reader


def extractor_for(call: Call, wish: ExtractorWish) -> Extractor:
    """The extractor that is asked for; LlmUnavailable if that is a model and there is none."""
    if wish == "local" or (wish == "auto" and call.chat is None):
        return LocalExtractor()
    call.model()
    raise NotImplementedError


def known_names(reader: Reader, project_id: str) -> list[KnownName]:
    """Everybody whom the story knows."""
    return [
        KnownName(name, kind, tuple(orjson.loads(aliases)))
        for name, kind, aliases in reader.proposals.everybody(project_id)
    ]
