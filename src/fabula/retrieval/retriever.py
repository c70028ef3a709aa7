"""The four stages, one after the other: anchors, hops, pruning, recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabula.index.arrays import Mask
from fabula.retrieval.anchors import find_anchors
from fabula.retrieval.bridges import with_bridged
from fabula.retrieval.hops import expand
from fabula.retrieval.pruning import prune
from fabula.retrieval.reasons import Anchor, DroppedEntity, Retrieved, Target
from fabula.retrieval.recall import recall
from fabula.retrieval.role_question import parse_question
from fabula.retrieval.rules import DEFAULT, Rules
from fabula.retrieval.world import World


@dataclass(frozen=True, slots=True)
class GraphRetriever:
    """Finds the entities and events of a story that are relevant to a text."""

    world: World
    rules: Rules = DEFAULT

    def retrieve(self, query: str, allowed: Mask) -> Retrieved:
        """The relevant entities and events with reasons; slots that are not allowed have no effect."""
        world, rules = self.world, self.rules
        anchors = find_anchors(world, query, allowed, rules)
        asked = parse_question(query, [place for anchor in anchors for place in anchor.places])
        if asked is not None and asked.asks_nothing:
            asked = None
        # Who looks up a word that names nobody wants to know where it stands, not who is near.
        is_lookup = asked is not None and asked.is_one_word and not _names_somebody(anchors)
        reached = [] if is_lookup else expand(world, anchors, allowed, asked, rules)
        if not is_lookup:
            reached = with_bridged(world, query, anchors, reached, allowed, rules)
        pruned = prune(world, query, anchors, reached, allowed, asked, rules)
        # Events are also recalled through targets that are only over the display limit.
        leading: list[Target | DroppedEntity] = list(pruned.kept)
        leading += [one for one in pruned.dropped if one.loss == "over_limit"]
        events = recall(world, query, leading[: rules.leading], allowed, rules)
        return Retrieved(anchors, pruned.kept, pruned.dropped, events)


def _names_somebody(anchors: Sequence[Anchor]) -> bool:
    return any(anchor.way in ("named", "implied") for anchor in anchors)
