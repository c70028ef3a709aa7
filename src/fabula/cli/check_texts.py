"""What `fabula check` says, in English and Chinese."""

from __future__ import annotations

CHECK_TEXTS: dict[str, tuple[str, str]] = {
    "check": (
        "Check the saved scenes of a story by rules; status 1 if there are errors.",
        "按规则检查故事中已保存的场景；有错误时退出状态为 1。",
    ),
    "opt_check_chapter": ("Only this chapter, counted from 0.", "只检查这一章，从 0 数起。"),
    "opt_check_rule": ("Only by this rule; may be repeated.", "只用这条规则；可重复。"),
    "opt_check_since": (
        "Only scenes that were saved after this revision.",
        "只检查此修订之后保存的场景。",
    ),
    "opt_check_format": ("text, json or sarif (SARIF 2.1.0).", "text、json 或 sarif（SARIF 2.1.0）。"),
    "opt_check_warnings": (
        "Status 1 if there are more warnings than this.",
        "警告多于此数时退出状态为 1。",
    ),
    "opt_check_model": (
        "Also ask the language model what the rules leave open; its findings are listed apart.",
        "另外把规则无法判定之处交给语言模型；其结果单独列出。",
    ),
    "opt_check_requests": (
        "Ask the model at most this often.",
        "最多询问模型的次数。",
    ),
    "check_price": (
        "{model} is asked {request_count} times, about {prompt_tokens:,} tokens and up to "
        "{answer_tokens:,} for answers; {left_out_count} requests are left out.",
        "将询问 {model} {request_count} 次，约 {prompt_tokens:,} 个词元，回答约 {answer_tokens:,} 个；"
        "另有 {left_out_count} 次未问。",
    ),
    "check_paid": (
        "The model took {prompt_tokens:,} tokens and gave {answer_tokens:,}; {failed_count} requests failed.",
        "模型读了 {prompt_tokens:,} 个词元，答了 {answer_tokens:,} 个；{failed_count} 次失败。",
    ),
    "check_by_model": (
        "By {model}, not by rules ({count}):",
        "以下由 {model} 提出，并非规则所得（{count}）：",
    ),
    "check_sum": (
        "{error} errors, {warning} warnings, {info} notes, {waived} waived, in {scenes} scenes of "
        "{characters:,} characters.",
        "{error} 个错误，{warning} 个警告，{info} 个提示，{waived} 个已豁免；共 {scenes} 个场景，"
        "{characters:,} 字。",
    ),
}
