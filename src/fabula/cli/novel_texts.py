"""What the terminal says about novels, `fabula extract` and jobs, in English and Chinese."""

from __future__ import annotations

NOVEL_TEXTS: dict[str, tuple[str, str]] = {
    "extract": (
        "Look through the saved scenes of a story; what is found waits for review.",
        "通读故事中已保存的场景，找到的内容等待审核。",
    ),
    "jobs": (
        "Show the long work in the background: what waits, what is done, how it ended.",
        "查看后台任务：等待中的、进行中的和已结束的。",
    ),
    "opt_novel_title": (
        "Of a novel: the title of the story; else that in the file, or its name.",
        "小说：故事的标题；不给则取文件中的书名或文件名。",
    ),
    "opt_approve": (
        "Of a novel: the confidence from which on finds become part of the story; 1 leaves all to review.",
        "小说：置信度达到多少的内容直接写入故事；1 表示全部留待审核。",
    ),
    "opt_extract_chapter": ("Only this chapter, counted from 0.", "只读这一章，从 0 数起。"),
    "opt_extract_scene": (
        "Only this scene of the chapter, counted from 0.",
        "只读该章的这一场景，从 0 数起。",
    ),
    "opt_extractor": (
        "Who reads: auto (the model where one is set up), local or model.",
        "由谁来读：auto（设了模型就用模型）、local（本地）或 model（模型）。",
    ),
    "opt_jobs_story": ("Only of this story: its id or title.", "只看这个故事：id 或标题。"),
    "opt_cancel": ("Stop the job of this id.", "停止这个 id 的任务。"),
    "novel_stored": (
        "{title}: {chapters} chapters, {scenes} scenes ({encoding}). Its id is {id}.",
        "《{title}》：{chapters} 章，{scenes} 个场景（{encoding}）。id 为 {id}。",
    ),
    "novel_again": (
        "{title} is there already ({id}); going on where it was left.",
        "《{title}》已经在库中（{id}），从上次停下的地方继续。",
    ),
    "novel_whole": (
        "{title} is there already ({id}), and read to the end.",
        "《{title}》已经在库中（{id}），并已读完。",
    ),
    "novel_elsewhere": (
        "Another process is reading it: see fabula jobs.",
        "另一个进程正在读它：见 fabula jobs。",
    ),
    "novel_reading": ("reading", "正在通读"),
    "novel_failed": ("The reading ended as {status}: {message}", "通读的结果是 {status}：{message}"),
    "novel_read": (
        "{entities} people, places and things, {relations} relations; {waiting} proposals wait for review."
        " Undo takes back the whole reading in one step.",
        "{entities} 个人物、地点和事物，{relations} 条关系；{waiting} 条提议等待审核。整次通读可以一步撤销。",
    ),
    "novel_tried": (
        "Nothing was written. The novel would have {chapters} chapters.",
        "未写入任何内容。小说将有 {chapters} 章。",
    ),
    "column_chapter": ("Chapter", "章节"),
    "column_scenes": ("Scenes", "场景"),
    "column_words": ("Words", "字数"),
    "column_opening": ("Begins", "开头"),
    "column_times": ("Named", "提及"),
    "column_first": ("First", "首见"),
    "column_type": ("Type", "类型"),
    "extracted": (
        "{scenes} scenes looked through: {proposed} new proposals, {waiting} wait for review.",
        "读了 {scenes} 个场景：新增 {proposed} 条提议，共 {waiting} 条等待审核。",
    ),
    "parts_found": (
        "{title}: {count} parts of jobs that have ended were left behind. Take them away with --repair.",
        "{title}：有 {count} 份已结束任务的残留。用 --repair 清除。",
    ),
    "parts_mended": (
        "{title}: {count} parts of jobs that have ended were left behind, and are gone now.",
        "{title}：{count} 份已结束任务的残留已清除。",
    ),
    "unread_found": (
        "{title}: the novel was not read to the end. Import the same file again to go on, or queue it with"
        " --repair.",
        "{title}：小说没有读完。再次导入同一文件即可继续，或用 --repair 排入队列。",
    ),
    "unread_mended": (
        "{title}: the novel was not read to the end. That is queued; a server goes on with it.",
        "{title}：小说没有读完，已排入队列，由服务器继续。",
    ),
    "no_jobs": ("No jobs.", "没有任务。"),
    "job_queued": ("queued", "等待中"),
    "job_processing": ("processing", "进行中"),
    "job_done": ("done", "已完成"),
    "job_failed": ("failed", "失败"),
    "job_cancelled": ("cancelled", "已取消"),
}
