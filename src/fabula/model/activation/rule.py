"""The record of an activation rule: when it applies to a lorebook entry, and its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from fabula.model.audience import OpenText, Withheld
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.reason import Reason
from fabula.model.wire import Value


class Verdict(NamedTuple):
    """Whether a candidate may compete for the budget, and the code of the reason."""

    admitted: bool
    reason: str


class Occasion(Protocol):
    """The scene for which entries are judged."""

    @property
    def now(self) -> int:
        """The instant of the scene."""

    def mentions(self, word: str) -> bool:
        """Whether a word occurs in the scene's text, in any width and case."""


class Applicant(Protocol):
    """What a rule may know about an entry; each rule finds its own fields in `rules`."""

    @property
    def level(self) -> AiContextLevel:
        """The entry's level."""

    @property
    def enabled(self) -> bool:
        """Whether it is switched on."""

    @property
    def since(self) -> Moment | None:
        """When it becomes true."""

    @property
    def until(self) -> Moment | None:
        """When it stops being true."""

    @property
    def named_later(self) -> bool:
        """Whether it has no `since` and the manuscript names it only after the scene."""

    @property
    def is_unknown(self) -> bool:
        """Whether it is private and the point of view does not know it."""

    @property
    def pinned(self) -> bool:
        """Whether the call names it."""

    @property
    def matches(self) -> Sized:
        """The terms of the text that refer to it."""

    @property
    def recalled(self) -> bool:
        """Whether the retrieval found it for the text."""

    @property
    def content(self) -> OpenText:
        """Its text, redacted for the audience."""

    @property
    def withheld(self) -> Withheld:
        """What redaction removed from it."""

    @property
    def rules(self) -> Any:
        """The values of every rule's fields."""


@dataclass(frozen=True)
class ActivationRule:
    """A rule: it decides if `applies` returns true, and later rules are not consulted.

    `fields` declares what authors set for the rule in an entry, with defaults. If a rule without a reason
    applies, the entry is no candidate and does not appear in the trace.
    """

    applies: Callable[[Applicant, Occasion], bool]
    reason: Reason | None
    admits: bool = False
    fields: type[Value] | None = None

    @cached_property
    def verdict(self) -> Verdict | None:
        """The rule's decision; None for a rule without a reason."""
        return None if self.reason is None else Verdict(self.admits, self.reason.code)
