"""What the terminal says about whole stories as files, in English and Chinese."""

from __future__ import annotations

EXPORT_TEXTS: dict[str, tuple[str, str]] = {
    "export": (
        "Write a whole story into a folder of text files, or into one file.",
        "把整个故事写成一个文本文件夹，或写成单个文件。",
    ),
    "opt_target": (
        "The folder or file to write; - is standard output. Without it, one named after the story.",
        "要写入的文件夹或文件；- 表示标准输出。不给则以故事标题命名。",
    ),
    "opt_export_format": (
        "folder, zip or json (the same folder in one file), bundle (entities and relations as YAML); "
        "md, docx or epub (the manuscript to read); or a lorebook for another program: {lore}.",
        "folder（文件夹）、zip 或 json（同一文件夹的单文件形式）、bundle（实体与关系的 YAML 知识包）；"
        "md、docx 或 epub（供阅读的正文）；"
        "或供其他程序使用的设定集：{lore}。",
    ),
    "opt_export_book": (
        "The lorebook to write, by id or name; needed where more than one has entries.",
        "要写出的设定集（编号或名称）；有多个含条目的设定集时必须指定。",
    ),
    "opt_export_report": ("Only say what the format would lose.", "只列出该格式会丢失的内容。"),
    "opt_export_picture": ("For a card as PNG: the picture to put it into.", "角色卡写成 PNG 时所用的图片。"),
    "opt_overwrite": (
        "Replace files that were not written from this database.",
        "替换不是由本数据库写出的文件。",
    ),
    "exported": (
        "{path}: {changed} files written, {removed} removed, {same} as they were.",
        "{path}：写入 {changed} 个文件，移除 {removed} 个，{same} 个未变。",
    ),
    "story_imported": (
        "Imported: {title} ({id}), {entities} entities, {relations} relations, {scenes} scenes.",
        "已导入：{title}（{id}），{entities} 个实体，{relations} 条关系，{scenes} 个场景。",
    ),
}
