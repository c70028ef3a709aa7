import { figure, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

export const texts = inBoth({
  list: ["Threads", "伏笔列表"],
  which: ["Status", "状态"],
  all: ["All", "全部"],
  unsettled: ["Unsettled", "未了结"],
  kind: ["Kind", "类型"],
  anyKind: ["Any kind", "全部类型"],
  asOf: ["As of", "截至"],
  theEnd: ["The end of the manuscript", "书稿结尾"],
  search: ["Search threads", "搜索伏笔"],
  searchHint: ["Search threads…", "搜索伏笔…"],
  counted: [
    (shown: number, all: number) =>
      shown === all
        ? numbered(all, "thread", "threads")
        : `${figure(shown)} of ${numbered(all, "thread", "threads")}`,
    (shown: number, all: number) =>
      shown === all ? `${figure(all)} 条伏笔` : `${figure(all)} 条伏笔中的 ${figure(shown)} 条`,
  ],
  none: ["No promise to the reader yet", "还没有伏笔"],
  noneNext: [
    "A thread is a promise: a question, a clue, a debt. Begin one here, or select words in a scene and plant it there.",
    "伏笔是对读者的许诺：一个疑问、一条线索、一笔亏欠。在这里新建，或在场景中选中文字埋设。",
  ],
  noneFits: ["No thread fits", "没有符合的伏笔"],
  clearFilters: ["Clear filters", "清除筛选"],
  dueAt: [(place: string) => `due by ${place}`, (place: string) => `最迟 ${place}`],
  concerning: ["Concerns", "相关"],
  noPoints: ["Not in the text yet", "尚未写进正文"],
  lost: ["These words no longer stand there.", "原文已不在此处。"],
  partial: ["in part", "部分"],
  removeOf: [(quotation: string) => `Remove “${quotation}”`, (quotation: string) => `移除“${quotation}”`],
  unmarked: ["Mark removed", "已移除标记"],
  edit: ["Edit", "编辑"],
  editOf: [(title: string) => `Edit “${title}”`, (title: string) => `编辑“${title}”`],
  whoKnowsOf: [(title: string) => `Who knows of “${title}”`, (title: string) => `谁知道“${title}”`],
  deleteOf: [(title: string) => `Delete “${title}”`, (title: string) => `删除“${title}”`],
  deleted: [(title: string) => `Deleted “${title}”`, (title: string) => `已删除“${title}”`],
});
