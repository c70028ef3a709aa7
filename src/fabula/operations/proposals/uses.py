"""How often the names of waiting proposals stand in the manuscript, and where first and last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabula.call import Call
from fabula.matching import Matcher, Term
from fabula.model.account import Role
from fabula.model.manuscript import Scene
from fabula.model.proposal import Proposal, ProposalKind
from fabula.model.wire import Value
from fabula.operations.table import StoryRequest, operation
from fabula.store.proposal_reader import ProposalFilter

# A queue longer than this is worked through from the front.
MOST = 10_000


class ProposalUse(Value):
    """How often a proposal's name stands in the saved scenes, and the first and last scene that have it."""

    id: str
    times: int
    first_chapter: int
    first_scene: int
    last_chapter: int
    last_scene: int


class ListProposalUsesResponse(Value):
    """The waiting proposals whose names the manuscript contains, the most used first."""

    items: tuple[ProposalUse, ...]


class ListProposalUsesRequest(StoryRequest):
    """The story whose waiting proposals to look for."""


@operation("extraction.uses", role=Role.READER)
def list_proposal_uses(call: Call, request: ListProposalUsesRequest) -> ListProposalUsesResponse:
    """Count how often each waiting name stands in the manuscript, so that the queue can be sorted by use."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        waiting = reader.proposals.page(project_id, ProposalFilter(reviewed=False), MOST, 0).items
        scenes = reader.manuscript.scenes(project_id)
    return ListProposalUsesResponse(items=tuple(_uses(waiting, scenes)))


def _uses(waiting: Iterable[Proposal], scenes: Iterable[Scene]) -> Iterator[ProposalUse]:
    terms = [Term(name, proposal.id, "name") for proposal in waiting for name in _names(proposal)]
    if not terms:
        return
    matcher = Matcher(terms)
    found: dict[str, list[tuple[int, int]]] = {}
    for scene in scenes:
        for hit in matcher.find(scene.text):
            found.setdefault(str(hit.owner), []).append((scene.chapter_index, scene.scene_index))
    for proposal_id, places in sorted(found.items(), key=lambda one: -len(one[1])):
        (first, first_scene), (last, last_scene) = places[0], places[-1]
        yield ProposalUse(
            id=proposal_id,
            times=len(places),
            first_chapter=first,
            first_scene=first_scene,
            last_chapter=last,
            last_scene=last_scene,
        )


def _names(proposal: Proposal) -> tuple[str, ...]:
    """The names whose use speaks for a proposal; a relation or an event has none."""
    if proposal.kind is ProposalKind.ALIAS:
        return (proposal.entity_name,)
    return proposal.names if proposal.kind is ProposalKind.ENTITY else ()
