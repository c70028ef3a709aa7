"""Questions to the graph, in-process, beside networkx and a recursive CTE.

All three give back whole rows, at most 2,000 entities of them: Fabula checked values, networkx the dicts it
holds in memory, the CTE tuples of the KG document's columns. "First" means that Fabula had none of the rows
in memory and read them from SQLite; "again" asks the same once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bench.asking import asker, empty_shelves, opened
from bench.baselines import Networkx, PlainSqlite
from bench.measure import Figures, Results, Series, timed
from bench.plan import HOPS, STORY, Plan
from fabula.memory import Memory

SIMILAR = (40, 80)
SAME_ANSWER = "subgraph k=2, answers of 40 to 80"
AFTER_WRITE = f"{SAME_ANSWER}, right after a write"


def measure(plan: Plan) -> Results:
    """All questions, on an index that stands."""
    results: Results = {}
    with opened(plan) as memory:
        ask = asker(memory)
        ask("query:subgraph", centerEntityId=plan.hubs[0], k=1)
        for hops in HOPS:
            results |= _around(memory, f"subgraph k={hops}", plan.starts[str(hops)], hops)
        for hops in HOPS:
            results |= _around(memory, f"subgraph k={hops}, hubs", plan.hubs * plan.rounds, hops)
        results["path"] = timed(
            plan.pairs,
            lambda pair: ask("query:path", sourceEntityId=pair[0], targetEntityId=pair[1]),
            sizes=lambda answer: {"hops": len(answer.path_entity_ids), "expansions": answer.expansions},
        )
        results["validate"] = timed(
            range(5), lambda _: ask("query:validate"), sizes=lambda answer: {"cycles": len(answer.cycles)}
        )
        results[AFTER_WRITE] = _after_writes(memory, plan)
    return results


def _around(memory: Memory, name: str, starts: Iterable[str], hops: int) -> Results:
    ask = asker(memory)
    first, again = Series(), Series()
    similar_first, similar_again = Series(), Series()
    for start in starts:
        empty_shelves(memory)
        for series, similar in ((first, similar_first), (again, similar_again)):
            answer = series.time(ask, "query:subgraph", centerEntityId=start, k=hops)
            series.note(nodes=answer.node_count, edges=answer.edge_count)
            if hops == 2 and SIMILAR[0] <= answer.node_count <= SIMILAR[1]:
                similar.wall.append(series.wall[-1])
                similar.cpu.append(series.cpu[-1])
                similar.note(nodes=answer.node_count, edges=answer.edge_count)
    results = {f"{name}, first": first.figures(), f"{name}, again": again.figures()}
    if similar_first.wall and "hubs" not in name:
        results[f"{SAME_ANSWER}, first"] = similar_first.figures()
        results[f"{SAME_ANSWER}, again"] = similar_again.figures()
    return results


def _after_writes(memory: Memory, plan: Plan) -> Figures:
    """Somebody changes an entity and looks at it: the index follows the log first, the rows are read."""
    ask = asker(memory)
    series = Series()
    for number, key in enumerate(plan.starts["2"]):
        empty_shelves(memory)
        version = ask("entity:read", id=key).version
        patch = {"description": f"说明 {number}"}
        ask("entity:update", id=key, expectedVersion=version, patch=patch)
        answer = series.time(ask, "query:subgraph", centerEntityId=key, k=2)
        if SIMILAR[0] <= answer.node_count <= SIMILAR[1]:
            series.note(nodes=answer.node_count, edges=answer.edge_count)
        else:
            del series.wall[-1], series.cpu[-1]
    return series.figures()


def baseline(plan: Plan) -> dict[str, Results]:
    """The same starts and pairs."""
    plain = PlainSqlite(plan.plain_db, STORY)
    cte = _subgraphs(plan, plain.subgraph)
    network = Networkx(plain)
    results = _subgraphs(plan, network.subgraph)
    results["path"] = timed(plan.pairs, lambda pair: network.path(*pair), seconds=plan.seconds)
    results["validate"] = timed(range(3), lambda _: network.cycles(), seconds=plan.seconds)
    return {"networkx": results, "recursive CTE": cte}


def _subgraphs(plan: Plan, ask: Callable[[str, int], tuple[list[Any], list[Any]]]) -> Results:
    def sizes(answer: tuple[list[Any], list[Any]]) -> dict[str, int]:
        return {"nodes": len(answer[0]), "edges": len(answer[1])}

    results: Results = {}
    for hops in HOPS:
        for suffix, starts in (("", plan.starts[str(hops)]), (", hubs", plan.hubs)):
            figures = timed(starts, lambda key, hops=hops: ask(key, hops), sizes=sizes, seconds=plan.seconds)  # type: ignore[misc]
            for asked in ("first", "again"):
                results[f"subgraph k={hops}{suffix}, {asked}"] = figures
    return results
