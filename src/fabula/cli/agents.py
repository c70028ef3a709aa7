"""`fabula mcp`: serve the stories to an agent on stdin and stdout."""

from __future__ import annotations

import signal
from typing import Annotated

import typer

from fabula.cli.context import story_id_of
from fabula.cli.logs import log_as_json
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load


def mcp(
    story: Annotated[str | None, typer.Option("--story", help=say("opt_usual_story"))] = None,
    pov: Annotated[str | None, typer.Option("--pov", help=say("opt_pov"))] = None,
    db: Db = None,
) -> None:
    """Speak the Model Context Protocol on stdin and stdout until stdin ends."""
    config = load()
    log_as_json(config.log_level)
    with open_for(config, db) as memory:
        usual = None if story is None else story_id_of(memory, story)
        # The MCP library takes half a second to import, so other commands do not load it.
        from fabula import __version__
        from fabula.api.mcp.over_stdio import serve_stdio

        # A thread blocked on stdin would delay the exit; everything written is already safe.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        serve_stdio(memory, version=__version__, usual_story=usual, pov=pov)
