"""Passages quoted from earlier scenes."""

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

# The token limit of one passage.
LONGEST = 400

_BLOCK = PromptBlock(
    PART, LABEL, Message.CONTEXT, order=40, heading=Bilingual("## In the story's own words", "## 原文")
)

PASSAGES = Section(
    key="passages",
    kind="passage",
    kind_label=Bilingual("quotation", "原文"),
    blocks=(_BLOCK,),
    share=0.10,
    turn=60,
    second_turn=60,
    weigh=recalled_into(_BLOCK, LONGEST),
    tell=tell,
    left_out_order=left_out_order,
    answers=RecollectionsAnswer,
    answer=answer,
)
