"""Who is on stage in a passage of a world whose names are known."""

from __future__ import annotations

from fabula.index.arrays import Mask
from fabula.retrieval.anchors import namings
from fabula.retrieval.world import World
from fabula.staging.on_stage import NamedAt, Presence, presences


def presences_in(world: World, text: str, allowed: Mask) -> dict[int, Presence]:
    """How present everybody is whom a passage names, by slot."""
    named = (
        NamedAt(start, end, hit.slot, share)
        for (start, end), meant in namings(world, text, allowed).items()
        for hit, share in meant
    )
    return presences(text, named)


def on_stage(world: World, text: str, allowed: Mask) -> set[int]:
    """Those who are on stage."""
    return {slot for slot, one in presences_in(world, text, allowed).items() if one.is_on_stage}
