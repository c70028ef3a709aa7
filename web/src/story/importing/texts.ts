import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  title: ["Import", "导入"],
  why: [
    "A novel (.txt, .md, .docx, .odt, .epub, .html, or a .zip of texts), a whole story (.zip), a lorebook (.json) or a knowledge bundle (.yaml, .json). What it is, is found out.",
    "小说（.txt、.md、.docx、.odt、.epub、.html，或多个文本打成的 .zip）、整个故事（.zip）、设定集（.json）或知识包（.yaml、.json），种类会自动识别。",
  ],
  file: ["File", "文件"],
  paste: ["Or paste it here", "或粘贴到此处"],
  looking: ["Looking into it…", "正在识别…"],
  novel: ["A novel", "小说"],
  story: ["A whole story", "整个故事"],
  bundle: ["A knowledge bundle", "知识包"],
  lorebook: ["A lorebook", "设定集"],
  chapters: [
    (count: number) => numbered(count, "chapter", "chapters"),
    (count: number) => `${figure(count)} 章`,
  ],
  scenes: [
    (count: number) => numbered(count, "scene", "scenes"),
    (count: number) => `${figure(count)} 个场景`,
  ],
  words: [(count: number) => numbered(count, "word", "words"), (count: number) => `${figure(count)} 字`],
  entities: [
    (count: number) => numbered(count, "entity", "entities"),
    (count: number) => `${figure(count)} 个实体`,
  ],
  items: [(count: number) => numbered(count, "item", "items"), (count: number) => `${figure(count)} 项`],
  relations: [
    (count: number) => numbered(count, "relation", "relations"),
    (count: number) => `${figure(count)} 条关系`,
  ],
  deleted: [(count: number) => `${figure(count)} deleted`, (count: number) => `删除 ${figure(count)} 项`],
  entries: [
    (count: number) => numbered(count, "entry", "entries"),
    (count: number) => `${figure(count)} 个条目`,
  ],
  skipped: [
    (count: number) => `${figure(count)} there already`,
    (count: number) => `已存在 ${figure(count)} 个`,
  ],
  inEncoding: [(encoding: string) => `read as ${encoding}`, (encoding: string) => `编码 ${encoding}`],
  into: ["Into", "导入到"],
  newStory: ["A new story", "新故事"],
  newTitle: ["Title of the new story", "新故事的标题"],
  overwrite: ["Change entries that are there already", "覆盖已存在的条目"],
  novelNext: [
    "The text becomes chapters and scenes. Then it is read without a model: who is sure becomes part of the story, the rest waits for review. You can stop that.",
    "正文会分成章节和场景，然后在不使用模型的情况下通读：有把握的人物直接加入故事，其余等待审核。可以随时停止。",
  ],
  chaptersFound: ["The chapters found", "识别出的章节"],
  noTitle: ["(no title)", "（无标题）"],
  storyNext: ["It becomes a story of its own, as it was exported.", "将按导出时的样子成为一个独立的故事。"],
  problems: [(count: number) => `${count} cannot be taken in:`, (count: number) => `${count} 个无法导入：`],
  done: [(title: string) => `“${title}” is there.`, (title: string) => `“${title}”已导入。`],
  reading: ["Reading the novel…", "正在通读小说…"],
  readDone: ["The novel is read.", "小说已通读。"],
  readStopped: ["Reading was stopped; chapters and scenes are kept.", "已停止通读；章节和场景都已保存。"],
  readFailed: [
    (message: string) => `Reading failed: ${message}`,
    (message: string) => `通读失败：${message}`,
  ],
  open: ["Open the story", "打开故事"],
  drop: ["Drop a file to import it", "松开以导入文件"],
  atLine: [(line: number) => `line ${line}`, (line: number) => `第 ${line} 行`],
  moreErrors: [(count: number) => `and ${count} more`, (count: number) => `还有 ${count} 处`],
});
