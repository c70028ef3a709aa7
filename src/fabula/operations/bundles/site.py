"""What the parts of an import share: the story, where things are in it, and what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from fabula.canon.step import Step
from fabula.errors import BundleInvalid, Conflict
from fabula.formats.bundle import BundlePlan
from fabula.formats.bundle_words import MAX_SHOWN, BundleError, BundleErrors, Problem, as_error
from fabula.formats.safe_yaml import PathPart
from fabula.model.story_ontology import Ontology
from fabula.operations.bundles.places import NodePlaces
from fabula.operations.bundles.values import BundleCounts

CHUNK = 2_000

# Told how many items of how many are written; False if the import is to stop.
Report = Callable[[int, int], bool]
T = TypeVar("T")


class Complaints:
    """Everything that is wrong with a bundle, the first of it in words."""

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
        """Add what is wrong at a place of an item."""
        self.take(BundleErrors((as_error(index, Problem(steps, words)),), 1))

    def refuse(self) -> None:
        """Raise BundleInvalid if anything is wrong."""
        if self.count:
            raise invalid_bundle(BundleErrors(tuple(self._errors), self.count))

    def _line(self, index: int | None) -> int | None:
        return self._lines[index] if index is not None and index < len(self._lines) else None


def invalid_bundle(found: BundleErrors) -> BundleInvalid:
    """The refusal of a bundle, with its first errors and their number."""
    first = found.errors[0].message
    stop = "" if first.endswith((".", "?")) else "."
    rest = f"{stop} And {found.count - 1:,} more." if found.count > 1 else ""
    return BundleInvalid(
        f"{first}{rest}",
        details={"errors": [error.as_dict() for error in found.errors], "errorCount": found.count},
    )


class Course:
    """How far an import is."""

    def __init__(self, plan: BundlePlan, report: Report) -> None:
        lists = (plan.nodes_to_upsert, plan.nodes_to_delete, plan.edges_to_upsert, plan.edges_to_delete)
        self._total = sum(map(len, lists))
        self._done = 0
        self._report = report

    def went_on(self, count: int) -> None:
        """Say that so many more items are written; Conflict if that is to be the end."""
        self._done += count
        if not self._report(self._done, self._total):
            raise Conflict(
                "The import was stopped, and nothing of it was kept.", suggestion="Import the bundle again."
            )


@dataclass(frozen=True, slots=True)
class Tally:
    """How many items of each type were kept, are new, and went."""

    upserted: Counter[str] = field(default_factory=Counter)
    created: Counter[str] = field(default_factory=Counter)
    deleted: Counter[str] = field(default_factory=Counter)

    def counts(self) -> BundleCounts:
        """The numbers as people see them, without those that are 0."""
        return BundleCounts(upserted=+self.upserted, created=+self.created, deleted=+self.deleted)


@dataclass(frozen=True, slots=True)
class Site:
    """One step of a story into which a bundle is written."""

    step: Step
    plan: BundlePlan
    ontology: Ontology
    places: NodePlaces
    complaints: Complaints
    course: Course


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """The items in parts that are written at once."""
    for begin in range(0, len(items), CHUNK):
        yield items[begin : begin + CHUNK]
