"""What the terminal says, in English and Chinese."""

from __future__ import annotations

from fabula.cli.agent_texts import AGENT_TEXTS
from fabula.cli.backup_texts import BACKUP_TEXTS
from fabula.cli.check_texts import CHECK_TEXTS
from fabula.cli.context_texts import CONTEXT_TEXTS
from fabula.cli.export_texts import EXPORT_TEXTS
from fabula.cli.import_texts import IMPORT_TEXTS
from fabula.cli.knowing_texts import KNOWING_TEXTS
from fabula.cli.mirror_texts import MIRROR_TEXTS
from fabula.cli.move_texts import MOVE_TEXTS
from fabula.cli.novel_texts import NOVEL_TEXTS
from fabula.cli.receipt_texts import RECEIPT_TEXTS
from fabula.cli.search_texts import SEARCH_TEXTS
from fabula.cli.thread_texts import THREAD_TEXTS
from fabula.cli.try_texts import TRY_TEXTS
from fabula.config import language

TEXTS: dict[str, tuple[str, str]] = {
    "app": (
        "Fabula, the memory of a story.",
        "Fabula：故事的记忆。",
    ),
    "stories_are": ("Your stories are in {place}.", "你的故事在 {place}。"),
    "stories_will_be": ("Your stories will be in {place}.", "你的故事将保存在 {place}。"),
    "begin_demo": (
        "look at two sample stories, in a database that is thrown away",
        "看看两个示例故事，所用的数据库用完即弃",
    ),
    "begin_serve": ("open your stories in the browser", "在浏览器里打开你的故事"),
    "begin_import": (
        "bring a novel, a lorebook, a card or an exported story",
        "导入小说、设定集、角色卡或导出的故事",
    ),
    "begin_help": ("All commands: fabula --help", "全部命令：fabula --help"),
    "demo": (
        "Open the sample story on a throw-away database.",
        "在一次性的数据库里打开示例故事。",
    ),
    "serve": (
        "Serve the API of the stories in a database.",
        "为数据库中的故事提供接口服务。",
    ),
    "ipc": (
        "Answer knowledge:* messages, one JSON object per line on stdin and stdout.",
        "在标准输入输出上应答 knowledge:* 消息，每行一个 JSON 对象。",
    ),
    "story": ("List, begin, share and delete stories.", "列出、新建、共享和删除故事。"),
    "story_list": ("List the stories.", "列出故事。"),
    "story_new": ("Begin a story.", "新建故事。"),
    "story_sample": (
        "Put the sample story among your own.",
        "把示例故事放入自己的数据库。",
    ),
    "story_delete": (
        "Delete a story with everything in it.",
        "删除故事及其全部内容。",
    ),
    "story_share": (
        "Give a user a role in a story: owner, editor or reader.",
        "让用户在故事中担任角色：owner（所有者）、editor（编辑）或 reader（读者）。",
    ),
    "user": (
        "Add users and look after their tokens.",
        "添加用户并管理其令牌。",
    ),
    "user_add": ("Add a user.", "添加用户。"),
    "user_token": (
        "Make a token for a user and print it, this once.",
        "为用户生成令牌并显示，仅此一次。",
    ),
    "user_list": ("List the users and their tokens.", "列出用户及其令牌。"),
    "user_revoke": (
        "Revoke a token of a user, or all of them.",
        "吊销用户的一个或全部令牌。",
    ),
    "cover_by_others": (
        "{title}: the name '{name}' contains the hidden '{hidden}' and was not written by the author; "
        "sentences with it are withheld. If it gives nothing away, confirm it in the setting `covers`.",
        "{title}：名称“{name}”含有隐藏的“{hidden}”，且并非作者所写；含有它的句子不会告诉模型。"
        "若它不泄露秘密，请在故事设置 `covers` 中确认。",
    ),
    "cover_by_manuscript": (
        "{title}: the name '{name}', read in the manuscript, contains the hidden '{hidden}'; sentences with "
        "it are withheld. Confirm it in the story's setting `covers` if it gives nothing away.",
        "{title}：从书稿读到的名称“{name}”含有隐藏的“{hidden}”；含有它的句子不会告诉模型。"
        "若它不泄露秘密，请在故事设置 `covers` 中确认。",
    ),
    "covers_more": ("… and {count} more.", "……还有 {count} 个。"),
    "doctor": (
        "Check the database and show the settings.",
        "检查数据库并显示设置。",
    ),
    "schemas": (
        "Write the JSON Schemas of the channels to a file.",
        "把各通道的 JSON Schema 写入文件。",
    ),
    "opt_db": (
        "The database: a file, or postgresql://USER@HOST/DATABASE.",
        "数据库：文件，或 postgresql://用户@主机/数据库。",
    ),
    "opt_host": ("The address to listen on.", "监听地址。"),
    "opt_port": ("The port to listen on; 0 takes a free one.", "监听端口；0 表示任选空闲端口。"),
    "opt_processes": ("How many processes answer.", "处理请求的进程数。"),
    "opt_browser": ("Open the browser.", "打开浏览器。"),
    "opt_language": ("The language of the story: zh or en.", "故事的语言：zh 或 en。"),
    "opt_title": ("The title of the story.", "故事的标题。"),
    "opt_story": ("The id of the story.", "故事的 id。"),
    "opt_user": ("The name of the user.", "用户名。"),
    "opt_role": ("What the user may do with the story.", "用户在故事中的角色。"),
    "opt_label": ("What the token is for.", "令牌的用途。"),
    "opt_token": ("The id of the token; without it, all of them.", "令牌的 id；不给则为全部。"),
    "opt_yes": ("Do not ask.", "不再询问。"),
    "opt_out": ("The file to write.", "要写入的文件。"),
    "opt_openapi": ("Write the OpenAPI document instead.", "改为写入 OpenAPI 文档。"),
    "opt_context_words": (
        "Write the page's names for the parts and reasons of contexts instead, as TypeScript.",
        "改为以 TypeScript 写入页面对上下文各部分和理由的称呼。",
    ),
    "serving": ("Fabula is listening at {url}", "Fabula 正在 {url} 提供服务"),
    "stop_hint": ("Press Ctrl+C to stop.", "按 Ctrl+C 停止。"),
    "sample_loaded": (
        "Sample story “{title}”: {entities} entities, {relations} relations.",
        "示例故事《{title}》：{entities} 个实体，{relations} 条关系。",
    ),
    "no_stories": (
        "No stories yet. Begin one with: fabula story new TITLE",
        "还没有故事。用 fabula story new 标题 新建一个。",
    ),
    "column_title": ("Title", "标题"),
    "column_language": ("Language", "语言"),
    "column_entities": ("Entities", "实体"),
    "column_relations": ("Relations", "关系"),
    "column_changed": ("Changed", "更新于"),
    "column_setting": ("Setting", "设置"),
    "column_value": ("Value", "值"),
    "column_meaning": ("Meaning", "含义"),
    "column_user": ("User", "用户"),
    "column_token": ("Token id", "令牌 id"),
    "column_label": ("Label", "用途"),
    "column_made": ("Made", "生成于"),
    "no_users": (
        "No users yet. Add one with: fabula user add NAME",
        "还没有用户。用 fabula user add 用户名 添加一个。",
    ),
    "user_added": (
        "Added: {name}. A token comes with: fabula user token {name}",
        "已添加：{name}。用 fabula user token {name} 生成令牌。",
    ),
    "token_made": (
        "Keep the token now: it cannot be shown again. Its id is {id}.",
        "请立即保存令牌：以后无法再次显示。其 id 为 {id}。",
    ),
    "revoked": ("Revoked: {count} token(s).", "已吊销 {count} 个令牌。"),
    "shared": ("{name} is now {role} of {id}.", "{name} 现在是 {id} 的 {role}。"),
    "begun": ("Begun: {title} ({id})", "已新建：{title}（{id}）"),
    "confirm_delete": (
        "Delete “{title}” with {entities} entities and {relations} relations? This cannot be undone.",
        "确定删除《{title}》，连同 {entities} 个实体和 {relations} 条关系？此操作无法撤销。",
    ),
    "deleted": ("Deleted.", "已删除。"),
    "kept": ("Nothing was deleted.", "没有删除任何内容。"),
    "sound": (
        "{title}: {rows} rows agree with the change log.",
        "{title}：{rows} 行与变更日志一致。",
    ),
    "unsound": (
        "{title}: {count} rows disagree with the change log, first {first}.",
        "{title}：{count} 行与变更日志不一致，首个为 {first}。",
    ),
    "misplaced": (
        "{title}: {count} facts of an older version are kept where they do not count, first {first}. "
        "`fabula doctor --repair` puts them right.",
        "{title}：有 {count} 条旧版本的数据存放在不起作用的位置，首个为 {first}。"
        "运行 `fabula doctor --repair` 即可修正。",
    ),
    "mended": (
        "{title}: {count} facts of an older version were put where they count; that can be undone.",
        "{title}：已修正 {count} 条旧版本的数据，可以撤销。",
    ),
    "unclear": (
        "{title}: {count} facts say a time that is none or that contradicts another, first {first}. "
        "Mend them by hand.",
        "{title}：有 {count} 条数据的时间无效或互相矛盾，首个为 {first}，请手动修改。",
    ),
    "opt_repair": (
        "Mend what can be mended, and remove what jobs left behind; each story in a step that can be undone.",
        "修正能够修正的问题，清除任务的残留；每个故事一步完成，可以撤销。",
    ),
    "not_loopback": (
        "Fabula does not listen on {host}: without accounts it may only be reached from this machine.",
        "Fabula 不会监听 {host}：没有账户时只允许本机访问。",
    ),
    "loopback_or_accounts": (
        "--host 127.0.0.1, or accounts with FABULA_AUTH=required",
        "--host 127.0.0.1，或用 FABULA_AUTH=required 启用账户",
    ),
    "suggestion": ("What to do: {text}", "建议：{text}"),
    "written": ("Written: {path}", "已写入：{path}"),
}


TABLES = (
    TEXTS,
    AGENT_TEXTS,
    BACKUP_TEXTS,
    CONTEXT_TEXTS,
    EXPORT_TEXTS,
    MOVE_TEXTS,
    IMPORT_TEXTS,
    MIRROR_TEXTS,
    NOVEL_TEXTS,
    CHECK_TEXTS,
    RECEIPT_TEXTS,
    SEARCH_TEXTS,
    THREAD_TEXTS,
    KNOWING_TEXTS,
    TRY_TEXTS,
)
_ALL_TEXTS = {key: text for table in TABLES for key, text in table.items()}


def say(key: str, **values: object) -> str:
    """Return a text in the user's language."""
    english, chinese = _ALL_TEXTS[key]
    return (chinese if language() == "zh" else english).format(**values)
