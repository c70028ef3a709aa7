"""What an activation rule is: when it decides over a lorebook entry, and how."""

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
    """Whether a candidate may compete for room, and the code of the reason."""

    admitted: bool
    reason: str


class Occasion(Protocol):
    """The scene that entries are judged for."""

    @property
    def now(self) -> int:
        """The instant of the scene."""

    def mentions(self, word: str) -> bool:
        """Whether a word stands anywhere in the scene's text, in any width and case."""


class Applicant(Protocol):
    """What a rule may know of an entry; each rule finds its own fields in `rules`."""

    @property
    def level(self) -> AiContextLevel:
        """Who decides whether a model is told of it."""

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
    def pinned(self) -> bool:
        """Whether the call names it."""

    @property
    def matches(self) -> Sized:
        """The words of the text that point to it."""

    @property
    def content(self) -> OpenText:
        """What may be told of it."""

    @property
    def withheld(self) -> Withheld:
        """What may not."""

    @property
    def rules(self) -> Any:
        """The values of every rule's fields."""


@dataclass(frozen=True)
class ActivationRule:
    """A rule: it decides where `applies` says so, and rules after it are not asked.

    `fields` declares what authors set for the rule in an entry, with defaults. Where a rule without a reason
    applies, nothing speaks for or against the entry, and it is not in the trace.
    """

    applies: Callable[[Applicant, Occasion], bool]
    reason: Reason | None
    admits: bool = False
    fields: type[Value] | None = None

    @cached_property
    def verdict(self) -> Verdict | None:
        """What the rule decides where it applies."""
        return None if self.reason is None else Verdict(self.admits, self.reason.code)
