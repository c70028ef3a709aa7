"""What `fabula threads` says, in English and Chinese."""

from __future__ import annotations

THREAD_TEXTS: dict[str, tuple[str, str]] = {
    "threads": (
        "List a story's threads: what the reader was promised.",
        "列出故事的线索：对读者的承诺。",
    ),
    "opt_open": ("Only those that are still to be paid.", "只列尚未了结的。"),
    "opt_due": ("Only those that are due now.", "只列当下应了结的。"),
    "opt_overdue": ("Only those that are overdue.", "只列逾期未了的。"),
    "no_threads": ("There are no such threads.", "没有这样的线索。"),
    "one_filter": (
        "Give only one of --open, --due and --overdue.",
        "--open、--due、--overdue 只能给一个。",
    ),
    "column_thread": ("Thread", "线索"),
    "column_status": ("Status", "状态"),
    "column_due": ("Due", "期限"),
    "column_planted": ("Planted", "埋下"),
    "column_quoted": ("Words", "原文"),
    "status_overdue": ("overdue", "逾期"),
    "status_due": ("due", "当了"),
    "status_paid_in_part": ("paid in part", "部分了结"),
    "status_open": ("open", "未了"),
    "status_planned": ("planned", "计划中"),
    "status_paid": ("paid", "已了结"),
    "status_dropped": ("dropped", "已放弃"),
}
