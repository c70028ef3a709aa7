import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  story: ["This story", "此故事"],
  title: ["Title", "标题"],
  language: ["Language of the story", "故事语言"],
  saved: ["Saved", "已保存"],
  recall: ["What comes to mind", "由文联想"],
  recallWhy: [
    "Entries that the text leads to without naming them, such as the sworn enemy of somebody in the scene.",
    "文中未提名字、但由文可以联想到的条目，例如在场者的死敌。",
  ],
  recallOn: ["Tell them to a model", "告知模型"],
  recallOff: ["Tell only what is named", "只告知文中提到的"],
  covers: ["Names that contain a secret", "含有秘密的名称"],
  coversWhy: [
    "A hidden name stands in these open names. Sentences with one of them are told to a model only if the author wrote that name, or says here that it may be told.",
    "以下公开名称中含有隐藏的名称。只有当名称由作者写下，或作者在此允许时，含有它的句子才会告诉模型。",
  ],
  noCovers: ["No name contains a secret", "没有含有秘密的名称"],
  noCoversWhy: [
    "What was withheld names a secret itself. Its level says who may hear of it.",
    "略去的句子直接提到了秘密。秘密的级别决定谁可以知道它。",
  ],
  contains: [(hidden: string) => `contains “${hidden}”`, (hidden: string) => `含有「${hidden}」`],
  author: ["the author wrote it, so it is told", "由作者写下，因此会告知"],
  manuscript: ["read in the manuscript", "读自正文"],
  others: ["came with an import or from an agent", "来自导入或代理"],
  mayBeTold: ["May be told", "可以告知"],
  mayBeToldOf: [
    (name: string, hidden: string) => `May be told: “${name}”, which contains “${hidden}”`,
    (name: string, hidden: string) => `可以告知：「${name}」，含有「${hidden}」`,
  ],
  told: [(name: string) => `“${name}” may be told`, (name: string) => `「${name}」可以告知`],
  untold: [(name: string) => `“${name}” is withheld`, (name: string) => `「${name}」不再告知`],
  more: [(count: number) => `${figure(count)} more`, (count: number) => `另有 ${figure(count)} 个`],
  export: ["Export the story", "导出故事"],
  exportWhy: [
    "One archive with everything in it as text files: manuscript, lorebook, graph, review. Import makes the same story of it again.",
    "一个压缩包，以文本文件保存全部内容：正文、设定集、图谱、审核。导入即可还原同一个故事。",
  ],
  exportNow: ["Download as .zip", "下载 .zip"],
  page: ["This page", "此页面"],
  pageLanguage: ["Language of the page", "页面语言"],
  theme: ["Theme", "主题"],
  system: ["System", "跟随系统"],
  light: ["Light", "浅色"],
  dark: ["Dark", "深色"],
  danger: ["Delete this story", "删除此故事"],
  dangerWhy: [
    (entities: number, relations: number) =>
      `Its text, ${numbered(entities, "entity", "entities")}, ${numbered(relations, "relation", "relations")} and its whole history go. This cannot be undone.`,
    (entities: number, relations: number) =>
      `正文、${figure(entities)} 个实体、${figure(relations)} 条关系以及全部历史都会删除，无法撤销。`,
  ],
  dangerType: [(title: string) => `Type “${title}” to go on`, (title: string) => `输入“${title}”以继续`],
  delete: ["Delete the story", "删除故事"],
});
