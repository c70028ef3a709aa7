import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  model: ["Language model", "语言模型"],
  modelWhy: [
    "Writes with you, and reads and sums up scenes. Any OpenAI-compatible server will do, on this machine or elsewhere. It is the same for all stories of this server.",
    "陪你写作，并通读、概括各场景。任何兼容 OpenAI 的服务都可以，在本机或别处。对此服务器上的全部故事生效。",
  ],
  othersSetIt: [
    (name: string) =>
      name
        ? `${name} is set up. An administrator may change it.`
        : "A model is set up. An administrator may change it.",
    (name: string) => (name ? `已设置 ${name}，管理员可以更改。` : "已设置模型，管理员可以更改。"),
  ],
  notYours: [
    "No model is set up. An administrator of this server may do so.",
    "尚未设置模型，可由此服务器的管理员设置。",
  ],
  fixed: [
    "The settings of the server say some of this; what they say cannot be changed here.",
    "其中一部分由服务器的环境变量或配置文件决定，不能在此更改。",
  ],
  preset: ["Kind of server", "服务类型"],
  other: ["Another, OpenAI-compatible", "其他（兼容 OpenAI）"],
  address: ["Address", "地址"],
  key: ["Key", "密钥"],
  keyWhy: [
    "Only if the server asks for one. It is kept on this server and never shown again.",
    "仅在对方需要时填写。保存在此服务器上，不再显示。",
  ],
  keyThere: ["There is one. Type another to replace it.", "已有密钥，输入新的即可替换。"],
  keyDropped: ["The key is for the old address, and will be dropped.", "原密钥属于旧地址，保存后将被丢弃。"],
  write: ["Model for writing", "写作模型"],
  read: ["Model for reading", "通读模型"],
  sumUp: ["Model for summing up", "概括模型"],
  onlyModel: ["the only one there", "对方唯一的模型"],
  list: ["Fetch the models", "获取模型列表"],
  listed: [
    (count: number) => `${numbered(count, "model", "models")} there. Choose them in the fields above.`,
    (count: number) => `共 ${figure(count)} 个模型，可在上面选择。`,
  ],
  try: ["Try it", "试一试"],
  tried: [
    (said: string, first: number, speed: number) =>
      `It answered: “${said}” First word after ${first.toFixed(1)} s, ${figure(Math.round(speed))} characters per second.`,
    (said: string, first: number, speed: number) =>
      `回答：“${said}” ${first.toFixed(1)} 秒后出现首字，每秒 ${figure(Math.round(speed))} 个字符。`,
  ],
  asking: ["Asking…", "正在询问…"],
  remove: ["Remove", "移除"],
  modelSaved: ["The model is set up", "模型已设置"],
  modelRemoved: ["The model is removed", "模型已移除"],
});
