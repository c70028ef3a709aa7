"""Choosing who reads a text: the language model if one is configured, or the local extractor."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from fabula.call import Call
from fabula.canon.ontology import story_ontology
from fabula.context.audience import ModelView
from fabula.context.detection import detect
from fabula.context.open_types import open_type, open_types
from fabula.extraction.known import KnownNames
from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity, Reading
from fabula.extraction.with_model import ModelExtractor
from fabula.index.story_index import StoryIndex
from fabula.model.moment import Moment, first_instant
from fabula.model.story_ontology import Ontology
from fabula.operations.proposals.values import ExtractorWish, ExtractRequest
from fabula.store.graph_rows import other_names
from fabula.store.reader import Reader


def read_text(call: Call, project_id: str, request: ExtractRequest) -> tuple[str, Reading]:
    """Read a text; return the extractor's name and its finds, LlmUnavailable if the model is missing."""
    name, read = reader_of(call, project_id, request.extractor, request.text, request.moment)
    return name, read(request.text)


def reader_of(
    call: Call, project_id: str, wish: ExtractorWish, text: str, moment: Moment | None
) -> tuple[str, Callable[[str], Reading]]:
    """Return the extractor's name and a function that reads parts of a text without holding the database."""
    with call.store.read() as reader:
        language = reader.story(project_id).language
        if wish == "local" or (wish == "auto" and call.chat is None):
            everybody = known_names(call, reader, project_id)
            return LocalExtractor.name, lambda part: LocalExtractor().read(part, everybody, language)
        known, ontology = _heard_of(call, reader, project_id, text, moment)
        model = ModelExtractor(call.model("read"), call.tokens, ontology=ontology)
    return model.name, lambda part: model.read(part, known, language)


_ACQUAINTANCES: WeakKeyDictionary[StoryIndex, tuple[int, KnownNames]] = WeakKeyDictionary()


def known_names(call: Call, reader: Reader, project_id: str) -> KnownNames:
    """Return all names the story knows, cached while the names stay the same."""
    with call.indexes.lease(reader, project_id) as index:
        kept = _ACQUAINTANCES.get(index)
        if kept is None or kept[0] != index.naming:
            everybody = [
                KnownEntity(name, kind, tuple(other_names(name, aliases, names)))
                for name, kind, aliases, names in reader.proposals.everybody(project_id)
            ]
            kept = _ACQUAINTANCES[index] = (index.naming, KnownNames(everybody))
        return kept[1]


def _heard_of(
    call: Call, reader: Reader, project_id: str, text: str, moment: Moment | None
) -> tuple[list[KnownEntity], Ontology]:
    """Return the entities that the text names and the story's types, as far as a model may see them."""
    with call.indexes.lease(reader, project_id) as index:
        ear = ModelView(reader, index, None if moment is None else first_instant(moment))
        slots = [
            slot
            for slot in detect(reader, index, text, unknown=ear.unknown_term()).entities
            if ear.may_be_told(slot)
        ]
        known = [
            KnownEntity(names[0], open_type(ear, entity.type), names[1:])
            for entity in index.entities(reader, slots)
            if (names := ear.own_names(entity))
        ]
        return known, open_types(ear, story_ontology(reader, project_id))
