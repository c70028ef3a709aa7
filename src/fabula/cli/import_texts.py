"""What `fabula import`, `fabula schema` and `fabula ontology` say, in English and Chinese."""

from __future__ import annotations

IMPORT_TEXTS: dict[str, tuple[str, str]] = {
    "import": (
        "Take a bundle, a lorebook or a character card into a story, or make a story of it, of a novel, or "
        "of an exported folder or archive.",
        "把知识包、设定集或角色卡导入故事，或由它们、小说、导出的文件夹或压缩包建立故事。",
    ),
    "schema": (
        "Show what a bundle for a story must be like, as JSON with an example.",
        "显示故事的知识包须符合的模式（JSON，附例子）。",
    ),
    "ontology": ("The types of entities and relations of a story.", "故事的实体类型与关系类型（本体）。"),
    "ontology_show": ("Show the ontology of a story as YAML.", "以 YAML 显示故事的本体。"),
    "ontology_check": (
        "Say what an ontology would mean for a story, and change nothing.",
        "检查一份本体对故事意味着什么，不作改动。",
    ),
    "ontology_set": (
        "Give a story an ontology; what no longer fits is told and stays.",
        "为故事设定本体；不再相符的内容会列出，但不会丢失。",
    ),
    "opt_story_or_file": (
        "The story's id or title; or, alone, the folder or archive of a new story.",
        "故事的编号或标题；若只给这一项，则是新故事的文件夹或压缩包。",
    ),
    "opt_import_file": ("The file or folder to import.", "要导入的文件或文件夹。"),
    "opt_import_format": (
        "What the file is: novel, bundle, lorebook, or story (a folder or archive). Without it, its name and "
        "its beginning tell.",
        "文件的种类：novel（小说）、bundle（知识包）、lorebook（设定集）或 story（整个故事）。"
        "不给则由文件名与开头判断。",
    ),
    "opt_dry_run": ("Only say what would happen.", "只说明会发生什么，不写入。"),
    "opt_ontology_file": ("The ontology, a YAML or JSON file.", "本体文件，YAML 或 JSON。"),
    "bundle_imported": (
        "Imported: {nodes_upserted} nodes ({nodes_created} new, {nodes_deleted} deleted), "
        "{edges_upserted} edges ({edges_created} new, {edges_deleted} deleted).",
        "已导入：{nodes_upserted} 个节点（新增 {nodes_created}，删除 {nodes_deleted}），"
        "{edges_upserted} 条边（新增 {edges_created}，删除 {edges_deleted}）。",
    ),
    "bundle_tried": (
        "Nothing was written. It would be: {nodes_upserted} nodes ({nodes_created} new, "
        "{nodes_deleted} deleted), {edges_upserted} edges ({edges_created} new, {edges_deleted} deleted).",
        "未写入任何内容。将会是：{nodes_upserted} 个节点（新增 {nodes_created}，删除 {nodes_deleted}），"
        "{edges_upserted} 条边（新增 {edges_created}，删除 {edges_deleted}）。",
    ),
    "bundle_absent": (
        "{count} items to delete were not there.",
        "有 {count} 项要删除的内容原本就不存在。",
    ),
    "bundle_removed": (
        "{count} relations went with the deleted nodes.",
        "随被删除的节点一并去掉了 {count} 条关系。",
    ),
    "opt_overwrite_entries": (
        "For a lorebook: update the entries that are there already.",
        "导入设定集时更新已存在的条目。",
    ),
    "lore_format": ("Format: {format}", "格式：{format}"),
    "lore_runs": ("These fields work here: {fields}", "在此生效的字段：{fields}"),
    "lore_ignored": (
        "These fields work only in their program; they are kept: {fields}",
        "只在原程序中生效、此处仅保留的字段：{fields}",
    ),
    "lore_kept": ("These fields are kept as they are: {fields}", "原样保留的字段：{fields}"),
    "lore_collisions": ("There already: {names}", "已存在：{names}"),
    "lore_no_losses": ("Nothing is lost in this format.", "此格式不会丢失任何内容。"),
    "lore_losses": ("{count} things cannot be said in this format:", "此格式无法表达 {count} 处内容："),
    "lore_more_losses": ("  and {count} more", "  另有 {count} 处"),
    "lore_left_out": ("left out", "略去"),
    "lore_changed": ("changed", "有改动"),
    "lore_disabled": ("switched off, so that it stays secret", "已停用，以免泄露"),
    "lore_imported": (
        "{title}: {entries} entries taken in, {skipped} there already.",
        "《{title}》：导入 {entries} 个条目，已存在 {skipped} 个。",
    ),
    "lore_tried": (
        "Nothing was written. {title} would take in {entries} entries; {skipped} are there already.",
        "未写入任何内容。《{title}》将导入 {entries} 个条目，已存在 {skipped} 个。",
    ),
    "ontology_written": ("The story has this ontology now.", "故事已采用此本体。"),
    "ontology_tried": ("Nothing was changed.", "未作任何改动。"),
    "ontology_lost": ("Types that are gone: {names}", "不再有的类型：{names}"),
    "ontology_new": ("New types: {names}", "新增的类型：{names}"),
    "ontology_fits": ("Everything in the story fits.", "故事中的内容全部相符。"),
    "ontology_misfits": (
        "{count} things in the story do not fit; they stay as they are:",
        "故事中有 {count} 处不相符，均保持原样：",
    ),
}
