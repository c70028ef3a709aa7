"""What `fabula timeline` and `fabula knows` say, in English and Chinese."""

from __future__ import annotations

KNOWING_TEXTS: dict[str, tuple[str, str]] = {
    "timeline": (
        "List a story's scenes and events, as they are told or as they happen.",
        "列出故事的场景与事件，按讲述顺序或发生顺序。",
    ),
    "opt_as_happened": (
        "As they happen, or as they are told, which is usual.",
        "按发生顺序，或按讲述顺序（默认）。",
    ),
    "no_turns": ("The story has no scenes and no events yet.", "故事还没有场景，也没有事件。"),
    "no_world_time": (
        "No scene has a world time: they happen in the order in which they are told.",
        "没有场景标注故事时间，发生顺序即讲述顺序。",
    ),
    "column_told": ("Told in", "讲述于"),
    "column_when": ("Happens", "发生于"),
    "turn_scene": ("scene", "场景"),
    "turn_event": ("event", "事件"),
    "knows": (
        "List what somebody in a story knows and believes that not everybody does.",
        "列出故事中某人知道、或误信的非公开之事。",
    ),
    "opt_knower": ("Who: an id, a name or an alias.", "谁：编号、名字或别名。"),
    "knows_nothing": ("{name} knows no secret here.", "{name}此时不知道任何秘密。"),
    "unknown_facts": (
        "Private facts unknown to {name}: {count}",
        "{name}不知道的非公开之事：{count}",
    ),
    "column_fact": ("Fact", "事实"),
    "column_how": ("How", "如何得知"),
    "column_since": ("Since", "何时起"),
    "column_belief": ("Believes instead", "误以为"),
    "how_witnessed": ("witnessed", "亲历"),
    "how_told": ("told", "听说"),
    "how_read": ("read", "读到"),
    "how_deduced": ("deduced", "推断"),
    "how_believes": ("believes", "相信"),
}
