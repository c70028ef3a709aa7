"""What the terminal says about moving to another database, in English and Chinese."""

from __future__ import annotations

MOVE_TEXTS: dict[str, tuple[str, str]] = {
    "move": (
        "Move everything from one database to another, SQLite or PostgreSQL.",
        "把全部内容从一个数据库迁移到另一个（SQLite 或 PostgreSQL）。",
    ),
    "opt_from": (
        "The database to move from: a file, sqlite:FILE, or postgresql://USER@HOST/DATABASE.",
        "源数据库：文件、sqlite:文件，或 postgresql://用户@主机/数据库。",
    ),
    "opt_to": (
        "The empty database to move to, named the same way.",
        "目标数据库（须为空），写法相同。",
    ),
    "moving": ("{done}/{total} {title}", "{done}/{total} 《{title}》"),
    "moved_before": (
        "{count} of these had been moved before and are unchanged.",
        "其中 {count} 项此前已迁移，且没有变化。",
    ),
    "moved": (
        "Moved and compared: {stories} stories, {rows} rows. The source is as it was.",
        "已迁移并核对：{stories} 个故事，{rows} 行。源数据库保持原样。",
    ),
}
