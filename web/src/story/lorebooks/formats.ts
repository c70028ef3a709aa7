import type { ExportEntriesData } from "../../client/rest";
import { inBoth, type Language } from "../../texts/language";

/** A format that a lorebook can be saved in. */
export type Format = NonNullable<NonNullable<ExportEntriesData["query"]>["format"]>;

/** How formats are called; files come in more of them than can be written. */
const NAMES = inBoth({
  fabula: ["Fabula", "Fabula 格式"],
  sillytavern: ["SillyTavern World Info", "SillyTavern 世界书"],
  "card-v1": ["Character card V1", "角色卡 V1"],
  "card-v2": ["Character card V2", "角色卡 V2"],
  "card-v3": ["Character card V3", "角色卡 V3"],
  "card-v2-png": ["Character card V2", "角色卡 V2"],
  "card-v3-png": ["Character card V3", "角色卡 V3"],
  "character-book": ["Book of a character card", "角色卡世界书"],
  "lorebook-v3": ["Lorebook of the card standard V3", "角色卡 V3 标准的世界书"],
  novelai: ["NovelAI lorebook", "NovelAI 世界书"],
  "novelai-scenario": ["NovelAI scenario", "NovelAI 剧本"],
  risu: ["RisuAI lorebook", "RisuAI 世界书"],
  "risu-module": ["RisuAI module", "RisuAI 模块"],
  "risu-bare-module": ["RisuAI module", "RisuAI 模块"],
  agnai: ["Agnai memory book", "Agnai 记忆书"],
  kobold: ["KoboldAI world info", "KoboldAI 世界信息"],
  "kobold-save": ["KoboldAI saved story", "KoboldAI 存档"],
  "kobold-united": ["KoboldAI United world info", "KoboldAI United 世界信息"],
  "kobold-folders": ["KoboldAI world info in folders", "KoboldAI 分文件夹的世界信息"],
  aidungeon: ["AI Dungeon story cards", "AI Dungeon 故事卡"],
  "aidungeon-adventure": ["AI Dungeon adventure", "AI Dungeon 冒险"],
  nativetavern: ["NativeTavern World Info", "NativeTavern 世界书"],
  markdown: ["Markdown folder (.zip), as in Obsidian", "Markdown 文件夹（.zip，如 Obsidian）"],
  csv: ["Table (CSV)", "CSV 表格"],
  tsv: ["Table (TSV)", "TSV 表格"],
});

/** The formats to save in, those that most programs read first; with the file where the name does not say it. */
const FILES: Record<Format, string> = {
  fabula: "JSON",
  sillytavern: "JSON",
  "card-v2": "JSON",
  "card-v3": "JSON",
  "card-v2-png": "PNG",
  "card-v3-png": "PNG",
  "character-book": "JSON",
  "lorebook-v3": "JSON",
  novelai: "",
  "novelai-scenario": "",
  risu: "JSON",
  "risu-module": "JSON",
  agnai: "JSON",
  kobold: "JSON",
  aidungeon: "JSON",
  nativetavern: "JSON",
  markdown: "",
  csv: "",
  tsv: "",
};

/** The same without their files. */
export const FORMATS = Object.keys(FILES) as readonly Format[];

/** The name of a format; one that the page does not know yet keeps the name that the server has for it. */
export function formatName(format: string, language: Language): string {
  const known = (NAMES as Record<string, readonly [string, string]>)[format];
  return known?.[language === "en" ? 0 : 1] ?? format;
}

/** The name of a format with that of its file, for somebody who chooses one. */
export function fileFormatName(format: Format, language: Language): string {
  const name = formatName(format, language);
  const file = FILES[format];
  if (!file) return name;
  return language === "en" ? `${name} (${file})` : `${name}（${file}）`;
}
