import { inBoth } from "../../../texts/language";

export const texts = inBoth({
  suggestion: ["Suggestion of the model", "模型的建议"],
  waiting: ["The model is thinking…", "模型正在构思…"],
  writing: ["The model is writing…", "模型正在写…"],
  ready: [(text: string) => `Suggested: ${text}`, (text: string) => `建议：${text}`],
  nothing: ["The model said nothing. Try again.", "模型没有给出内容，请再试一次。"],
  kept: ["Kept", "已采用"],
  dropped: ["Dropped", "已放弃"],
  keep: ["Keep", "采用"],
  drop: ["Drop", "放弃"],
  stop: ["Stop", "停止"],
  again: ["Another", "换一个"],
  before: ["Attempt before", "上一个"],
  next: ["Next attempt", "下一个"],
  attempt: [
    (at: number, of: number) => `${at} of ${of}`,
    (at: number, of: number) => `第 ${at} 个，共 ${of} 个`,
  ],
  instruction: ["What should happen (Enter asks again)", "希望发生什么（回车后重写）"],
  noModel: ["No language model is set up.", "尚未设置语言模型。"],
  setUp: ["Set one up", "去设置"],
  noAnswer: ["The server does not answer.", "服务器没有响应。"],
  askContinue: [
    "Go on writing exactly where the text ends. Write only the next paragraphs.",
    "从文字结束的地方接着写。只写接下来的段落。",
  ],
  askBeat: [
    (beat: string) => `Write the following beat as prose, as the next part of the scene: ${beat}`,
    (beat: string) => `把下面的要点写成正文，作为此场景的下一部分：${beat}`,
  ],
  askRewrite: [
    (part: string) => `Rewrite this passage of the scene. It says the same, in better words:\n\n${part}`,
    (part: string) => `改写场景中的这一段，意思不变，文字更好：\n\n${part}`,
  ],
  askShorten: [
    (part: string) => `Write this passage of the scene again, at about half the length:\n\n${part}`,
    (part: string) => `把场景中的这一段缩写到大约一半篇幅：\n\n${part}`,
  ],
  askExpand: [
    (part: string) =>
      `Write this passage of the scene again, in more detail, at about twice the length:\n\n${part}`,
    (part: string) => `把场景中的这一段写得更细，扩写到大约两倍篇幅：\n\n${part}`,
  ],
  askVoice: [
    (name: string, part: string) =>
      `Write this passage of the scene again, in the voice of ${name}: as ${name} speaks, thinks and sees. What happens stays the same:\n\n${part}`,
    (name: string, part: string) =>
      `用${name}的口吻重写场景中的这一段：像${name}那样说话、思考、观察。情节不变：\n\n${part}`,
  ],
  askPassage: [(part: string) => `The passage:\n\n${part}`, (part: string) => `这一段是：\n\n${part}`],
  voice: ["In the voice of…", "用某人的口吻"],
  voiceWhy: [
    "The model is told about them and writes the selected words again. Nothing changes until you keep it.",
    "模型会得知此人的设定，并重写选中的文字。采用之前正文不会改变。",
  ],
  voiceWrite: ["Write", "重写"],
  whom: ["Whose voice", "谁的口吻"],
  askInstruction: [(what: string) => `The author wishes: ${what}`, (what: string) => `作者的要求：${what}`],
  askBefore: [
    (after: string) => `Your words stand before these, which must still fit:\n\n${after}`,
    (after: string) => `你写的文字后面接着下面这段，须能衔接：\n\n${after}`,
  ],
});
