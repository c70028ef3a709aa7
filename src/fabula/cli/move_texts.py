"""What the terminal says about moving and distributing a database, in English and Chinese."""

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
    "distribute": (
        "Spread the tables of a PostgreSQL with Citus over its machines, each story on one.",
        "把装有 Citus 的 PostgreSQL 的各表分布到多台机器，每个故事在其中一台上。",
    ),
    "opt_plan": ("Only show the statements; change nothing.", "只显示语句，不做改动。"),
    "distributing": ("{table}", "{table}"),
    "would_distribute": (
        "{count} tables would be spread over {workers} workers; {kept} are already. Nothing was changed.",
        "将把 {count} 张表分布到 {workers} 个工作节点；已有 {kept} 张。没有做任何改动。",
    ),
    "distributed": (
        "Spread {count} tables over {workers} workers; {kept} had been before.",
        "已把 {count} 张表分布到 {workers} 个工作节点；此前已有 {kept} 张。",
    ),
    "distributed_before": (
        "All {kept} tables are distributed already, over {workers} workers.",
        "全部 {kept} 张表此前均已分布到 {workers} 个工作节点。",
    ),
}
