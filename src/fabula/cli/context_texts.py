"""What `fabula context` says, in English and Chinese."""

from __future__ import annotations

from fabula.assembly.sections import SECTIONS
from fabula.model.context import REASONS

CONTEXT_TEXTS: dict[str, tuple[str, str]] = {
    "context": (
        "Show what a model would be told for a scene, and why.",
        "显示写某一场景时模型会得知什么，以及理由。",
    ),
    "opt_story_or_title": ("The id or title of the story.", "故事的 id 或标题。"),
    "opt_chapter": ("The chapter, counted from 0.", "章，从 0 数起。"),
    "opt_scene": ("The scene, counted from 0.", "场景，从 0 数起。"),
    "opt_text": (
        "A file with the scene's text so far; without it the saved scene.",
        "含有该场景已写文字的文件；不给则用已保存的场景。",
    ),
    "opt_budget": ("How many tokens there are.", "可用的 token 数。"),
    "opt_pin": (
        "The id of an entity or entry that must be told; may be repeated.",
        "必须告知的实体或条目 id；可重复。",
    ),
    "opt_prompt": ("Print the prompt itself.", "直接打印提示词。"),
    "context_used": ("{used} of {total} tokens used.", "已用 {used} / {total} token。"),
    "context_in": ("Told ({count})", "告知（{count}）"),
    "context_out": ("Left out ({count})", "未告知（{count}）"),
    "column_what": ("What", "类别"),
    "column_name": ("Name", "名称"),
    "column_reason": ("Reason", "理由"),
    "column_because": ("Because", "依据"),
    "column_priority": ("Priority", "优先级"),
    "column_tokens": ("Tokens", "token"),
    "missing_tokens": ("{count} tokens short", "差 {count} token"),
    **{f"kind_{section.kind}": section.kind_label for section in SECTIONS},
    **{f"reason_{reason.code}": reason.words for reason in REASONS},
}
