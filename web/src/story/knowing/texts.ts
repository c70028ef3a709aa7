import type { HowKnown, Moment } from "../../client/rest";
import { inBoth, type Said } from "../../texts/language";
import type { Places } from "../places";

export const texts = inBoth({
  knows: ["What they know", "所知之事"],
  knowsNone: [
    "Nothing private yet. Everybody knows what is not marked as private.",
    "还没有私密内容。未标为私密的内容人人皆知。",
  ],
  unknown: [
    (count: number) =>
      count === 1 ? "1 private fact is not known to them." : `${count} private facts are not known to them.`,
    (count: number) => `另有 ${count} 项私密内容不知道。`,
  ],
  thinks: ["What they think that others know", "此人以为别人知道什么"],
  whoKnows: ["Who knows of it", "谁知道"],
  whoKnowsOf: [(label: string) => `Who knows: ${label}`, (label: string) => `谁知道：${label}`],
  everybody: ["It is not private: everybody may know it.", "未标为私密：人人皆可知道。"],
  nobody: ["Nobody knows it yet.", "还没有人知道。"],
  asOf: ["As of", "截至"],
  wholeStory: ["The whole story", "整个故事"],
  addFact: ["Add what they know", "添加所知之事"],
  addKnower: ["Add who knows it", "添加知情者"],
  edit: [(label: string) => `Edit: ${label}`, (label: string) => `编辑：${label}`],
  refuse: [(label: string) => `Does not know: ${label}`, (label: string) => `不知道：${label}`],
  remove: [(label: string) => `Remove: ${label}`, (label: string) => `移除：${label}`],
  removed: ["Removed", "已移除"],
  saved: ["Saved who knows it", "已保存知情情况"],
  doesNotKnow: ["does not know it, though present", "虽在场却不知道"],
  believes: [(belief: string) => `believes: ${belief}`, (belief: string) => `以为：${belief}`],
  derived: ["from taking part", "因参与而知"],
  since: [(moment: string) => `since ${moment}`, (moment: string) => `自 ${moment}`],
  witnessed: ["witnessed", "亲眼所见"],
  told: ["was told", "听人告知"],
  read: ["read it", "读到"],
  deduced: ["deduced", "推断得出"],
  believed: ["believes it", "相信如此"],
  // The dialog
  title: [(label: string) => `Who knows what: ${label}`, (label: string) => `谁知道什么：${label}`],
  fact: ["Which fact", "什么事"],
  factOf: ["What of it", "其中的"],
  itself: ["It itself", "其本身"],
  relationOf: [(word: string) => `Relation: ${word}`, (word: string) => `关系：${word}`],
  stateOf: [(text: string) => `State: ${text}`, (text: string) => `状态：${text}`],
  knower: ["Who", "谁"],
  stance: ["What is so", "情况"],
  knowsIt: ["Knows it", "知道"],
  believesElse: ["Believes something else", "另有所信"],
  isUnaware: ["Does not know it", "不知道"],
  how: ["How", "如何得知"],
  belief: ["What they believe instead", "误以为"],
  from: ["From", "开始于"],
  until: ["Forgotten at", "遗忘于"],
});

export const HOWS: readonly HowKnown[] = ["witnessed", "told", "read", "deduced", "believes"];

export const howText = (how: HowKnown, t: Said<typeof texts>): string =>
  how === "believes" ? t.believed : t[how];

interface Learned {
  readonly how: HowKnown;
  readonly since: Moment | null;
  readonly belief: string;
  readonly derived: boolean;
}

/** How and since when somebody knows a fact, in words. */
export const learnedText = (
  { how, since, belief, derived }: Learned,
  places: Places,
  t: Said<typeof texts>,
): string =>
  [
    belief ? t.believes(belief) : howText(how, t),
    since && t.since(places.momentName(since)),
    derived && t.derived,
  ]
    .filter(Boolean)
    .join(" · ");
