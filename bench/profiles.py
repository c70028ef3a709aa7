"""Where the time of a context goes: `python -m bench.profiles SIZE [typing]`."""

from __future__ import annotations

import cProfile
import pstats
import sys

from bench.asking import LIMITS
from bench.plan import STORY
from bench.scenes import CHAPTER, SCENE, scenes
from fabula.memory import Memory
from fabula.operations.context import assemble_context

ROUNDS = 3
SHOWN = 45


def main(size: int, typing: bool) -> None:
    """Profile warm calls, and show the functions by their own time and by all of theirs."""
    known = scenes(size)
    texts = [text for scene in known.texts[:6] for text in (scene.typed() if typing else (scene.text,))]
    with Memory(known.db, limits=LIMITS) as memory:

        def assemble(text: str) -> None:
            request = {"chapter": CHAPTER, "scene": SCENE, "text": text}
            assemble_context(memory.call(), project_id=STORY, **request)

        for scene in known.texts:
            assemble(scene.text)
        calls = texts if typing else texts * ROUNDS
        profile = cProfile.Profile()
        profile.enable()
        for text in calls:
            assemble(text)
        profile.disable()
    print(f"{len(calls)} calls")
    shown = pstats.Stats(profile)
    shown.strip_dirs().sort_stats("cumulative").print_stats(SHOWN)
    shown.sort_stats("tottime").print_stats(SHOWN)


if __name__ == "__main__":
    main(int(sys.argv[1]), "typing" in sys.argv[2:])
