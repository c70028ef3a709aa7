import { figure, numbered } from "../../../texts/figures";
import { inBoth } from "../../../texts/language";

export const texts = inBoth({
  title: ["Find and replace in the whole book", "在全书中查找和替换"],
  find: ["Find", "查找"],
  replacement: ["Replace with", "替换为"],
  matchCase: ["Match case", "区分大小写"],
  wholeWords: ["Whole words", "全字匹配"],
  found: [
    (count: number, scenes: number) =>
      `${numbered(count, "place", "places")} in ${numbered(scenes, "scene", "scenes")}`,
    (count: number, scenes: number) => `${figure(scenes)} 个场景中的 ${figure(count)} 处`,
  ],
  none: ["Found nowhere.", "没有找到。"],
  more: [
    (count: number) => `and ${figure(count)} more places`,
    (count: number) => `还有 ${figure(count)} 处`,
  ],
  include: [(place: string) => `Replace in ${place}`, (place: string) => `替换：${place}`],
  open: [(place: string) => `Open ${place}`, (place: string) => `打开${place}`],
  replace: [
    (count: number) => `Replace ${numbered(count, "place", "places")}`,
    (count: number) => `替换 ${figure(count)} 处`,
  ],
  done: [
    (count: number) => `${numbered(count, "place", "places")} replaced`,
    (count: number) => `已替换 ${figure(count)} 处`,
  ],
  changed: [
    "The text has changed meanwhile. Look at the places again.",
    "文字在此期间有改动，请重新查看各处。",
  ],
  names: [
    "Names of entities and entries stay as they are; rename those on their own pages.",
    "实体和条目的名称不变，请在各自的页面重命名。",
  ],
});
