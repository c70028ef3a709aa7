"""Passages quoted from earlier scenes."""

from __future__ import annotations

from fabula.assembly.recollections import recollection_section
from fabula.model.bilingual import Bilingual

PASSAGES = recollection_section(
    "passages",
    "passage",
    Bilingual("quotation", "原文"),
    Bilingual("## In the story's own words", "## 原文"),
    order=40,
    turns=(45, 50),
    longest=400,
)
