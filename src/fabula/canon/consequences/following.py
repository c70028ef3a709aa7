"""All consequences, in the order in which they are applied."""

from __future__ import annotations

from collections.abc import Callable

from fabula.canon.consequences.bindings import bind_names
from fabula.canon.consequences.dates import date_events
from fabula.canon.consequences.events import refuse_events_of_other_types, retell_events
from fabula.canon.consequences.evidence import forget_evidence
from fabula.canon.consequences.knowings import forget_knowings
from fabula.canon.consequences.lookups import categorise_entries, index_aliases
from fabula.canon.consequences.made import Made
from fabula.canon.consequences.points_of_view import forget_points_of_view
from fabula.canon.consequences.roles import take_up_roles, touch_stirred
from fabula.canon.consequences.secret_names import keep_secret_names
from fabula.canon.consequences.threads import shorten_threads
from fabula.store.writer import Writer

Consequence = Callable[[Writer, Made], None]

CONSEQUENCES: tuple[Consequence, ...] = (
    keep_secret_names,
    date_events,
    index_aliases,
    categorise_entries,
    refuse_events_of_other_types,
    bind_names,
    take_up_roles,
    touch_stirred,
    retell_events,
    forget_evidence,
    forget_knowings,
    shorten_threads,
    forget_points_of_view,
)


def follow(writer: Writer, begun: int) -> None:
    """Apply all consequences to the changes of a step, starting at index `begun`."""
    made = Made(writer, begun)
    for consequence in CONSEQUENCES:
        consequence(writer, made)
