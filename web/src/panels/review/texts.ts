import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

/** Why two names are taken for one person's. */
const IN_ENGLISH: Readonly<Record<string, string>> = {
  known: "known to the story",
  stated: "the text says so",
  byname: "a byname beside the name",
  part: "a part of the name",
  title: "name and title",
  "pet name": "a pet name",
  answers: "answers when called so",
  alternates: "the same passages, never together",
};

const IN_CHINESE: Readonly<Record<string, string>> = {
  known: "故事中已有",
  stated: "原文明说",
  byname: "绰号与姓名连用",
  part: "姓名的一部分",
  title: "姓名加称谓",
  "pet name": "昵称",
  answers: "以此相称即应答",
  alternates: "出现在同样的段落而从不同时出现",
};

export const texts = inBoth({
  queue: ["Waiting proposals", "待审核列表"],
  resize: ["Width of the queue", "列表宽度"],
  waiting: ["Waiting", "待审核"],
  decided: ["Decided", "已审核"],
  which: ["Which proposals", "范围"],
  counted: [
    (shown: number, all: number) =>
      shown === all ? `${figure(all)} waiting` : `${figure(shown)} of ${figure(all)} waiting`,
    (shown: number, all: number) => (shown === all ? `${all} 条待审核` : `${all} 条待审核中的 ${shown} 条`),
  ],
  search: ["Search proposals", "搜索提取结果"],
  searchHint: ["Search names, quotations…", "搜索名称、原文…"],
  kind: ["Kind", "种类"],
  allKinds: ["All kinds", "全部种类"],
  kindEntity: ["Who and what", "实体"],
  kindAlias: ["Other names", "别名"],
  kindRelation: ["Relations", "关系"],
  kindEvent: ["Events", "事件"],
  kindTime: ["World times", "故事时间"],
  suggestTime: [
    (days: number) =>
      days === 0
        ? "The scene plays on the day of the scene before it."
        : days > 0
          ? `The scene plays ${numbered(days, "day", "days")} after the scene before it.`
          : `The scene plays ${numbered(-days, "day", "days")} earlier than the scene before it.`,
    (days: number) =>
      days === 0
        ? "此场景与前一场景同日。"
        : days > 0
          ? `此场景在前一场景的 ${figure(days)} 天之后。`
          : `此场景在前一场景的 ${figure(-days)} 天之前。`,
  ],
  type: ["Type", "类型"],
  allTypes: ["All types", "全部类型"],
  least: ["Least confidence", "最低置信度"],
  anyConfidence: ["Any confidence", "任意置信度"],
  atLeast: [(percent: string) => `${percent} or more`, (percent: string) => `不低于 ${percent}`],
  order: ["Order", "排序"],
  newest: ["Newest first", "最新在前"],
  byUse: ["Most used first", "使用最多在前"],
  byConfidence: ["Surest first", "最有把握在前"],
  byPlace: ["In story order", "按故事顺序"],
  used: [
    (times: number, first: string, last: string) =>
      `${figure(times)}× · ${first === last ? first : `${first} – ${last}`}`,
    (times: number, first: string, last: string) =>
      `${figure(times)} 次 · ${first === last ? first : `${first}至${last}`}`,
  ],
  joins: [
    (count: number) => `Why these are one (${count})`,
    (count: number) => `判定为同一人的依据（${count}）`,
  ],
  joinReason: [
    (reason: string) => IN_ENGLISH[reason] ?? "other evidence",
    (reason: string) => IN_CHINESE[reason] ?? "其他依据",
  ],
  shownBy: [
    (quotation: string, chapter: string | null) =>
      `: “${quotation}”${chapter === null ? "" : ` (${chapter})`}`,
    (quotation: string, chapter: string | null) =>
      `：“${quotation}”${chapter === null ? "" : `（见${chapter}）`}`,
  ],
  selectToHere: ["Shift: select all from the first to here", "按住 Shift：从第一条选到此处"],
  selectToOpen: ["Select all above", "选到此条"],
  confidence: ["Confidence", "置信度"],
  clearFilters: ["Clear filters", "清除筛选"],
  noneFits: ["No proposal fits", "没有符合的条目"],
  none: ["Nothing waits for review", "没有待审核的内容"],
  noneNext: [
    "Let a scene or a pasted text be read: whoever and whatever is found in it will wait here for your word.",
    "读取一个场景或一段粘贴的文字：其中找到的人物和事物会在此等待你的决定。",
  ],
  noneDecided: ["Nothing was decided yet", "还没有审核记录"],
  choose: ["Choose a proposal", "选择一条提取结果"],
  chooseNext: [
    "J and K walk through the queue. A approves, 1–6 say what it is, D rejects, M merges, U takes back.",
    "按 J 和 K 浏览。A 通过，1–6 选择类型，D 拒绝，M 合并，U 撤销。",
  ],
  back: ["Back to the queue", "返回列表"],
  select: [(name: string) => `Select ${name}`, (name: string) => `选择 ${name}`],
  selected: [(count: number) => `${count} selected`, (count: number) => `已选 ${count} 条`],
  selectAll: ["Select all", "全选"],
  deselect: ["Clear selection", "取消选择"],
  // One proposal
  approve: ["Approve", "通过"],
  reject: ["Reject", "拒绝"],
  rejectLike: ["Reject all like this…", "拒绝所有类似的…"],
  rejectLikeWhy: ["All of this kind and type that are no surer", "同类且把握不高于此的全部"],
  merge: ["Merge…", "合并…"],
  suggestNew: ["New to the story", "故事中的新内容"],
  suggestUpdate: [(name: string) => `Adds to ${name}`, (name: string) => `补充到“${name}”`],
  suggestAlias: [(name: string) => `Another name of ${name}`, (name: string) => `“${name}”的别名`],
  foundLocal: ["Found by rules on this machine", "由本机规则提取"],
  foundModel: [(name: string) => `Found by the model ${name}`, (name: string) => `由模型 ${name} 提取`],
  foundAgent: [(name: string) => `Proposed by ${name}`, (name: string) => `由 ${name} 提出`],
  local: ["local", "本机规则"],
  model: ["model", "模型"],
  agent: ["agent", "代理"],
  typeIs: ["It is a…", "它是"],
  alsoIn: ["Elsewhere in the book", "书中其他地方"],
  source: ["In the text", "原文"],
  sourceNone: ["It quotes no words of the text.", "没有引用原文。"],
  sourceNotFound: [
    "These words do not stand in the text: whoever found it may have misquoted.",
    "原文中没有这些文字，引用可能有误。",
  ],
  sourceMoved: ["The scene has been changed since.", "该场景此后已被修改。"],
  facts: [(count: number) => `What it says (${count})`, (count: number) => `提取的属性（${count}）`],
  aliases: ["Also called", "又称"],
  adjust: ["Change before approving", "通过前修改"],
  name: ["Name", "名称"],
  content: ["What is told", "内容"],
  contentHint: ["Left empty, the quotation is used.", "留空则使用引用的原文。"],
  level: ["When it is told to a model", "何时告知模型"],
  createEntry: ["With a lorebook entry", "同时创建设定集条目"],
  similar: ["Perhaps the same as", "可能与以下相同"],
  openOther: ["Open", "打开"],
  wasApproved: ["Approved", "已通过"],
  wasRejected: ["Rejected", "已拒绝"],
  wasMerged: ["Merged", "已合并"],
  openResult: ["Open what it became", "打开对应实体"],
  mergeInstead: ["Merge instead", "改为合并"],
  refused: ["Not decided:", "未能决定："],
  approved: [(name: string) => `Approved ${name}`, (name: string) => `已通过“${name}”`],
  rejected: [(name: string) => `Rejected ${name}`, (name: string) => `已拒绝“${name}”`],
  merged: [(name: string) => `Merged ${name}`, (name: string) => `已合并“${name}”`],
  // Merging
  mergeTitle: [(name: string) => `Merge “${name}” into…`, (name: string) => `将“${name}”合并到…`],
  mergeWhy: [
    "Its names become aliases, and what is new is added. What you wrote stays as it is.",
    "其名称会成为别名，新内容会被补充；你写下的内容保持不变。",
  ],
  mergeTarget: ["Into", "合并到"],
  // Many at once
  approveSure: [
    (count: number) => `Approve 90% and more (${count})`,
    (count: number) => `全部通过高置信度 ≥90%（${count}）`,
  ],
  rejectDoubtful: [
    (count: number) => `Reject under 50% (${count})`,
    (count: number) => `全部拒绝低置信度 <50%（${count}）`,
  ],
  batchApprove: [
    (count: number) => (count === 1 ? "Approve one proposal?" : `Approve ${count} proposals?`),
    (count: number) => `通过 ${count} 条提取结果？`,
  ],
  batchReject: [
    (count: number) => (count === 1 ? "Reject one proposal?" : `Reject ${count} proposals?`),
    (count: number) => `拒绝 ${count} 条提取结果？`,
  ],
  batchUndo: ["All of it is one step: undo takes it back.", "全部是一个步骤，可以一次撤销。"],
  batchWrites: ["What will be written", "将写入的内容"],
  batchNothing: [
    "Nothing is written to the story: they only leave the queue and do not come back.",
    "不会写入故事：它们只会离开列表，并且不再出现。",
  ],
  batchRefused: [
    (count: number) => `${count} cannot be decided so and will wait on:`,
    (count: number) => `${count} 条无法这样处理，将继续等待：`,
  ],
  more: [(count: number) => `and ${count} more`, (count: number) => `以及另外 ${count} 条`],
  rowAdd: [
    (kind: string, count: number) => `New ${kind}: ${count}`,
    (kind: string, count: number) => `新增${kind}：${count}`,
  ],
  rowChange: [
    (kind: string, count: number) => `Changed ${kind}: ${count}`,
    (kind: string, count: number) => `修改${kind}：${count}`,
  ],
  rowEntity: ["entities", "实体"],
  rowEntry: ["lorebook entries", "设定集条目"],
  rowRelation: ["relations", "关系"],
  rowState: ["states", "状态"],
  rowEvent: ["events", "事件"],
  rowOther: ["rows", "记录"],
  doneMany: [
    (count: number, failed: number) =>
      failed === 0 ? `${count} decided` : `${count} decided, ${failed} wait on`,
    (count: number, failed: number) =>
      failed === 0 ? `已处理 ${count} 条` : `已处理 ${count} 条，${failed} 条继续等待`,
  ],
  // Reading
  read: ["Read a text", "读取文字"],
  readTitle: ["Let a text be read", "从文字中提取"],
  readWhat: ["What is read", "读取内容"],
  readScene: ["A scene", "一个场景"],
  readPasted: ["Pasted text", "粘贴的文字"],
  readAll: ["All scenes", "全部场景"],
  readAllNote: [
    (count: number) =>
      `${numbered(count, "scene", "scenes")}, one after the other, as one job. What was read before is not read again.`,
    (count: number) => `共 ${count} 个场景，作为一个任务依次读取；读过的部分不再重读。`,
  ],
  scene: ["Scene", "场景"],
  text: ["Text", "文字"],
  noScenes: ["The story has no scenes yet.", "故事还没有场景。"],
  reader: ["Who reads", "由谁读取"],
  readerAuto: ["Automatic", "自动"],
  readerLocal: ["Rules on this machine", "本机规则"],
  readerModel: ["Language model", "语言模型"],
  noModel: [
    "No language model is set up: the rules on this machine read, without any network.",
    "未配置语言模型：由本机规则读取，不使用网络。",
  ],
  withModel: [(name: string) => `The model is ${name}.`, (name: string) => `模型为 ${name}。`],
  begin: ["Begin", "开始"],
  reading: [(what: string) => `Reading ${what}`, (what: string) => `正在读取${what}`],
  readingAll: ["all scenes", "全部场景"],
  readOn: ["Go on", "继续"],
  readingText: ["the pasted text", "粘贴的文字"],
  openQuestions: [
    (people: number, ties: number) =>
      `The rules left open whether ${numbered(people, "name belongs", "names belong")} to somebody, and ${numbered(ties, "tie", "ties")}.`,
    (people: number, ties: number) => `规则未能判定：${people} 个名字属于谁，${ties} 对人物是什么关系。`,
  ],
  askPrice: [
    (requests: number, tokens: number) =>
      `The model can answer in ${numbered(requests, "request", "requests")}, about ${figure(tokens)} tokens.`,
    (requests: number, tokens: number) => `可由模型判定：${requests} 次请求，约 ${figure(tokens)} 个 token。`,
  ],
  askModel: ["Ask the model", "询问模型"],
  askingModel: ["Asking the model", "正在询问模型"],
  askedModel: [
    (asked: string, tokens: string) => `The model was asked ${asked} questions: ${tokens} tokens`,
    (asked: string, tokens: string) => `已向模型询问 ${asked} 个问题，用去 ${tokens} 个 token`,
  ],
  notAsked: [
    "The model was not asked to the end; nothing was changed, and its answers so far are not kept",
    "询问未完成：未作任何更改，已得到的回答不会保留",
  ],
  readDone: [
    (what: string, count: number) => `Read ${what}: ${count} found`,
    (what: string, count: number) => `已读取${what}：找到 ${count} 条`,
  ],
  readManyDone: [
    (texts: number, count: number) => `Read ${numbered(texts, "text", "texts")}: ${figure(count)} found`,
    (texts: number, count: number) => `已读取 ${texts} 段文字：找到 ${count} 条`,
  ],
  readFailed: [(what: string) => `${what} could not be read`, (what: string) => `${what}未能读取`],
  readCancelled: [(what: string) => `Reading ${what} was stopped`, (what: string) => `已停止读取${what}`],
  // Keys
  keyNext: ["Next proposal", "下一条"],
  keyBefore: ["Proposal before", "上一条"],
  keySelect: ["Select proposal", "选择"],
  keyUndo: ["Take the last decision back", "撤销上一个决定"],
  stale: ["Stale facts", "过时设定"],
  staleWhy: [
    "The words that these facts were read from no longer stand in the text. Are they still true?",
    "这些设定所依据的文字已不在书稿中。它们还成立吗？",
  ],
  staleNone: ["No stale facts", "没有过时的设定"],
  staleNoneNext: [
    "When a scene is rewritten, the facts that rested on the old words are shown here.",
    "场景改写之后，依据旧文字的设定会显示在这里。",
  ],
  staleOfAll: ["Those of everybody", "显示全部"],
  staleBefore: ["It said", "原文"],
  staleNow: ["It says now", "现在"],
  staleGone: ["Nothing like it any more", "已没有类似的文字"],
  staleConfirm: ["Still true", "仍然成立"],
  staleCorrect: ["Correct…", "更正…"],
  staleDrop: ["Drop", "去掉"],
  staleSelect: [
    (name: string, says: string) => `Select ${name}: ${says}`,
    (name: string, says: string) => `选择 ${name}：${says}`,
  ],
  staleCorrectTitle: [
    (name: string) => `Correct what is known of ${name}`,
    (name: string) => `更正 ${name} 的设定`,
  ],
  staleSays: ["What is true", "正确内容"],
  staleConfirmed: [
    (count: number) => `${numbered(count, "fact", "facts")} confirmed`,
    (count: number) => `已确认 ${figure(count)} 项设定`,
  ],
  staleCorrected: [
    (count: number) => `${numbered(count, "fact", "facts")} corrected`,
    (count: number) => `已更正 ${figure(count)} 项设定`,
  ],
  staleDropped: [
    (count: number) => `${numbered(count, "fact", "facts")} dropped`,
    (count: number) => `已去掉 ${figure(count)} 项设定`,
  ],
});
