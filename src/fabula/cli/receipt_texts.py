"""What `fabula receipt` says, in English and Chinese."""

from __future__ import annotations

RECEIPT_TEXTS: dict[str, tuple[str, str]] = {
    "receipt": (
        "Show what models were told of a story: list, compare and replay receipts.",
        "查看模型得知了故事的哪些内容：列出、比较和重现回执。",
    ),
    "receipt_list": ("List the newest receipts of a story.", "列出故事最新的回执。"),
    "receipt_show": (
        "Show what was told, and what was left out and why.",
        "显示告知了什么，略去了什么及原因。",
    ),
    "receipt_diff": ("Compare two receipts.", "比较两份回执。"),
    "receipt_replay": (
        "Make the context of a receipt again at its revision.",
        "按回执的版本重新生成上下文。",
    ),
    "opt_receipt": ("The id of a receipt, or the beginning of it.", "回执的 id 或其开头。"),
    "opt_receipt_from": ("The earlier receipt.", "较早的回执。"),
    "opt_receipt_to": ("The later receipt.", "较晚的回执。"),
    "opt_receipt_limit": ("How many to list.", "列出多少份。"),
    "opt_receipt_prompt": ("Print the messages.", "打印消息。"),
    "no_receipts": (
        "The story has no receipts. Contexts for chat, proxy and agents have one.",
        "这个故事没有回执。对话、代理和智能体的上下文会有回执。",
    ),
    "receipt_unclear": ("Several receipts begin like this.", "有多份回执以此开头。"),
    "column_receipt": ("Receipt", "回执"),
    "column_at": ("When", "时间"),
    "column_door": ("Asked by", "来源"),
    "column_moment": ("Moment", "时刻"),
    "column_revision": ("Revision", "版本"),
    "column_version": ("Version", "版次"),
    "door_context": ("context", "上下文"),
    "door_conversation": ("conversation", "会话"),
    "door_chat": ("chat", "对话"),
    "door_proxy": ("proxy", "代理"),
    "door_mcp": ("agent", "智能体"),
    "receipt_came": ("Came ({count})", "新增（{count}）"),
    "receipt_went": ("Went ({count})", "消失（{count}）"),
    "receipt_changed": ("Changed ({count})", "改动（{count}）"),
    "receipt_moved": ("Moved ({count})", "移动（{count}）"),
    "receipt_no_difference": ("Both tell the same.", "两者告知的内容相同。"),
    "replay_same": (
        "Revision {revision}: the same messages, byte for byte.",
        "版本 {revision}：消息逐字节相同。",
    ),
    "replay_differs": ("Revision {revision}: not the same, because:", "版本 {revision}：不相同，原因："),
    "replay_input_not_kept": ("its input was too long to be kept", "输入过长，未留存"),
    "replay_embeddings": ("the embeddings are others", "向量不同"),
    "replay_token_model": ("tokens are counted with another vocabulary", "计数用的词表不同"),
    "replay_program": ("another version of Fabula made it", "由另一版本的 Fabula 生成"),
    "replay_unknown": ("unknown", "原因不明"),
}
