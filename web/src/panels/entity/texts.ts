import { inBoth } from "../../texts/language";

export const texts = inBoth({
  notYet: ["This part is not here yet.", "这一部分尚未完成。"],
  meanwhile: ["What it will show can be asked over REST already.", "相关数据已可通过 REST 查询。"],
});
