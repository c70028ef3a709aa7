"""What `fabula try` says, in English and Chinese."""

from __future__ import annotations

from fabula.world_info.rules import SCAN_REASONS

TRY_TEXTS: dict[str, tuple[str, str]] = {
    "try": (
        "Try which entries of World Info books fire in a chat, and why.",
        "试验世界书的哪些条目会在对话中触发，以及理由。",
    ),
    "opt_case": (
        "The case: a JSON file with books, settings and a chat; - is the input.",
        "试验用例：含有世界书、设置和对话的 JSON 文件；- 表示标准输入。",
    ),
    "opt_try_table": ("Show a table instead of JSON.", "显示表格而非 JSON。"),
    "opt_try_fired": ("Only the entries that fire.", "只显示触发的条目。"),
    "try_turn": ("Turn {number}", "第 {number} 轮"),
    "try_used": (
        "{count} of {total} entries fire in {passes} passes; the budget is {budget} tokens.",
        "{total} 条中有 {count} 条触发，共 {passes} 轮扫描；预算 {budget} token。",
    ),
    "try_overflow": ("The budget is spent.", "预算已用完。"),
    "column_fired": ("Fires", "触发"),
    "column_entry": ("Entry", "条目"),
    "column_pass": ("Pass", "轮次"),
    "column_key": ("Key", "关键词"),
    "column_where": ("Where", "位置"),
    "fires": ("yes", "是"),
    "where_chat": ("message {index}", "第 {index} 条消息"),
    "where_source": ("text beside the chat", "对话之外的文字"),
    "where_injection": ("injection", "注入文字"),
    "where_recursion": ("text of other entries", "其他条目的文字"),
    "where_always": ("anywhere", "任意处"),
    **{f"scan_{reason.code}": reason.words for reason in SCAN_REASONS},
}
