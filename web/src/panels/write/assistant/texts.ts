import { figure, numbered } from "../../../texts/figures";
import { inBoth } from "../../../texts/language";

export const texts = inBoth({
  log: ["Conversation", "对话"],
  unnamed: ["New conversation", "新对话"],
  others: ["Conversations", "全部对话"],
  begin: ["New conversation", "新对话"],
  find: ["Find in conversations", "在对话中查找"],
  none: [
    "Nothing is kept yet. What you say here is kept by itself.",
    "还没有保留的对话。在这里说的话会自动保留。",
  ],
  noneFound: ["No conversation says that.", "没有对话提到。"],
  count: [
    (count: number) => numbered(count, "message", "messages"),
    (count: number) => `${figure(count)} 条消息`,
  ],
  forked: ["branched off", "分支"],
  renameOf: [(title: string) => `Rename ${title}`, (title: string) => `重命名 ${title}`],
  deleteOf: [(title: string) => `Delete ${title}`, (title: string) => `删除 ${title}`],
  rename: ["Rename", "重命名"],
  title: ["Title", "标题"],
  deleteAsk: [(title: string) => `Delete “${title}”?`, (title: string) => `删除“${title}”？`],
  deleteWhy: ["It cannot be brought back. The story is not touched.", "删除后无法恢复，故事不受影响。"],
  fork: ["Branch off here", "从这里分支"],
  forkedNow: ["Branched off: the other stays as it is", "已分支，原对话保持不变"],
  more: ["Show more", "显示更多"],
  unkept: [
    "This conversation is not kept. It lasts until you leave the page.",
    "此对话没有保留，离开页面后会丢失。",
  ],
  conflict: [
    "It went on elsewhere meanwhile: yours is kept as a conversation of its own.",
    "此对话在别处有新内容：你的部分已另存为新对话。",
  ],
  about: ["About these words", "关于这段文字"],
  noQuotation: ["Without these words", "不引用"],
  quoted: [
    (words: string) => `About this passage:\n\n${words}`,
    (words: string) => `关于这一段：\n\n${words}`,
  ],
  system: ["Instruction", "指令"],
  noModel: ["No language model is set up", "尚未配置语言模型"],
  noModelMeanwhile: [
    "Everything else works without one: the context beside is what you can copy into any model.",
    "其他功能无需模型即可使用：旁边的上下文可以复制到任何模型中。",
  ],
  noModelNext: [
    "To talk about a scene here and let the model write at the cursor, set one up in the settings.",
    "要在此讨论场景、让模型在光标处续写，请先在设置中填写模型。",
  ],
  toSettings: ["Set up a model", "去设置模型"],
  chatHint: [
    (model: string) =>
      `${model} is told the context beside and this scene. What it says stays here until you add it to the text.`,
    (model: string) => `${model} 会得知旁边的上下文和此场景。它的回答留在这里，由你决定是否加入正文。`,
  ],
  say: ["Your message", "你的消息"],
  sayHint: ["Ask about the scene, or say how it should go on…", "询问此场景，或说明应如何继续…"],
  send: ["Send", "发送"],
  stop: ["Stop", "停止"],
  continue: ["Continue writing", "续写"],
  goOn: [
    "Go on writing where the scene ends. Only the next paragraphs, no comment.",
    "从场景结尾处续写。只写接下来的段落，不要评论。",
  ],
  memoryCut: [
    "The model's window had no room for all of the context. Begin a new conversation to make room.",
    "模型的窗口放不下全部上下文。开始新对话即可腾出位置。",
  ],
  memoryNone: [
    "The model's window had no room for the context: it was told nothing of the story. Begin a new conversation to make room.",
    "模型的窗口没有上下文的位置：它对故事一无所知。开始新对话即可腾出位置。",
  ],
  insert: ["Add to the text", "加入正文"],
  noAnswer: ["The server does not answer.", "服务器没有响应。"],
});
