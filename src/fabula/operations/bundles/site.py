"""What the parts of an import share: the step, the node ids, and the errors found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from fabula.canon.step import Step
from fabula.errors import BundleInvalid, Conflict
from fabula.formats.bundle import BundlePlan
from fabula.formats.bundle_fact_plan import BundleFacts
from fabula.formats.bundle_words import MAX_SHOWN, BundleError, BundleErrors, Problem, as_error
from fabula.formats.safe_yaml import PathPart
from fabula.model.story_ontology import Ontology
from fabula.operations.bundles.places import NodePlaces
from fabula.operations.bundles.values import BundleCounts

CHUNK = 2_000

# Receives how many of how many items are written; returns False to stop the import.
BundleProgress = Callable[[int, int], bool]
T = TypeVar("T")


class Complaints:
    """All errors in a bundle: their number, and the first ones in full."""

    def __init__(self, lines: Sequence[int]) -> None:
        self.count = 0
        self._errors: list[BundleError] = []
        self._lines = lines

    def take(self, found: BundleErrors) -> None:
        """Add errors that were found elsewhere."""
        room = max(0, MAX_SHOWN - len(self._errors))
        self._errors += [replace(error, line=self._line(error.index)) for error in found.errors[:room]]
        self.count += found.count

    def add(self, index: int, steps: tuple[PathPart, ...], words: str) -> None:
        """Add an error at a path within an item."""
        self.take(BundleErrors((as_error(index, Problem(steps, words)),), 1))

    def refuse(self) -> None:
        """Raise BundleInvalid if there are any errors."""
        if self.count:
            raise invalid_bundle(BundleErrors(tuple(self._errors), self.count))

    def _line(self, index: int | None) -> int | None:
        return self._lines[index] if index is not None and index < len(self._lines) else None


def invalid_bundle(found: BundleErrors) -> BundleInvalid:
    """Return the error for an invalid bundle, with its first problems and their number."""
    first = found.errors[0].message
    stop = "" if first.endswith((".", "?")) else "."
    rest = f"{stop} And {found.count - 1:,} more." if found.count > 1 else ""
    return BundleInvalid(
        f"{first}{rest}",
        details={"errors": [error.as_dict() for error in found.errors], "errorCount": found.count},
    )


class Course:
    """The progress of an import."""

    def __init__(self, plan: BundlePlan, facts: BundleFacts, report: BundleProgress) -> None:
        lists = (plan.nodes_to_upsert, plan.nodes_to_delete, plan.edges_to_upsert, plan.edges_to_delete)
        self._total = sum(map(len, lists)) + len(facts)
        self._done = 0
        self._report = report

    def went_on(self, count: int) -> None:
        """Report that more items are written; Conflict if the import is to stop."""
        self._done += count
        if not self._report(self._done, self._total):
            raise Conflict(
                "The import was stopped, and nothing of it was kept.", suggestion="Import the bundle again."
            )


@dataclass(frozen=True, slots=True)
class Tally:
    """How many items of each type were saved, created and deleted."""

    upserted: Counter[str] = field(default_factory=Counter)
    created: Counter[str] = field(default_factory=Counter)
    deleted: Counter[str] = field(default_factory=Counter)

    def counts(self) -> BundleCounts:
        """Return the counts as they are shown, without zeros."""
        return BundleCounts(upserted=+self.upserted, created=+self.created, deleted=+self.deleted)


@dataclass(frozen=True, slots=True)
class Site:
    """The step into which a bundle is written, with everything its parts share."""

    step: Step
    plan: BundlePlan
    facts: BundleFacts
    ontology: Ontology
    places: NodePlaces
    complaints: Complaints
    course: Course


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items in chunks that are written at once."""
    for begin in range(0, len(items), CHUNK):
        yield items[begin : begin + CHUNK]
