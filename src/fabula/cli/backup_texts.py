"""What the terminal says about backups and damage, in English and Chinese."""

from __future__ import annotations

BACKUP_TEXTS: dict[str, tuple[str, str]] = {
    "backup": (
        "Write the whole database into one file, while others go on writing.",
        "把整个数据库备份成一个文件；备份期间可以继续写入。",
    ),
    "restore": (
        "Make a database of a backup, where there is none.",
        "用备份在空白处还原出一个数据库。",
    ),
    "opt_backup_target": (
        "The file or folder to write into; without it, the folder `backups` beside the database.",
        "要写入的文件或文件夹；不给则写入数据库旁的 backups 文件夹。",
    ),
    "opt_backup_overwrite": ("Replace a backup that is there.", "替换已有的备份。"),
    "opt_backup": ("The backup.", "备份文件。"),
    "backing_up": ("Backing up", "正在备份"),
    "restoring": ("Restoring", "正在还原"),
    "backed_up": (
        "Written: {path} ({size}). {stories} stories, {rows} rows, verified.",
        "已写入：{path}（{size}）。{stories} 个故事，{rows} 行，已校验。",
    ),
    "restored": (
        "Restored: {path}, as of {made}. {stories} stories, {rows} rows, verified.",
        "已还原：{path}，备份时间 {made}。{stories} 个故事，{rows} 行，已校验。",
    ),
    "file_sound": ("{path}: the file is whole.", "{path}：文件完好。"),
    "file_damaged": ("{path}: {complaint}", "{path}：{complaint}"),
    "backup_known": ("The newest backup is {path}.", "最新的备份是 {path}。"),
    "backup_unknown": (
        "No backup is known. Make one with: fabula backup",
        "尚无备份。用 fabula backup 创建一个。",
    ),
}
