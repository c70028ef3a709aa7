"""A step, the unit of writing: it is committed with all its consequences, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from fabula.call import Call
from fabula.canon.consequences.following import follow
from fabula.canon.story import new_story
from fabula.store.failures import repeatable
from fabula.store.store import Beginning
from fabula.store.writer import Opening, Writer

T = TypeVar("T")
P = ParamSpec("P")


class Step(Writer):
    """An uncommitted step of a story: its changes and their consequences."""

    def __init__(self, call: Call, opening: Opening) -> None:
        super().__init__(opening)
        self.call = call
        self._settled = 0
        # Relation types that the story is known to have.
        self.known_types: set[str] = set()

    @property
    def revision(self) -> int:
        """The story's revision once this step is committed; a step without changes does not increment it."""
        return self.next_revision if self.done else self.next_revision - 1

    def new_id(self) -> str:
        """Return a new unique id."""
        return self.call.clock.new_id()

    def settle(self) -> None:
        """Apply the consequences of the changes so far; read anything for a response only after this."""
        begun = self._settled
        if begun < len(self.done):
            self._settled = len(self.done)
            follow(self, begun)
            self._settled = len(self.done)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Mark a part of the step that is rolled back on its own when it is refused."""
        settled = self._settled
        try:
            with super().attempt():
                yield
        except BaseException:
            self._settled = settled
            raise

    def finish(self) -> int:
        """Apply all consequences, append the step to the log, and return the story's revision."""
        self.settle()
        return super().finish()


class _Looked(Exception):
    """Raised to roll back a dry run."""


@repeatable
def write(
    call: Call,
    project_id: str,
    action: str,
    work: Callable[[Step], T],
    *,
    begin: Callable[[], Beginning] | None = None,
    dry_run: bool = False,
) -> T:
    """Run work in one step of a story, retrying after contention, and return its result.

    With `begin`, a story that does not exist is created in the step; a dry run is rolled back.
    """
    try:
        with call.store.write(
            project_id, partial(Step, call), action=action, actor=call.actor, begin=begin
        ) as step:
            answer = work(step)
            if dry_run:
                step.settle()
                raise _Looked
    except _Looked:
        pass
    return answer


def in_step(
    action: str, *, begins: bool = False
) -> Callable[[Callable[Concatenate[Step, P], T]], Callable[Concatenate[Call, P], T]]:
    """Make an operation one step of the story given by its first argument, an id or a request.

    The caller passes a call; the operation receives a step.
    """

    def opened(work: Callable[Concatenate[Step, P], T]) -> Callable[Concatenate[Call, P], T]:
        @wraps(work)
        def done(call: Call, /, *args: P.args, **kwargs: P.kwargs) -> T:
            named: Any = args[0] if args else next(iter(kwargs.values()))
            project_id = named if isinstance(named, str) else named.project_id
            begin = partial(new_story, call, project_id) if begins else None
            return write(call, project_id, action, lambda step: work(step, *args, **kwargs), begin=begin)

        return done

    return opened
