"""`fabula distribute`: spread the tables of a PostgreSQL with Citus over its machines."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from fabula.cli.serving import Db
from fabula.cli.texts import say
from fabula.config import load
from fabula.store.place import place_of
from fabula.store.sharding import distribute

console = Console(highlight=False, markup=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def distribute_tables(
    plan: Annotated[bool, typer.Option("--plan", help=say("opt_plan"))] = False,
    db: Db = None,
) -> None:
    """Distribute the tables that are not yet, or show the statements that would do it."""
    place = load().db if db is None else place_of(db)
    report = distribute(place, lambda table: errors.print(say("distributing", table=table)), is_dry_run=plan)
    if plan:
        for step in report.steps:
            console.print(f"{step.statement};")
    counts = {"kept": report.kept_count, "workers": report.worker_count}
    if not report.steps:
        console.print(say("distributed_before", **counts))
        return
    console.print(say("would_distribute" if plan else "distributed", count=len(report.steps), **counts))
