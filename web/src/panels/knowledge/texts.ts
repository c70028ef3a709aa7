import { inBoth } from "../../texts/language";

export const texts = inBoth({
  irony: ["What the reader knows and those on stage do not", "读者知道而在场者不知道的事"],
  scene: ["Scene", "场景"],
  newest: ["The last scene", "最后一场"],
  noScene: ["There is no scene yet.", "还没有场景。"],
  noStage: [
    "Nobody is known to be on stage here. Who is there is read when the scene is saved, or set with its snapshot.",
    "尚不清楚这一场有谁在场。保存场景时会自动读取，也可以在快照中指定。",
  ],
  noIrony: ["Everybody on stage knows all that is private so far.", "到此为止的私密内容，在场者全都知道。"],
  stage: [(names: string) => `On stage: ${names}`, (names: string) => `在场：${names}`],
  unaware: [(names: string) => `not known to ${names}`, (names: string) => `${names}不知道`],
  believes: [
    (name: string, belief: string) => `${name} believes: ${belief}`,
    (name: string, belief: string) => `${name}以为：${belief}`,
  ],
  thoughts: ["What somebody thinks that others know", "某人以为别人知道什么"],
  thoughtsWhy: [
    "Somebody thinks that another knows a fact if both were there when it was learned. Choose two to eight people in order.",
    "一人以为另一人知道某事，是因为得知时两人都在场。依次选择二至八人。",
  ],
  asOf: ["As of", "截至"],
  wholeStory: ["The whole story", "整个故事"],
  add: ["Add somebody", "添加人物"],
  remove: [(name: string) => `Remove ${name}`, (name: string) => `移除 ${name}`],
  thinks: [(name: string) => `${name} thinks that `, (name: string) => `${name}以为`],
  knows: [(name: string) => `${name} knows`, (name: string) => `${name}知道`],
  rest: [
    (name: string) => `${name} knows, and does not think so of them`,
    (name: string) => `${name}知道，但不认为如此`,
  ],
  noneKnown: ["Nothing private.", "没有私密内容。"],
  saw: [(name: string) => `they were there: ${name}`, (name: string) => `当时在场：${name}`],
});
