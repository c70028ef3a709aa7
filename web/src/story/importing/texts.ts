import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  title: ["Import", "导入"],
  why: [
    "A novel, a whole story (.zip), a knowledge bundle, or a lorebook or character card of SillyTavern, NovelAI, RisuAI, Agnai, KoboldAI, AI Dungeon or Obsidian, as .json, .png, .charx, .byaf, .zip or .csv. What it is, is found out.",
    "小说、整个故事（.zip）、知识包，或者 SillyTavern、NovelAI、RisuAI、Agnai、KoboldAI、AI Dungeon、Obsidian 的世界书和角色卡（.json、.png、.charx、.byaf、.zip、.csv 等），种类会自动识别。",
  ],
  file: ["File", "文件"],
  paste: ["Or paste it here", "或粘贴到此处"],
  looking: ["Looking into it…", "正在识别…"],
  novel: ["A novel", "小说"],
  story: ["A whole story", "整个故事"],
  bundle: ["A knowledge bundle", "知识包"],
  lorebook: ["A lorebook", "设定集"],
  runs: ["Has an effect here", "在此生效"],
  runsNote: ["As in the program it comes from.", "与来源程序中的作用相同。"],
  ignored: ["Kept, but has no effect here", "保留，但在此不生效"],
  ignoredNote: [
    "It has an effect only in the program it comes from, and is written again on export.",
    "只在来源程序中有作用，导出时会原样写回。",
  ],
  kept: ["Kept as it is", "原样保留"],
  keptNote: [
    "It has no effect anywhere, or nobody knows which. It is written again on export.",
    "没有作用或作用未知，导出时会原样写回。",
  ],
  fields: [
    (count: number) => numbered(count, "field", "fields"),
    (count: number) => `${figure(count)} 个字段`,
  ],
  inEntries: [(count: number) => `× ${figure(count)}`, (count: number) => `${figure(count)} 条`],
  collisions: [
    (count: number) =>
      count === 1 ? "1 name is in the story already" : `${figure(count)} names are in the story already`,
    (count: number) => `故事中已有 ${figure(count)} 个同名条目`,
  ],
  cardNext: [
    "The character becomes part of the story, with the greeting, the scenario and the examples as entries.",
    "角色会加入故事，开场白、场景和示例对话会成为条目。",
  ],
  bookNext: [
    "It becomes a lorebook beside the story's own, and its entries are activated as in the program it comes from.",
    "它会成为故事自有设定集之外的一本世界书，条目按来源程序的规则激活。",
  ],
  showBook: ["Show its entries", "查看条目"],
  notKnown: ["The file cannot be imported like this.", "此文件无法这样导入。"],
  entryInvalid: ["A field is not as it has to be.", "有字段不符合要求。"],
  entryTooLarge: ["It is too large to be kept.", "内容过大，无法保留。"],
  entryTaken: ["The name is taken.", "名称已被占用。"],
  tooLarge: ["The file is too large.", "文件太大。"],
  notAllowed: ["You may only read this story.", "你只能阅读此故事。"],
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
  readSoFar: [
    (chapter: string, of: number) => `${chapter} (of ${figure(of)})`,
    (chapter: string, of: number) => `${chapter}（共 ${figure(of)} 章回）`,
  ],
  seeCast: ["See who is in it", "查看人物"],
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
