"""Measure quality: `python -m bench.eval [name …] [--quick]`, all of them without a name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

from bench.eval.kept import keep


def _passages(quick: bool) -> object:
    return import_module("bench.eval.passages").measure(quick)


def _extraction(quick: bool) -> object:
    return import_module("bench.eval.extraction").measure(quick)


def _identities(quick: bool) -> object:
    return import_module("bench.eval.identities").report(quick)


def _multihop(quick: bool) -> object:
    return import_module("bench.eval.multihop").report(quick)


def _fairytales(quick: bool) -> object:
    return import_module("bench.eval.fairytales").report(quick)


def _graphbase(quick: bool) -> object:
    return import_module("bench.eval.graphbase").report(quick)


def _on_stage(quick: bool) -> object:
    return import_module("bench.eval.on_stage").report(quick)


def _chinese_novels(quick: bool) -> object:
    return import_module("bench.eval.chinese_novels").report(quick)


def _graph_speed(quick: bool) -> object:
    return import_module("bench.eval.graph_speed").report(quick)


def _embeddings(quick: bool) -> object:
    return import_module("bench.eval.embeddings").report(quick)


def _product(quick: bool) -> object:
    return import_module("bench.eval.product").report(quick)


def _ties(quick: bool) -> object:
    return import_module("bench.eval.ties").report(quick)


def _mutations(quick: bool) -> object:
    return import_module("bench.eval.mutations").report(quick)


def _later_chapters(quick: bool) -> object:
    return import_module("bench.eval.later_chapters").report(quick)


def _staleness(quick: bool) -> object:
    return import_module("bench.eval.staleness").report(quick)


def _threads(quick: bool) -> object:
    return import_module("bench.eval.threads").report(quick)


def _hearers(quick: bool) -> object:
    return import_module("bench.eval.hearers").report(quick)


def _tombench(quick: bool) -> object:
    return import_module("bench.eval.tombench").report(quick)


def _hi_tom(quick: bool) -> object:
    return import_module("bench.eval.hi_tom").report(quick)


def _mysteries(quick: bool) -> object:
    return import_module("bench.eval.mysteries").report(quick)


MEASUREMENTS: dict[str, Callable[[bool], object]] = {
    "passages": _passages,
    "extraction": _extraction,
    "identities": _identities,
    "multihop": _multihop,
    "fairytales": _fairytales,
    "graphbase": _graphbase,
    "on_stage": _on_stage,
    "chinese_novels": _chinese_novels,
    "ties": _ties,
    "later_chapters": _later_chapters,
    "staleness": _staleness,
    "threads": _threads,
    "hearers": _hearers,
    "tombench": _tombench,
    "hi_tom": _hi_tom,
    "mysteries": _mysteries,
    "graph_speed": _graph_speed,
    "embeddings": _embeddings,
    "product": _product,
    "mutations": _mutations,
}


def main(arguments: list[str]) -> int:
    """Run the measurements that are named; `--help` only lists them."""
    if {"-h", "--help"} & set(arguments):
        print(f"python -m bench.eval [name …] [--quick]\n{', '.join(MEASUREMENTS)}")
        return 0
    strange = [one for one in arguments if one.startswith("-") and one != "--quick"]
    if strange:
        print(f"no such option: {', '.join(strange)}; there is --quick")
        return 2
    names = [argument for argument in arguments if not argument.startswith("-")] or list(MEASUREMENTS)
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        print(f"no such measurement: {', '.join(unknown)}; there are: {', '.join(MEASUREMENTS)}")
        return 2
    is_sample = "--quick" in arguments
    for name in names:
        keep(name, MEASUREMENTS[name](is_sample), is_sample=is_sample)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
