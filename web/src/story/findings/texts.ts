import { inBoth } from "../../texts/language";

/** The rules by their ids, as people call them. */
export const ruleNames = inBoth({
  "not-yet": ["Named before being introduced", "尚未登场就被提到"],
  "no-longer": ["Named after being gone", "已经离场又被提到"],
  "dead-acts": ["The dead act", "死者有言行"],
  "two-places": ["One person, two places", "一人同时身在两地"],
  trait: ["A trait that differs", "特征前后不一"],
  kin: ["Kinship that differs", "亲属关系前后不一"],
  age: ["Ages that do not fit", "年龄前后不一"],
  order: ["Times that contradict", "先后与时间不符"],
  count: ["A number that differs", "人数前后不一"],
  number: ["A time or number that differs", "时刻或数目不符"],
  "knows-too-much": ["Somebody knows too much", "说出了不知道的事"],
  name: ["Names that go wrong", "名字写错或混淆"],
  bond: ["Bonds that exclude each other", "互相排斥的关系"],
  "two-holders": ["One thing, two holders", "一物二主"],
  thread: ["A thread out of order", "伏笔没有照应"],
  stale: ["A fact whose source has changed", "出处已不再这样写"],
  "story-rules": ["Rules of the story", "故事自己的规则"],
  secret: ["Names what models are not told", "写出了不给模型看的名字"],
});

export const texts = inBoth({
  error: ["Error", "错误"],
  warning: ["Warning", "警告"],
  info: ["Note", "提示"],
  off: ["Off", "关闭"],
  sure: ["How sure", "把握"],
  here: ["Written here", "此处写道"],
  there: ["Established", "已有设定"],
  amongFacts: ["Among the facts", "设定之间"],
  changeText: [(text: string) => `Write “${text}”`, (text: string) => `改为“${text}”`],
  changeTextOpen: ["Change the text…", "修改文字…"],
  addState: [
    (key: string, value: string) => `From this scene on: ${key} ${value}`,
    (key: string, value: string) => `从此场景起：${key} ${value}`,
  ],
  correctFact: [
    (key: string, value: string) => `Correct the fact: ${key} ${value}`,
    (key: string, value: string) => `更正设定：${key} ${value}`,
  ],
  waive: ["Intended…", "有意如此…"],
  reason: ["Why is it intended?", "为什么有意如此？"],
  waiveNow: ["It is intended", "确认有意"],
  waived: ["Intended", "有意如此"],
  report: ["Report it again", "恢复报告"],
  doneText: ["Text changed", "已修改文字"],
  doneState: ["True from this scene on", "已记为从此场景起的状态"],
  doneFact: ["Fact corrected", "已更正设定"],
  doneWaived: ["Marked as intended", "已标记为有意"],
  doneReport: ["Reported again", "已恢复报告"],
});
