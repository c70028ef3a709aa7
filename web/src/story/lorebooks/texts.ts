import { inBoth } from "../../texts/language";

export const texts = inBoth({
  ownBook: ["The story's own lorebook", "故事自己的设定集"],
  global: ["In every conversation", "全局"],
  character: ["Of a character", "角色"],
  chat: ["Of one conversation", "对话"],
  persona: ["Of the user's persona", "用户人设"],
  fabula: ["Fabula's rules", "Fabula 规则"],
  sillytavern: ["SillyTavern's rules", "SillyTavern 规则"],
  // Settings of a scan
  scanDepth: ["Messages to scan", "扫描深度（消息数）"],
  budgetPercent: ["Budget, percent of the context", "预算（占上下文的百分比）"],
  budgetCap: ["Most tokens (0: no limit)", "预算上限 token（0 为不限）"],
  maxContext: ["Context size in tokens", "上下文 token 数"],
  maxRecursionSteps: ["Most recursion steps (0: no limit)", "最大递归步数（0 为不限）"],
  minActivations: ["Least entries to activate", "最少激活条目数"],
  minActivationsDepthMax: ["Deepest scan for them (0: no limit)", "为此最多扫描深度（0 为不限）"],
  recursive: ["Texts of entries call further entries", "递归扫描：条目内容可触发其他条目"],
  caseSensitive: ["Upper and lower case differ", "区分大小写"],
  matchWholeWords: ["Whole words only", "全词匹配"],
  includeNames: ["Scan the names of speakers, too", "扫描时包含说话者名称"],
  useGroupScoring: ["In a group, the most matches win", "分组按匹配数评分"],
  characterStrategy: ["Order of the books", "插入顺序"],
  strategyEvenly: ["All books together, by order", "所有世界书按顺序混排"],
  strategyCharacter: ["Books of the character first", "角色世界书优先"],
  strategyGlobal: ["Global books first", "全局世界书优先"],
});
