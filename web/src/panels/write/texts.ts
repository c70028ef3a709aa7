import { PARTS, REASONS } from "../../client/context";
import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

const inTokens = (tokens: number) => numbered(tokens, "token", "tokens");

export const texts = inBoth({
  // The manuscript
  manuscript: ["Chapters and scenes", "章节与场景"],
  none: ["Nothing is written yet", "还没有正文"],
  noneNext: [
    "Begin the first chapter. Names of your lorebook are underlined while you write, and beside the text you see what a model would be told.",
    "开始写第一章。写作时，设定集中的名称会加下划线；旁边会显示模型将得知的内容。",
  ],
  begin: ["Begin the first chapter", "开始写第一章"],
  choose: ["Choose a scene", "选择一个场景"],
  looks: ["How the text looks", "正文外观"],
  focus: ["Focus on the text, or leave it", "进入或退出专注模式"],
  print: ["Print", "打印"],
  foldAll: ["Collapse all chapters", "收起所有章"],
  unfoldAll: ["Expand all chapters", "展开所有章"],
  findWords: ["Find and replace", "查找和替换"],
  newChapter: ["New chapter", "新建章"],
  newScene: ["New scene", "新建场景"],
  newSceneIn: [(title: string) => `New scene in ${title}`, (title: string) => `在“${title}”中新建场景`],
  newChapterAtEnd: ["A new chapter at the end", "末尾新的一章"],
  words: [(count: string) => `${count} words`, (count: string) => `${count} 字`],
  unsaved: ["Not saved yet", "未保存"],
  rename: ["Rename", "重命名"],
  renameOf: [(title: string) => `Rename ${title}`, (title: string) => `重命名 ${title}`],
  title: ["Title", "标题"],
  deleteTitle: [(title: string) => `Delete “${title}”?`, (title: string) => `删除“${title}”？`],
  deleteWhat: [
    (count: string) => `${count} words go. Undo brings them back.`,
    (count: string) => `将删除 ${count} 字，可以撤销恢复。`,
  ],
  deleted: ["Scene deleted", "已删除场景"],
  deleteChapterWhat: [
    (scenes: number, words: number) =>
      `${numbered(scenes, "scene", "scenes")} with ${numbered(words, "word", "words")} go, and their summaries with them. The other chapters keep their numbers. Undo brings everything back.`,
    (scenes: number, words: number) =>
      `将删除 ${figure(scenes)} 个场景，共 ${figure(words)} 字，连同其摘要。其他各章编号不变，可以撤销恢复。`,
  ],
  deleteChapterFacts: [
    (count: number) =>
      count === 1 ? "1 fact dated in this chapter stays." : `${count} facts dated in this chapter stay.`,
    (count: number) => `标注在此章的 ${count} 项设定会保留。`,
  ],
  deletedChapter: ["Chapter deleted", "已删除章"],
  move: ["Move", "移动"],
  moveOf: [(title: string) => `Move ${title}`, (title: string) => `移动 ${title}`],
  moveTitle: [(title: string) => `Move “${title}” to…`, (title: string) => `将“${title}”移到…`],
  moveUp: ["Move the scene up", "上移场景"],
  moveDown: ["Move the scene down", "下移场景"],
  position: ["Position", "位置"],
  before: [(title: string) => `Before ${title}`, (title: string) => `在“${title}”之前`],
  atEnd: ["At the end", "最后"],
  staysThere: ["It stands there already.", "已经在这个位置。"],
  moveWhat: [
    (facts: number, kept: number) =>
      [
        facts === 0
          ? "No fact is dated anew."
          : `${facts === 1 ? "1 fact is" : `${facts} facts are`} dated with what moves, and ${facts === 1 ? "goes" : "go"} along.`,
        kept === 0
          ? ""
          : kept === 1
            ? "1 keeps its dates: it would end before it begins."
            : `${kept} keep their dates: they would end before they begin.`,
      ]
        .filter(Boolean)
        .join(" "),
    (facts: number, kept: number) =>
      [
        facts === 0 ? "没有设定需要改期。" : `有 ${facts} 项设定随之改期。`,
        kept === 0 ? "" : `有 ${kept} 项保持原期，否则会先结束后开始。`,
      ].join(""),
  ],
  moved: ["Moved", "已移动"],
  movedFacts: [
    (count: number) => (count === 1 ? "Moved, and 1 fact with it" : `Moved, and ${count} facts with it`),
    (count: number) => `已移动，${count} 项设定随之改期`,
  ],
  // The text
  back: ["Back to the chapters", "返回章节列表"],
  toggleSide: ["Show or hide the context", "显示或隐藏上下文"],
  beside: ["Beside the text", "侧栏"],
  names: ["Names that fit", "匹配的名称"],
  notYetHere: ["Not part of the story yet in this scene.", "到这个场景为止尚未登场。"],
  noLongerHere: ["No longer part of the story in this scene.", "到这个场景时已经退场。"],
  nothingTold: ["Nothing is written about this yet.", "还没有相关内容。"],
  openEntry: ["Open entry", "打开条目"],
  openEntity: ["Everything about it", "查看全部"],
  pin: ["Pin", "固定"],
  unpin: ["Unpin", "取消固定"],
  pinOf: [(label: string) => `Pin ${label}`, (label: string) => `固定 ${label}`],
  unpinOf: [(label: string) => `Unpin ${label}`, (label: string) => `取消固定 ${label}`],
  newEntryOf: [(name: string) => `New entry “${name}”`, (name: string) => `新建条目“${name}”`],
  newEntry: ["New entry", "新建条目"],
  name: ["Name", "名称"],
  category: ["Category", "类别"],
  told: ["What is told", "内容"],
  toldHint: ["What should a model know about it?", "模型应当知道什么？"],
  created: [(name: string) => `Created ${name}`, (name: string) => `已创建 ${name}`],
  notCreated: ["The server does not answer. Try again in a moment.", "服务器没有响应，请稍后重试。"],
  keyWho: ["Who the cursor stands at", "光标处是谁"],
  keyNewEntry: ["New entry of the selection", "用选中文字新建条目"],
  keyFinds: ["Names of this scene that are not known yet", "查找此场景的新名称"],
  findsTitle: ["Names that are not known yet", "尚未收录的名称"],
  findsWhy: [
    "Those that are ticked become entries. The others wait for review.",
    "勾选的名称会成为条目，其余等待审核。",
  ],
  findsSure: [(name: string) => `How sure: ${name}`, (name: string) => `把握：${name}`],
  findsNone: ["No name here that is not known already.", "没有发现新的名称。"],
  findsAccept: [
    (count: number) => `Make ${numbered(count, "entry", "entries")}`,
    (count: number) => `建立 ${figure(count)} 个条目`,
  ],
  findsLinked: [
    (count: number) => `${numbered(count, "entry", "entries")} made`,
    (count: number) => `已建立 ${figure(count)} 个条目`,
  ],
  withSelection: ["With the selected words", "对选中文字"],
  plant: ["Plant", "埋设伏笔"],
  advance: ["Advance", "推进伏笔"],
  payOff: ["Pay off", "回收伏笔"],
  markTitle: ["Part of a thread", "标记伏笔"],
  markRole: ["What the words do", "这些文字的作用"],
  thread: ["Thread", "伏笔"],
  noThreads: ["There is no thread yet. Plant one first.", "还没有伏笔，请先埋设。"],
  partial: ["Settles only a part", "只回收一部分"],
  establish: ["Established here", "以此为据"],
  establishWhy: [
    "The fact rests on these words. When they change, it is shown as stale.",
    "设定以这段文字为依据。文字改变后，设定会标为过时。",
  ],
  aboutWhom: ["About whom or what", "关于谁或什么"],
  whichFact: ["Which fact", "哪项设定"],
  wholeOf: [(name: string) => `Everything about ${name}`, (name: string) => `${name}的整体设定`],
  attach: ["Attach", "附上"],
  established: [(name: string) => `Attached to ${name}`, (name: string) => `已附到 ${name}`],
  findingsHere: [
    (count: number) => numbered(count, "contradiction", "contradictions"),
    (count: number) => `${figure(count)} 处矛盾`,
  ],
  findingsIn: [
    (title: string, count: number) => `${title}: ${numbered(count, "finding", "findings")}`,
    (title: string, count: number) => `${title}：${figure(count)} 个问题`,
  ],
  keyNextFinding: ["Next contradiction", "下一处矛盾"],
  keyBeforeFinding: ["Contradiction before", "上一处矛盾"],
  keyMark: ["Selection plants, advances or pays off a thread", "用选中文字标记伏笔"],
  keyEstablish: ["Selection establishes a fact", "以选中文字为设定依据"],
  // Saving
  saved: ["Saved", "已保存"],
  changed: ["Not saved yet", "尚未保存"],
  saving: ["Saving…", "保存中…"],
  keptHere: ["Kept in this browser", "已保留在此浏览器"],
  unkept: ["Not saved, not kept", "未保存，也未保留"],
  unkeptNext: [
    "The server does not answer, and this browser has no room left to keep your text. Copy it elsewhere before you close the page.",
    "服务器没有响应，此浏览器也没有空间保留你的文字。关闭页面之前请先复制到别处。",
  ],
  gone: [
    "This scene was deleted elsewhere. If you write on, it comes back.",
    "此场景已在别处被删除。继续写作会恢复它。",
  ],
  newer: [
    "This scene was changed elsewhere. Yours is kept; write on, and compare when you like.",
    "此场景已在别处被修改。你的文字已保留，可以继续写，随时对比。",
  ],
  compare: ["Compare", "对比"],
  conflict: ["Two versions of this scene", "此场景有两个版本"],
  conflictWhy: [
    "Choose what to keep, and change it here if you like. Nothing of yours is lost until you save.",
    "选择要保留的版本，也可以在此修改。保存之前你的文字不会丢失。",
  ],
  which: ["Version", "版本"],
  both: ["Both together", "合并两者"],
  mine: ["Mine", "我的"],
  theirs: ["Theirs", "对方的"],
  disputed: [
    (count: number) =>
      count === 0
        ? "Both changed different paragraphs: nothing overlaps."
        : `${count} ${count === 1 ? "place was" : "places were"} changed on both sides: there stands mine, then theirs.`,
    (count: number) =>
      count === 0
        ? "双方修改了不同段落，没有重叠。"
        : `有 ${count} 处双方都修改过：先列出我的，再列出对方的。`,
  ],
  saveThis: ["Save this", "保存此结果"],
  jobReading: ["Looking for new names…", "正在查找新名称…"],
  jobSumming: ["Summing the scene up…", "正在概括场景…"],
  jobChecking: ["Looking for contradictions…", "正在查找矛盾…"],
  jobOther: ["Working in the background…", "后台处理中…"],
  finds: [
    (count: number) => (count === 1 ? "1 find to review" : `${count} finds to review`),
    (count: number) => `${count} 项待审核`,
  ],
  // The context
  context: ["Context", "上下文"],
  contextTokens: ["Told to a model", "将告知模型"],
  budgetShort: ["Budget", "预算"],
  budgetOf: ["Token budget of the context", "上下文的 token 预算"],
  prompt: ["Exact prompt", "完整提示词"],
  refresh: ["Refresh", "刷新"],
  lastSeen: ["This is how it was last; the server does not answer.", "这是上一次的结果；服务器没有响应。"],
  absentHere: [
    (name: string) => `${name} is not part of the story in this scene: you see what the author sees.`,
    (name: string) => `${name}在此场景中不在故事里：现在显示的是作者视角。`,
  ],
  when: ["When it plays", "故事时间"],
  whenOf: [(title: string) => `When it plays: ${title}`, (title: string) => `故事时间：${title}`],
  whenSaved: ["World time saved", "已保存故事时间"],
  whenNone: ["When does it play?", "设定故事时间"],
  whoIsHere: ["Who is named here", "此处提到的人物"],
  nothingYet: ["Nothing is told yet: no known name stands in the text.", "无内容：文中还没有已知的名称。"],
  countAndTokens: [
    (count: number, tokens: number) => `${figure(count)} · ${inTokens(tokens)}`,
    (count: number, tokens: number) => `${figure(count)} 项 · ${figure(tokens)} token`,
  ],
  tokens: [(tokens: number) => inTokens(tokens), (tokens: number) => `${figure(tokens)} token`],
  ...PARTS,
  leftOut: ["Left out", "未纳入"],
  more: [(count: number) => `${figure(count)} more`, (count: number) => `还有 ${figure(count)} 项`],
  calledBy: [
    (terms: readonly string[]) => `named in the text: ${[terms].flat().join(", ")}`,
    (terms: readonly string[]) => `文中提到“${[terms].flat().join("”“")}”`,
  ],
  missing: [
    (tokens: number) => `${inTokens(tokens)} short`,
    (tokens: number) => `还差 ${figure(tokens)} token`,
  ],
  belowLine: [
    (score: number, line: number) => `${score.toFixed(2)}, the line is at ${line.toFixed(2)}`,
    (score: number, line: number) => `${score.toFixed(2)}，界线为 ${line.toFixed(2)}`,
  ],
  cut: ["cut to fit", "已截短"],
  withheldWhy: ["Which names contain a secret", "哪些名称含有秘密"],
  withheld: ["without what names a secret", "已略去涉及秘密的句子"],
  ...REASONS,
  copyText: ["Copy as text", "复制为文本"],
  copyMessages: ["Copy as messages", "复制为消息"],
  copied: ["Copied", "已复制"],
  // The conversation
  assistant: ["Conversation", "对话"],
  suggest: ["Write on", "续写"],
  keySuggest: ["Let the model write on at the cursor", "让模型在光标处续写"],
  rewrite: ["Rewrite", "改写"],
  shorten: ["Shorten", "缩写"],
  expand: ["Expand", "扩写"],
  voice: ["In the voice of…", "用某人的口吻…"],
  question: ["Ask about it", "就此提问"],
  prompts: ["Prompts…", "提示词…"],
  entryOfPassage: ["Entry of this passage", "用此段新建条目"],
  keyPrompts: ["Prompts for the selection or the cursor", "对选中文字或光标处使用提示词"],
  keyAsk: ["Ask about the selection", "就选中文字提问"],
});
