import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  which: ["What is shown", "显示内容"],
  open: ["Findings", "发现的问题"],
  waivers: ["Intended", "有意如此"],
  rules: ["Rules", "规则"],
  checkNow: ["Check now", "立即检查"],
  checking: ["Checking the story…", "正在检查故事…"],
  queued: ["Checked again in a moment…", "稍后重新检查…"],
  counted: [
    (shown: number, all: number) =>
      shown === all
        ? numbered(all, "finding", "findings")
        : `${figure(shown)} of ${numbered(all, "finding", "findings")}`,
    (shown: number, all: number) =>
      shown === all ? `${figure(all)} 个问题` : `${figure(all)} 个问题中的 ${figure(shown)} 个`,
  ],
  checked: [
    (rules: number, scenes: number) =>
      `${numbered(rules, "rule", "rules")} · ${numbered(scenes, "scene", "scenes")}`,
    (rules: number, scenes: number) => `${figure(rules)} 条规则 · ${figure(scenes)} 个场景`,
  ],
  search: ["Search findings", "搜索问题"],
  searchHint: ["Search findings…", "搜索问题…"],
  severity: ["Severity", "严重程度"],
  anySeverity: ["Any severity", "全部程度"],
  rule: ["Rule", "规则"],
  anyRule: ["All rules", "全部规则"],
  chapter: ["Chapter", "章节"],
  anyChapter: ["All chapters", "全部章节"],
  least: ["How sure at least", "最低把握"],
  anyConfidence: ["However sure", "不限把握"],
  atLeast: [(percent: string) => `At least ${percent}`, (percent: string) => `至少 ${percent}`],
  none: ["Nothing contradicts itself", "没有发现矛盾"],
  noneNext: [
    "Every scene is compared with what is established elsewhere, without a model. It is done again after you save.",
    "每个场景都会与其他地方的设定对照，不使用模型。保存之后会重新检查。",
  ],
  noneFits: ["No finding fits", "没有符合的问题"],
  clearFilters: ["Clear filters", "清除筛选"],
  amongFacts: ["Among the facts", "设定之间"],
  more: [
    (count: number) => `Show ${numbered(count, "more", "more")}`,
    (count: number) => `再显示 ${figure(count)} 个`,
  ],
  noWaivers: ["Nothing is marked as intended", "没有标记为有意的问题"],
  noWaiversNext: [
    "A finding that is intended stays quiet until the text or the fact changes.",
    "标记为有意的问题不再报告，直到文字或设定改变。",
  ],
  noReason: ["No reason given", "未写原因"],
  rulesWhy: [
    "How severe each finding of a rule is in this story. A rule that is off finds nothing.",
    "这部故事中每条规则的严重程度。关闭的规则不会报告问题。",
  ],
  byDefault: [(word: string) => `${word} (as usual)`, (word: string) => `${word}（默认）`],
  autoCheck: ["Check after every save", "每次保存后检查"],
  saved: ["Saved", "已保存"],
});
