import { figure } from "../../../texts/figures";
import { inBoth } from "../../../texts/language";

export const texts = inBoth({
  found: [
    (count: number) => (count === 1 ? "1 new name" : `${figure(count)} new names`),
    (count: number) => `${figure(count)} 个新名字`,
  ],
  add: [
    (count: number) => (count === 1 ? "Add 1 new name" : `Add ${figure(count)} new names`),
    (count: number) => `添加 ${figure(count)} 个新名字`,
  ],
  why: [
    "Nobody in the story has these names yet. Added, a model is told who they are.",
    "故事里还没有这些名字。添加之后，模型就会得知他们是谁。",
  ],
  added: [
    (count: number) => (count === 1 ? "1 name added" : `${figure(count)} names added`),
    (count: number) => `已添加 ${figure(count)} 个名字`,
  ],
  who: ["Who is it?", "这是谁？"],
  whoOf: [(name: string) => `Who is ${name}?`, (name: string) => `“${name}”是谁？`],
  same: ["Somebody known…", "已有的人物…"],
  sameTitle: [(name: string) => `Whose name is “${name}”?`, (name: string) => `“${name}”是谁的名字？`],
  sameWhy: ["It becomes another name of the one you choose.", "它会成为所选对象的别名。"],
  sameLabel: ["Whose name", "属于谁"],
  samePick: ["The same", "同一个"],
  sameDone: [(name: string) => `“${name}” is another name now`, (name: string) => `“${name}”已成为别名`],
  none: ["No name", "不是名字"],
  noneDone: [(name: string) => `“${name}” is not asked about again`, (name: string) => `不再询问“${name}”`],
});
