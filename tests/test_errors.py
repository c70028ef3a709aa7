"""The tree of errors: what is drawn is what there is, and whatever leaves Fabula is in it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator

import fabula
from fabula import errors
from fabula.errors import FabulaError

# Never seen outside their package: each is caught by whoever calls its one raiser. Why it is no FabulaError:
INTERNAL = {
    "fabula.extraction.sloppy_json.NoJson": "a bad answer of a model, which is then asked for again",
    "fabula.index.communities.Stopped": "a computation that was given up; its caller knows why",
    "fabula.jobs.task.HoldLost": "ends a job that another worker has taken over",
    "fabula.projections.mirror_server.Spoilt": "a connection to be thrown away",
    "fabula.projections.mirror_watch.Silence": "a graph server that is given up; told as GraphUnavailable",
    "fabula.projections.projection.Overtaken": "others moved the projection on; it is looked at again",
    "fabula.world_info.patterns.process.PatternTimeoutError": "a pattern that was ended; told in the trace",
    "fabula.world_info.patterns.syntax.PatternSyntaxError": "a key that is plain text, not a pattern",
    "fabula.world_info.patterns.translation.NotLinearError": "a pattern for the process with a deadline",
    "fabula.store.liveness.UnresponsiveError": "the driver's own error: the pool drops the connection",
}


def _exceptions() -> Iterator[type[BaseException]]:
    for module in pkgutil.walk_packages(fabula.__path__, "fabula."):
        if module.name.endswith("__main__") or ".migrations" in module.name:
            continue
        for _, found in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(found, BaseException) and found.__module__ == module.name:
                yield found


def test_every_public_exception_is_in_the_tree_or_never_leaves_its_package() -> None:
    public = {f"{one.__module__}.{one.__name__}": one for one in _exceptions() if one.__name__[0] != "_"}
    outside = {name for name, one in public.items() if one.__module__ != errors.__name__}
    assert outside == set(INTERNAL)
    assert all(issubclass(one, FabulaError) for name, one in public.items() if name not in INTERNAL)


def test_the_tree_is_drawn_as_it_is() -> None:
    def drawn(parent: type[FabulaError], code: str, status: int, indent: str) -> Iterator[str]:
        children = parent.__subclasses__()
        for child in children:
            is_last = child is children[-1]
            said = [f"{indent}{'└' if is_last else '├'}── {child.__name__}"]
            said += [child.code] if child.code != code else []
            said += [str(child.status)] if child.status != status else []
            yield " ".join(said)
            yield from drawn(child, child.code, child.status, indent + ("    " if is_last else "│   "))

    tree = (errors.__doc__ or "").split("FabulaError\n", 1)[1].rstrip().splitlines()
    assert [re.sub(r"(?<=\w) +", " ", line) for line in tree] == list(drawn(FabulaError, "", 0, ""))


def test_no_two_errors_share_a_name() -> None:
    names = [one.__name__ for one in _exceptions() if one.__name__[0] != "_"]
    assert len(names) == len(set(names))
