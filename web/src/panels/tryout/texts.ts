import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  about: [
    "Paste a paragraph or a chat, and see which entries fire, by which key, and why the others do not. Nothing is saved.",
    "粘贴一段正文或对话，查看哪些条目会触发、由哪个关键词触发，以及其余条目为何没有触发。不会保存任何内容。",
  ],
  text: ["Text", "文本"],
  textHint: [
    "You: What is in the forest?\nSeraphina: Shadows, and worse.",
    "你：森林里有什么？\n塞拉菲娜：影子，还有更糟的东西。",
  ],
  reading: ["Read it as", "理解为"],
  paragraph: ["One message", "一条消息"],
  chat: ["A chat", "对话"],
  readAs: [
    (count: number, names: string) => `${numbered(count, "message", "messages")}: ${names}`,
    (count: number, names: string) => `${figure(count)} 条消息：${names}`,
  ],
  book: ["Lorebook", "世界书"],
  allBooks: ["All that are switched on", "全部已启用的世界书"],
  user: ["Name of the user", "用户名称"],
  userName: ["You", "你"],
  char: ["Name of the character", "角色名称"],
  settings: ["Settings of the scan", "扫描设置"],
  settingsNote: [
    "Changes here are only for this test. What differs from the settings of the lorebook is marked.",
    "这里的修改只用于本次测试，与世界书自身设置相比的不同会标出。",
  ],
  reset: ["Back to the lorebook's settings", "恢复世界书的设置"],
  ownNote: [
    "The story's own entries are tried here as World Info. In contexts they follow Fabula's rules: names, aliases and levels, in one pass.",
    "故事自己的条目在此按世界书规则测试；在实际上下文中按 Fabula 规则激活：名称、别名与级别，只扫描一遍。",
  ],
  nothing: ["What fires is shown here", "触发结果显示在此"],
  nothingNext: ["Type or paste a text.", "请输入或粘贴文本。"],
  noBooks: ["This story has no entries yet", "故事还没有条目"],
  noBooksNext: ["Import a lorebook, or write an entry.", "导入世界书，或新建条目。"],
  result: ["Result", "结果"],
  firedOf: [
    (fired: number, all: number) => `${figure(fired)} of ${numbered(all, "entry", "entries")} fire`,
    (fired: number, all: number) => `${figure(all)} 个条目中触发 ${figure(fired)} 个`,
  ],
  passes: [
    (count: number) => numbered(count, "pass", "passes"),
    (count: number) => `扫描 ${figure(count)} 遍`,
  ],
  tokensOf: [
    (used: number, budget: number) => `${figure(used)} of ${figure(budget)} tokens`,
    (used: number, budget: number) => `${figure(used)} / ${figure(budget)} token`,
  ],
  tokens: [
    (count: number) => numbered(count, "token", "tokens"),
    (count: number) => `${figure(count)} token`,
  ],
  overflow: ["The budget is used up.", "预算已用完。"],
  differs: [
    (more: number, fewer: number) =>
      `Against the lorebook's settings: ${figure(more)} more, ${figure(fewer)} fewer.`,
    (more: number, fewer: number) =>
      `与世界书的设置相比：多触发 ${figure(more)} 个，少触发 ${figure(fewer)} 个。`,
  ],
  fired: ["Fires", "触发"],
  overBudget: ["Kept out by the budget", "因预算未放入"],
  silent: ["Does not fire", "未触发"],
  none: ["None", "无"],
  pass: [(number: number) => `pass ${number}`, (number: number) => `第 ${number} 遍`],
  byKey: [(key: string) => `key “${key}”`, (key: string) => `关键词“${key}”`],
  inMessage: [
    (name: string, back: number) =>
      back === 0 ? `in the last message (${name})` : `in the message ${back} before the last (${name})`,
    (name: string, back: number) =>
      back === 0 ? `在最后一条消息中（${name}）` : `在倒数第 ${back + 1} 条消息中（${name}）`,
  ],
  source: ["in a text beside the chat", "在对话之外的文本中"],
  injection: ["in an injected text", "在注入的文本中"],
  recursion: ["in the text of another entry", "在另一条目的内容中"],
  new: ["fires only with these settings", "仅在此设置下触发"],
  gone: ["fires with the lorebook's settings", "在世界书的设置下会触发"],
  unnamed: [(uid: string) => `Entry ${uid}`, (uid: string) => `条目 ${uid}`],
  more: [(count: number) => `${figure(count)} more`, (count: number) => `另有 ${figure(count)} 个`],
  placed: ["What a model is told", "模型看到的内容"],
  before: ["Before the character", "角色定义之前"],
  after: ["After the character", "角色定义之后"],
  emTop: ["Before the examples", "示例对话之前"],
  emBottom: ["After the examples", "示例对话之后"],
  anTop: ["Before the author's note", "作者注释之前"],
  anBottom: ["After the author's note", "作者注释之后"],
  atDepth: [
    (depth: string) => `In the chat, ${depth} messages from its end`,
    (depth: string) => `对话中，深度 ${depth}`,
  ],
  outlet: [(name: string) => `Outlet “${name}”`, (name: string) => `出口“${name}”`],
});
