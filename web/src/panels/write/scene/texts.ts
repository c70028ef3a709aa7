import { inBoth } from "../../../texts/language";

export const texts = inBoth({
  chapterTitle: ["What the chapter is called", "章标题"],
  sceneTitle: ["What the scene is called", "场景标题"],
  about: ["About this scene", "关于此场景"],
  summary: ["Summary", "摘要"],
  summaryWhy: [
    "What a model is told of it while later scenes are written.",
    "写后面的场景时，告知模型的内容。",
  ],
  notes: ["Notes", "笔记"],
  notesWhy: ["For you alone: no model is told.", "只给自己看，不会告知模型。"],
  pov: ["Point of view", "视角人物"],
  goal: ["Word goal", "字数目标"],
  reached: [
    (count: string, goal: string) => `${count} of ${goal} words`,
    (count: string, goal: string) => `${count} / ${goal} 字`,
  ],
  unsaved: ["Not saved; it is tried again when you leave the field.", "未保存；离开输入框时会重试。"],
});
