"""What `fabula mirror` says, in English and Chinese."""

from __future__ import annotations

MIRROR_TEXTS: dict[str, tuple[str, str]] = {
    "mirror": (
        "The stories in a graph server: bring up to date, verify, remove.",
        "图数据库中的故事镜像：同步、核对、移除。",
    ),
    "mirror_sync": (
        "Bring the mirror of one story or of all up to date.",
        "同步一个或全部故事的镜像。",
    ),
    "mirror_verify": (
        "Hold one story or all against their mirrors.",
        "核对一个或全部故事与其镜像是否一致。",
    ),
    "mirror_drop": (
        "Remove the mirror of a story; the story stays.",
        "移除一个故事的镜像；故事本身保留。",
    ),
    "opt_mirrored_story": ("The id or the title of the story.", "故事的 id 或标题。"),
    "opt_anew": ("Write everything anew.", "全部重新写入。"),
    "mirrored": ("“{title}” is mirrored.", "《{title}》已同步。"),
    "mirror_equal": (
        "“{title}” and its mirror are equal: {nodes} nodes, {edges} edges, {sum}.",
        "《{title}》与镜像一致：{nodes} 个节点，{edges} 条边，{sum}。",
    ),
    "mirror_differs": (
        "“{title}” and its mirror differ: {ids}. `fabula mirror sync --anew` writes it anew.",
        "《{title}》与镜像不一致：{ids}。用 `fabula mirror sync --anew` 重新写入。",
    ),
    "confirm_drop": (
        "Remove the mirror of “{title}” from the graph server?",
        "从图数据库中移除《{title}》的镜像？",
    ),
    "dropped": ("The mirror of “{title}” is gone.", "《{title}》的镜像已移除。"),
}
