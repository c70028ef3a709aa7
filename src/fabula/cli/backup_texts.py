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
    "opt_backup_keep": (
        "Keep so many of the backups in the folder, this one included, and remove older ones.",
        "文件夹中只保留这么多个备份（含本次），更早的删除。",
    ),
    "keep_in_folder": ("--keep is for a folder, and {path} is none.", "--keep 只用于文件夹，{path} 不是。"),
    "keep_how": (
        "Name a folder, or nothing: then it is `backups` beside the database.",
        "请给出一个文件夹，或不给：默认是数据库旁的 backups 文件夹。",
    ),
    "backup_removed": ("Removed: {path}", "已删除：{path}"),
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
    "server": (
        "{place}: PostgreSQL {version}, {encoding}, schema {schema}, {size}.",
        "{place}：PostgreSQL {version}，{encoding}，结构版本 {schema}，{size}。",
    ),
    "server_sound": (
        "Its tables, indexes and references are as Fabula made them.",
        "表、索引与引用均与 Fabula 所建一致。",
    ),
    "server_encoding": (
        "Its encoding is {what}, which has not every letter. Move the stories to a database made with: "
        "createdb --encoding UTF8 --template template0 NAME",
        "编码是 {what}，不能容纳所有文字。请把故事迁移到用以下命令建立的数据库："
        "createdb --encoding UTF8 --template template0 NAME",
    ),
    "server_table": (
        "The table {what} is missing. Restore a backup into an empty database.",
        "缺少表 {what}。请把备份还原到一个空数据库。",
    ),
    "server_column": (
        "The column {what} has another type or order of texts than Fabula gave it.",
        "列 {what} 的类型或文本排序与 Fabula 所建不符。",
    ),
    "server_index": (
        "The index {what} is invalid and not used. Mend it with: REINDEX INDEX {what}",
        "索引 {what} 无效，未被使用。修复命令：REINDEX INDEX {what}",
    ),
    "server_constraint": (
        "{what} was never checked against the rows. Do it with: ALTER TABLE … VALIDATE CONSTRAINT …",
        "约束 {what} 从未对现有行校验。请执行：ALTER TABLE … VALIDATE CONSTRAINT …",
    ),
    "server_unsafe": (
        "Beware: {what}. A power cut may take what was acknowledged.",
        "注意：{what}。断电可能丢失已确认的写入。",
    ),
    "server_standby": (
        "This is a standby: it can be read, not written.",
        "这是备用服务器：只能读，不能写。",
    ),
    "server_backup": (
        "Of a server no backups are noted. Make them with fabula backup, or with its own means.",
        "服务器数据库的备份没有记录。请用 fabula backup 或服务器自带的方式备份。",
    ),
}
