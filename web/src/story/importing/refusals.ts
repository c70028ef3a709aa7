import { figure } from "../../texts/figures";
import { inBoth } from "../../texts/language";

/** What the server says of a refused file beside its reason. */
export interface RefusalDetails {
  readonly limit?: number | undefined;
  readonly count?: number | undefined;
  readonly path?: string | undefined;
}

const many = (value: number | undefined) => (value === undefined ? "…" : figure(value));

/** Why a file is refused and what to do about it, by the `reason` in the details of the server's error. */
export const refusals = inBoth({
  not_known: [
    "This is no story, lorebook or character card that Fabula knows. Check that the file is whole.",
    "这不是 Fabula 认识的故事、世界书或角色卡。请检查文件是否完整。",
  ],
  novel_is_a_story: [
    "A novel becomes a story of its own. Import it as a new story.",
    "小说会成为单独的故事。请作为新故事导入。",
  ],
  bundle_is_no_list: [
    "A knowledge bundle is a list, and this file has none.",
    "知识包应是一个列表，此文件不是。",
  ],
  no_card: [
    "This PNG has no character card in it. Export the card again as PNG or JSON; a picture that was saved from a chat or a web page has usually lost it.",
    "此 PNG 中没有角色卡。请从原程序重新导出为 PNG 或 JSON；从聊天或网页另存的图片通常已丢失角色卡。",
  ],
  card_damaged: [
    "The character card in this PNG is damaged. Export it again from the program that made it.",
    "此 PNG 中的角色卡已损坏。请从原程序重新导出。",
  ],
  card_too_large: [
    ({ limit }: RefusalDetails) =>
      `The card in this PNG has more than ${many(limit)} bytes. Export it again with a smaller lorebook.`,
    ({ limit }: RefusalDetails) => `此 PNG 中的角色卡超过 ${many(limit)} 字节。请减小世界书后重新导出。`,
  ],
  too_many_chunks: [
    ({ limit }: RefusalDetails) =>
      `This PNG has more than ${many(limit)} chunks. Export the card again from the program that made it.`,
    ({ limit }: RefusalDetails) => `此 PNG 的数据块超过 ${many(limit)} 个。请从原程序重新导出角色卡。`,
  ],
  archive_damaged: [
    "This archive is damaged or is no ZIP file. Export it again from the program that made it.",
    "压缩包已损坏，或不是 ZIP 文件。请从原程序重新导出。",
  ],
  archive_unsafe: [
    ({ path }: RefusalDetails) =>
      `The archive has a file that cannot be taken: ${path ?? "…"}. Pack the files again, without links and encryption.`,
    ({ path }: RefusalDetails) =>
      `压缩包中有无法接受的文件：${path ?? "…"}。请重新打包，不要包含链接或加密文件。`,
  ],
  archive_without_card: [
    "There is no character in this archive. Export it again as .charx, .byaf, PNG or JSON.",
    "压缩包中没有角色。请重新导出为 .charx、.byaf、PNG 或 JSON。",
  ],
  too_many_files: [
    ({ limit }: RefusalDetails) => `The archive has more than ${many(limit)} files. Pack only the notes.`,
    ({ limit }: RefusalDetails) => `压缩包中的文件超过 ${many(limit)} 个。请只打包笔记。`,
  ],
  file_too_large: [
    ({ limit }: RefusalDetails) =>
      `The file has more than ${many(limit)} bytes. Split the lorebook into several files.`,
    ({ limit }: RefusalDetails) => `文件超过 ${many(limit)} 字节。请把世界书拆成几个文件。`,
  ],
  too_deep: [
    ({ limit }: RefusalDetails) =>
      `The file is nested deeper than ${many(limit)} levels. Export it again from the program that made it.`,
    ({ limit }: RefusalDetails) => `文件嵌套超过 ${many(limit)} 层。请从原程序重新导出。`,
  ],
  no_json: [
    "The file is no valid JSON. It may be cut off or damaged: export it again from the program that made it.",
    "文件不是有效的 JSON，可能不完整或已损坏。请从原程序重新导出。",
  ],
  table_unreadable: [
    "The table cannot be read. Save it as CSV with quoted texts.",
    "无法读取表格。请另存为文本带引号的 CSV。",
  ],
  table_without_header: [
    "The first row of a table must name its columns: one for the text, and one for the name or the keywords.",
    "表格第一行必须是列名：一列为正文，另有一列为名称或关键词。",
  ],
  no_markdown: [
    "There is no Markdown file in this folder. Pack the notes as a ZIP file of .md files.",
    "文件夹中没有 Markdown 文件。请把笔记打包成含 .md 文件的 ZIP。",
  ],
  front_matter: [
    ({ path }: RefusalDetails) => `The YAML at the head of a note cannot be read: ${path ?? "…"}.`,
    ({ path }: RefusalDetails) => `无法读取笔记开头的 YAML：${path ?? "…"}。`,
  ],
  too_many_entries: [
    ({ count, limit }: RefusalDetails) =>
      `The lorebook has ${many(count)} entries; ${many(limit)} are allowed. Split it into several files.`,
    ({ count, limit }: RefusalDetails) =>
      `世界书有 ${many(count)} 个条目，最多允许 ${many(limit)} 个。请拆成几个文件。`,
  ],
  no_entry_fits: [
    "No entry of this file can be imported. Shorten or correct the entries in the program that made them, and export them again.",
    "此文件的条目都无法导入。请在原程序中缩短或改正条目，然后重新导出。",
  ],
});
