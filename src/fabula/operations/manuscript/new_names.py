"""Finding names in a text that the story does not have yet, for an editor to ask who they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabula.call import Call
from fabula.context.detection import Detected, detect
from fabula.extraction.local import LocalExtractor
from fabula.extraction.mentions import FoundMention
from fabula.model.account import Role
from fabula.model.names import name_key
from fabula.model.proposal import Draft, ProposalKind
from fabula.model.wire import Value
from fabula.operations.manuscript.mentions import NamedText
from fabula.operations.proposals.extractors import known_names
from fabula.operations.proposals.past import Past
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

# More spans of one name than an editor underlines are of no use to anyone.
MOST_SPANS = 200


class FindNewNamesRequest(NamedText, StoryRequest):
    """A text of a story to search for names that nobody has."""


class NameSpan(Value):
    """Where a name stands in the text, and in which form."""

    term: str
    start: int
    end: int


class NewName(Value):
    """A name that nobody has: the likely type, how sure that is, and where the text has it or its aliases."""

    name: str
    type: str
    aliases: tuple[str, ...]
    confidence: float
    spans: tuple[NameSpan, ...]


class FindNewNamesResponse(Value):
    """The names that the story does not have yet, in the order in which the text has them."""

    items: tuple[NewName, ...]


@operation("mention.new", role=Role.READER)
def find_new_names(call: Call, request: FindNewNamesRequest) -> FindNewNamesResponse:
    """Find the names in a text that nobody in the story has, without a model; nothing is saved."""
    project_id, text = request.project_id, request.text
    with call.store.read() as reader:
        language = reader.story(project_id).language
        known = known_names(call, reader, project_id)
    extractor = LocalExtractor()
    found = extractor.found(text, known, language)
    drafts = [
        draft
        for draft in extractor.drafts(text, found, known, language)
        if draft.kind is ProposalKind.ENTITY
        and draft.same_as is None
        and known.owner(draft.entity_name) is None
    ]
    with call.store.read() as reader:
        drafts = _not_rejected(reader, project_id, drafts)
        with call.indexes.lease(reader, project_id) as index:
            taken = _taken(detect(reader, index, text))
    free = [one for one in found.mentions if not any(taken[one.start : one.end])]
    return FindNewNamesResponse(items=tuple(sorted(_named(drafts, free), key=_place)))


def _taken(detected: Detected) -> bytearray:
    """Return which characters belong to known names, in whatever script or form these are found."""
    places = [
        place for own in (detected.entities, detected.entries) for ones in own.values() for place in ones
    ]
    taken = bytearray(max((place.end for place in places), default=0))
    for place in places:
        taken[place.start : place.end] = b"\x01" * (place.end - place.start)
    return taken


def _not_rejected(reader: Reader, project_id: str, drafts: Sequence[Draft]) -> list[Draft]:
    """Leave out the names of which the author has said before that they are none."""
    names = [draft.entity_name for draft in drafts]
    past = Past(reader.proposals.proposals_about(project_id, map(name_key, names), names))
    return [draft for draft in drafts if not past.is_rejected(draft.entity_name)]


def _named(drafts: Sequence[Draft], mentions: Sequence[FoundMention]) -> Iterator[NewName]:
    spans: dict[str, list[NameSpan]] = {}
    for one in mentions:
        if one.named and one.known is None:
            spans.setdefault(one.text, []).append(NameSpan(term=one.text, start=one.start, end=one.end))
    for draft in drafts:
        own = sorted(
            (span for name in draft.names for span in spans.get(name, ())), key=lambda span: span.start
        )
        if own:
            yield NewName(
                name=draft.entity_name,
                type=draft.entity_type,
                aliases=draft.aliases,
                confidence=draft.confidence,
                spans=tuple(own[:MOST_SPANS]),
            )


def _place(one: NewName) -> int:
    return one.spans[0].start
