"""What `fabula search` and `fabula embed` say, in English and Chinese."""

from __future__ import annotations

SEARCH_TEXTS: dict[str, tuple[str, str]] = {
    "search": (
        "Find names, texts, events and passages of a story.",
        "在故事里查找名字、设定、往事和原文。",
    ),
    "embed": (
        "Make the vectors of a story's texts that have none.",
        "为故事中还没有向量的文字生成向量。",
    ),
    "opt_question": ("A few words or a question.", "几个词，或一个问题。"),
    "opt_kind": (
        "Only this kind: entity, event, entry or passage; may be repeated.",
        "只找这一类：entity（实体）、event（事件）、entry（条目）、passage（原文）；可重复。",
    ),
    "opt_as_of_chapter": (
        "Only what is so by the end of this chapter, counted from 0.",
        "只看到这一章为止，从 0 数起。",
    ),
    "opt_as_of_scene": (
        "Only what is so by the end of this scene of the chapter, counted from 0.",
        "只看到该章的这一场景为止，从 0 数起。",
    ),
    "opt_limit": ("How many to show.", "显示多少条。"),
    "nothing_found": ("Nothing was found.", "没有找到。"),
    "column_why": ("Why", "缘由"),
    "column_place": ("Place", "位置"),
    "column_text": ("Text", "文字"),
    "hit_entity": ("entity", "实体"),
    "hit_event": ("event", "事件"),
    "hit_entry": ("entry", "条目"),
    "hit_passage": ("passage", "原文"),
    "why_name": ("name", "名字"),
    "why_text": ("text", "文字"),
    "why_near": ("near", "相近"),
    "hop_mention": ("names", "提到"),
    "hop_together": ("together", "同历"),
    "hop_bridge": ("shares a name with", "同提一名"),
    "hop_takes_part": ("takes part", "参与"),
    "embedded": (
        "{model}: {made} texts embedded, {count} vectors in all.",
        "{model}：新生成 {made} 个向量，共 {count} 个。",
    ),
}
