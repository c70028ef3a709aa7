"""A step: the one unit of writing. All of it is kept with everything that follows from it, or nothing."""

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
    """One step of a story, not yet committed: what is written in it, and what follows from that."""

    def __init__(self, call: Call, opening: Opening) -> None:
        super().__init__(opening)
        self.call = call
        self._settled = 0

    @property
    def revision(self) -> int:
        """The number of the story's newest step once this one is kept; one that changes nothing is none."""
        return self.next_revision if self.done else self.next_revision - 1

    def new_id(self) -> str:
        """An id that nothing has yet."""
        return self.call.clock.new_id()

    def settle(self) -> None:
        """Let follow what follows from the changes so far; whatever is answered is read after that."""
        begun = self._settled
        if begun < len(self.done):
            self._settled = len(self.done)
            follow(self, begun)
            self._settled = len(self.done)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """A part of the step that is taken back alone when it is refused."""
        settled = self._settled
        try:
            with super().attempt():
                yield
        except BaseException:
            self._settled = settled
            raise

    def finish(self) -> int:
        """Let everything follow, and append the step to the log; the number of the story's newest step."""
        self.settle()
        return super().finish()


class _Looked(Exception):
    """Ends a step that was only to be looked at."""


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
    """Do work in one step of a story, again if another writer was quicker; what the work returns.

    With `begin` a story that does not exist begins with the step; a dry run keeps nothing.
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
    """Let an operation be one step of the story that its first argument names, or whose id that is.

    Whoever calls it gives the call, and it gets a step.
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
