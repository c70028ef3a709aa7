import { figure as n, numbered } from "../../texts/figures";
import { inBoth } from "../../texts/language";

const s = (count: number) => (count === 1 ? "" : "s");

export const texts = inBoth({
  // The picture
  picture: ["Graph of the story", "故事图谱"],
  pictureKeys: [
    "Arrow keys walk to neighbours, plus and minus zoom, 0 shows everything, Enter opens the lorebook, L relates, Delete deletes. The table has the same in words.",
    "方向键走到相邻节点，加减号缩放，0 适应视图，回车打开设定集，L 添加关系，Delete 删除。表格视图以文字呈现同样的内容。",
  ],
  asPicture: ["Picture", "图"],
  asTable: ["Table", "表格"],
  viewAs: ["Show as", "显示方式"],
  controls: ["Search and filters", "搜索与筛选"],
  details: ["Details", "详情"],
  loadingGraph: ["Fetching the graph", "正在读取图谱"],
  loadingStopped: ["Loading was stopped.", "已停止加载。"],
  placing: ["Finding a place for every node", "正在为每个节点排布位置"],
  placingStopped: ["Nodes without a place stand around the others.", "没有位置的节点暂时排在周围。"],
  placeNow: ["Place them", "排布"],
  none: ["No nodes yet", "还没有节点"],
  noneNext: [
    "People, places, things and events of the story appear here, with what is between them. Add the first, or write entries in the lorebook.",
    "故事中的人物、地点、物品和事件会显示在这里，连同它们之间的关系。添加第一个节点，或在设定集中撰写条目。",
  ],
  noneFits: ["Nothing is shown", "没有可显示的内容"],
  showAll: ["Show everything", "显示全部"],
  // Controls
  searchNodes: ["Search nodes", "搜索节点"],
  found: [
    (count: number) => (count === 0 ? "Nothing found" : `${n(count)} found`),
    (count: number) => (count === 0 ? "没有找到" : `找到 ${n(count)} 个`),
  ],
  kinds: ["Types", "类型"],
  showKind: [
    (kind: string, count: number) => `Show ${kind}, ${n(count)}`,
    (kind: string, count: number) => `显示${kind}，${n(count)} 个`,
  ],
  moment: ["As of", "时间点"],
  wholeStory: ["The whole story", "整个故事"],
  asOfEnd: [(chapter: string) => `End of ${chapter}`, (chapter: string) => `${chapter}结束时`],
  layout: ["Stand", "排列"],
  layoutFree: ["Free", "自由"],
  layoutPlace: ["By place", "按地点"],
  layoutFaction: ["By faction", "按势力"],
  layoutTime: ["By time", "按登场"],
  sizing: ["Size says", "大小表示"],
  sizeLinks: ["Links", "连线"],
  sizeMentions: ["Mentions", "提及"],
  ties: ["Shared scenes", "同场关系"],
  tiesFrom: [
    (percent: number) => (percent === 0 ? "All that were found" : `From ${percent}% of their scenes`),
    (percent: number) => (percent === 0 ? "显示全部" : `同场至少 ${percent}%`),
  ],
  steps: ["Steps around a node", "节点周围（跳数）"],
  wholeGraph: ["All", "全图"],
  stepsHint: ["Choose a node to see only what is around it.", "选中一个节点，即可只看它的周围。"],
  focusOn: [(name: string) => `Around ${name}`, (name: string) => `「${name}」周围`],
  leaveFocus: ["Show everything again", "恢复全图"],
  fit: ["Fit view", "适应视图"],
  zoomIn: ["Zoom in", "放大"],
  zoomOut: ["Zoom out", "缩小"],
  showing: [
    (nodes: number, allNodes: number, edges: number, allEdges: number) =>
      `Showing ${n(nodes)} of ${n(allNodes)} node${s(allNodes)}, ${n(edges)} of ${n(allEdges)} link${s(allEdges)}`,
    (nodes: number, allNodes: number, edges: number, allEdges: number) =>
      `显示 ${n(nodes)} / ${n(allNodes)} 个节点，${n(edges)} / ${n(allEdges)} 条连线`,
  ],
  thinned: [
    (edges: number) => `From afar, ${n(edges)} links are drawn.`,
    (edges: number) => `远看时绘制 ${n(edges)} 条连线。`,
  ],
  unlinked: [
    (count: number) => `Related to nobody (${n(count)})`,
    (count: number) => `没有关系的节点（${n(count)}）`,
  ],
  spread: ["Show them in the picture", "在图中显示"],
  andMore: [(count: number) => `and ${n(count)} more`, (count: number) => `以及另外 ${n(count)} 个`],
  putAside: [(count: number) => `${n(count)} put aside`, (count: number) => `已隐藏 ${n(count)} 个`],
  bringBack: ["Bring back", "恢复显示"],
  addNode: ["Add node", "添加节点"],
  refresh: ["Refresh the graph", "刷新图谱"],
  refreshed: ["The graph is up to date", "图谱已是最新"],
  // A node
  relationsOf: [(count: number) => `${n(count)} link${s(count)}`, (count: number) => `${n(count)} 条连线`],
  selected: [
    (name: string, kind: string, count: number) => `${name}, ${kind}, ${n(count)} link${s(count)}`,
    (name: string, kind: string, count: number) => `${name}，${kind}，${n(count)} 条连线`,
  ],
  name: ["Name", "名称"],
  nameMissing: ["A node needs a name.", "请填写名称。"],
  kind: ["Type", "类型"],
  description: ["Description", "描述"],
  attributes: ["Attributes", "属性"],
  attribute: ["Attribute", "属性名"],
  value: ["Value", "值"],
  addAttribute: ["Add attribute", "添加属性"],
  removeAttribute: [(key: string) => `Remove ${key}`, (key: string) => `移除 ${key}`],
  doubledAttribute: ["Two attributes have the same name.", "有两个属性同名。"],
  discard: ["Discard changes", "放弃修改"],
  savedNode: [(name: string) => `Saved ${name}`, (name: string) => `已保存 ${name}`],
  created: [(name: string) => `Created ${name}`, (name: string) => `已创建 ${name}`],
  deletedNode: [(name: string) => `Deleted ${name}`, (name: string) => `已删除 ${name}`],
  movedNode: [(name: string) => `Moved ${name}`, (name: string) => `已移动 ${name}`],
  existing: [(name: string) => `There is “${name}” already.`, (name: string) => `「${name}」已存在。`],
  openExisting: ["Show it", "查看"],
  relations: ["Relations", "关系"],
  noRelations: ["Nothing is related to it yet.", "还没有任何关系。"],
  moreRelations: [(count: number) => `and ${n(count)} more`, (count: number) => `另有 ${n(count)} 条`],
  newNode: ["New node", "新建节点"],
  // What can be done with it
  nodeMenu: [(name: string) => `What to do with ${name}`, (name: string) => `对「${name}」的操作`],
  edit: ["Edit attributes", "编辑属性"],
  deleteNode: ["Delete node", "删除节点"],
  relate: ["Add relation", "添加关系"],
  inLorebook: ["Show in the lorebook", "在设定集中查看"],
  wholePage: ["Open its page", "打开实体页"],
  focus: ["Show what is around it", "只看周围"],
  hide: ["Put aside", "暂时隐藏"],
  letGo: ["Forget its place", "取消固定位置"],
  addHere: ["Add node here", "在此添加节点"],
  groundMenu: ["What to do here", "画布操作"],
  deleteNodeTitle: [(name: string) => `Delete “${name}”?`, (name: string) => `删除「${name}」？`],
  deleteNodeAsk: [
    (name: string) =>
      `Delete the node “${name}” and all its relations? Its entry in the lorebook goes with it.`,
    (name: string) => `确定删除节点「${name}」及其所有关联关系吗？此操作将同步删除设定集中的对应条目。`,
  ],
  canUndo: ["This can be undone.", "此操作可以撤销。"],
  confirmDelete: ["Delete", "确认删除"],
  // A relation
  edgeMenu: ["What to do with this relation", "对这条关系的操作"],
  editEdge: ["Change type", "编辑关系类型"],
  deleteEdge: ["Delete relation", "删除关系"],
  deleteEdgeTitle: ["Delete this relation?", "删除这条关系？"],
  deleteEdgeAsk: [
    (source: string, word: string, target: string) =>
      `Delete the relation “${source}” → “${word}” → “${target}”? Both nodes stay.`,
    (source: string, word: string, target: string) =>
      `确定删除「${source}」→「${word}」→「${target}」关系吗？两个节点都会保留。`,
  ],
  deletedEdge: ["Relation deleted", "已删除关系"],
  changedEdge: ["Relation changed", "已修改关系"],
  relateTitle: ["What is between them?", "它们之间是什么关系？"],
  editEdgeTitle: ["Change the relation", "修改关系"],
  from: ["From", "起点"],
  to: ["To", "终点"],
  relationType: ["Relation", "关系类型"],
  ownType: ["Another word…", "自定义…"],
  ownWord: ["Your word for it", "自定义关系类型"],
  ownWordHint: ["It is offered again from then on.", "之后可以再次选用。"],
  direction: ["Direction", "方向"],
  both: ["Both ways", "双向"],
  related: [
    (source: string, target: string) => `Related ${source} and ${target}`,
    (source: string, target: string) => `已关联 ${source} 与 ${target}`,
  ],
  closeDetails: ["Close details", "关闭详情"],
  // Keys
  keyWalk: ["Walk to a neighbour", "走到相邻节点"],
  keyFocus: ["What is around the node", "只看节点周围"],
  keyRelate: ["Relate the node", "为节点添加关系"],
  keyDelete: ["Delete node or relation", "删除节点或关系"],
  keyLeave: ["Deselect", "取消选中"],
  keyTable: ["Picture or table", "切换图与表格"],
  // As somebody sees it
  unknownTo: [
    (name: string, count: number) =>
      count === 0
        ? `${name} knows all of this.`
        : `${name} does not know ${numbered(count, "node or edge", "nodes and edges")}: dimmed.`,
    (name: string, count: number) =>
      count === 0 ? `${name}知道全部内容。` : `${name}不知道的 ${n(count)} 处已变淡。`,
  ],
  absentThen: [
    (name: string) => `${name} is not part of the story at this moment: you see what the author sees.`,
    (name: string) => `${name}此时不在故事中：现在显示的是作者视角。`,
  ],
  notKnown: ["not known", "不知道"],
  // The table
  tableOf: ["Nodes as a table", "节点表格"],
  columnName: ["Name", "名称"],
  columnKind: ["Type", "类型"],
  columnRelations: ["Links", "连线数"],
  moreOf: [(name: string) => `More about ${name}`, (name: string) => `${name} 的更多操作`],
});
