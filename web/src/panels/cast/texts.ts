import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  title: ["Who is in the book", "书中人物"],
  why: [
    "Everybody the manuscript names, the most named first. Are two of them one? Drag one card onto the other, or choose “Same person”, then the other.",
    "正文提到的人物，按出现次数排列。若两张卡片是同一人，把一张拖到另一张上，或点“同一个人”，再点另一张。",
  ],
  counted: [
    (shown: number, total: number) =>
      shown === total ? numbered(total, "person", "people") : `${figure(shown)} of ${figure(total)} people`,
    (shown: number, total: number) =>
      shown === total ? `${figure(total)} 人` : `${figure(total)} 人中的 ${figure(shown)} 人`,
  ],
  times: [
    (count: number) => numbered(count, "mention", "mentions"),
    (count: number) => `提及 ${figure(count)} 次`,
  ],
  first: [(place: string) => `First in ${place}`, (place: string) => `初见于${place}`],
  openFirst: [(place: string) => `Open ${place}`, (place: string) => `打开${place}`],
  spread: [
    (name: string) => `How often each part of the book names ${name}`,
    (name: string) => `书中各部分提到“${name}”的次数`,
  ],
  same: ["Same person", "同一个人"],
  sameOf: [(name: string) => `Same person as ${name}`, (name: string) => `与“${name}”是同一个人`],
  choosing: [
    (name: string) => `Who is the same person as ${name}? Choose the card.`,
    (name: string) => `谁和“${name}”是同一个人？请点选那张卡片。`,
  ],
  thisOne: [(name: string) => `It is ${name}`, (name: string) => `就是“${name}”`],
  joined: [
    (one: string, other: string) => `${one} and ${other} are one person now`,
    (one: string, other: string) => `“${one}”和“${other}”已合为一人`,
  ],
  none: ["The manuscript names nobody yet", "正文还没有提到任何人物"],
  noneNext: [
    "Write a scene and add its new names, or import a novel.",
    "写一个场景并添加其中的新名字，或者导入一部小说。",
  ],
  write: ["Write", "去写作"],
  more: ["Show more", "显示更多"],
});
