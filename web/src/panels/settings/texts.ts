import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  story: ["This story", "此故事"],
  title: ["Title", "标题"],
  language: ["Language of the story", "故事语言"],
  saved: ["Saved", "已保存"],
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
