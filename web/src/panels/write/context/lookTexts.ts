import { figure, numbered } from "../../../texts/figures";
import { inBoth } from "../../../texts/language";

export const texts = inBoth({
  since: ["Since your last look", "自上次查看以来"],
  sinceCount: [
    (came: number, went: number, changed: number) =>
      [
        came > 0 && `${figure(came)} new`,
        changed > 0 && `${figure(changed)} changed`,
        went > 0 && `${figure(went)} gone`,
      ]
        .filter(Boolean)
        .join(", "),
    (came: number, went: number, changed: number) =>
      [
        came > 0 && `新增 ${figure(came)}`,
        changed > 0 && `变动 ${figure(changed)}`,
        went > 0 && `移出 ${figure(went)}`,
      ]
        .filter(Boolean)
        .join("，"),
  ],
  came: ["New", "新增"],
  changed: ["Changed", "变动"],
  went: ["Gone", "移出"],
  ask: [
    (tokens: number) => `What would ${figure(tokens)} more bring?`,
    (tokens: number) => `再多 ${figure(tokens)} token 会怎样？`,
  ],
  nothingMore: [
    "Nothing more: everything that fits the scene is told.",
    "不会增加内容：适合此场景的都已纳入。",
  ],
  wouldCome: ["Would be told, too", "会增加"],
  wouldGo: [
    (tokens: number) => `With ${figure(tokens)} less, these would go`,
    (tokens: number) => `若减少 ${figure(tokens)} token，则会移出`,
  ],
  take: [(tokens: number) => `Take ${figure(tokens)} more`, (tokens: number) => `增加 ${figure(tokens)}`],
  hide: ["Hide", "收起"],
  tokens: [
    (tokens: number) => numbered(tokens, "token", "tokens"),
    (tokens: number) => `${figure(tokens)} token`,
  ],
  andMore: [(count: number) => `${figure(count)} more`, (count: number) => `还有 ${figure(count)} 项`],
  noAnswer: ["The server does not answer.", "服务器没有响应。"],
});
