import { inBoth } from "../../texts/language";

export const texts = inBoth({
  none: ["Nothing is written yet", "还没有正文"],
  noneNext: [
    "Chapters and scenes stand here with their points of view and threads, to be moved about.",
    "章节、场景及其视角人物与伏笔会列在这里，可以拖动调整。",
  ],
  toWrite: ["Begin to write", "开始写作"],
  matrix: ["Scenes, points of view and threads", "场景、视角人物与伏笔"],
  scene: ["Scene", "场景"],
  pov: ["Point of view", "视角人物"],
  words: ["Words", "字数"],
  allPovs: ["All points of view", "所有视角人物"],
  noPov: ["Without a point of view", "未指定视角人物"],
  ofPov: [
    (name: string, count: number) => `${name} (${count})`,
    (name: string, count: number) => `${name}（${count} 场）`,
  ],
  setPov: [(scene: string) => `Point of view of ${scene}`, (scene: string) => `“${scene}”的视角人物`],
  povWhy: [
    "From whose point of view the scene is told. What a model is told does not change.",
    "此场景从谁的视角叙述。告知模型的内容不变。",
  ],
  povTaken: ["Point of view kept", "已保存视角人物"],
  clearPov: [
    (scene: string) => `No point of view for ${scene}`,
    (scene: string) => `清除“${scene}”的视角人物`,
  ],
  choose: ["Choose", "选择"],
  noted: ["has notes", "有笔记"],
  moveHint: [
    "Drag a row to move it, or press Alt and an arrow key on its title.",
    "拖动一行即可移动，或在标题上按 Alt 和方向键。",
  ],
  moved: ["Moved", "已移动"],
  reached: [
    (count: string, goal: string) => `${count} of ${goal}`,
    (count: string, goal: string) => `${count} / ${goal} 字`,
  ],
  threads: ["Threads", "伏笔"],
  settled: ["Settled threads, too", "也显示已了结的伏笔"],
});
