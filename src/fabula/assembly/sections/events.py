"""Events that involve the entities named in the text."""

from __future__ import annotations

from fabula.assembly.pieces import Message, PromptBlock
from fabula.assembly.recollections import (
    LABEL,
    PART,
    RecollectionsAnswer,
    answer,
    left_out_order,
    recalled_into,
    tell,
)
from fabula.assembly.section import Section
from fabula.model.bilingual import Bilingual

# The token limit of one event: it is a reminder, not a chapter.
LONGEST = 240

_BLOCK = PromptBlock(PART, LABEL, Message.CONTEXT, order=30, heading=Bilingual("## What happened", "## 往事"))

EVENTS = Section(
    key="events",
    kind="event",
    kind_label=Bilingual("event", "往事"),
    blocks=(_BLOCK,),
    share=0.10,
    turn=40,
    second_turn=50,
    weigh=recalled_into(_BLOCK, LONGEST),
    tell=tell,
    left_out_order=left_out_order,
    answers=RecollectionsAnswer,
    answer=answer,
)
