import { inBoth } from "../../texts/language";

export const texts = inBoth({
  story: ["This story", "此故事"],
  title: ["Title", "标题"],
  language: ["Language of the story", "故事语言"],
  saved: ["Saved", "已保存"],
  page: ["This page", "此页面"],
  pageLanguage: ["Language of the page", "页面语言"],
  theme: ["Theme", "主题"],
  system: ["System", "跟随系统"],
  light: ["Light", "浅色"],
  dark: ["Dark", "深色"],
  danger: ["Delete this story", "删除此故事"],
  dangerWhy: [
    (entities: number, relations: number) =>
      `Its text, ${entities} entities, ${relations} relations and its whole history go. This cannot be undone.`,
    (entities: number, relations: number) =>
      `正文、${entities} 个实体、${relations} 条关系以及全部历史都会删除，无法撤销。`,
  ],
  dangerType: [(title: string) => `Type “${title}” to go on`, (title: string) => `输入“${title}”以继续`],
  delete: ["Delete the story", "删除故事"],
});
