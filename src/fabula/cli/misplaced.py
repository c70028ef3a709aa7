"""The part of `fabula doctor` about facts that older versions stored where they have no effect."""

from __future__ import annotations

from rich.console import Console

from fabula.cli.asking import keeper
from fabula.cli.texts import say
from fabula.memory import Memory
from fabula.model.story import Story
from fabula.operations.import_export.misplaced_roles import find_misplaced, mend_misplaced

console = Console(highlight=False, markup=False)


def look_for_misplaced(memory: Memory, story: Story, *, repair: bool) -> int:
    """Report or repair misplaced facts of a story; returns how many repairable ones remain."""
    call = memory.call(keeper)
    if repair:
        found = mend_misplaced(call, story.id)
    else:
        with call.store.read() as reader:
            found = find_misplaced(reader, story.id)
    if found.size:
        first = found.relations[0][0] if found.relations else found.events[0][0]
        name = f"{'relation' if found.relations else 'event'} {first.id}"
        word = "mended" if repair else "misplaced"
        console.print(say(word, title=story.title, count=found.size, first=name), soft_wrap=True)
    if found.unclear:
        told = {"title": story.title, "count": len(found.unclear), "first": found.unclear[0]}
        console.print(say("unclear", **told), soft_wrap=True)
    return 0 if repair else found.size
