import type { CaseMessage } from "../../client/rest";

/** How a pasted text is understood. */
export type Reading = "paragraph" | "chat";

const SPEAKER = /^([^:：\n]{1,60})[:：]\s*(.*)$/u;
/** Longer than a name is: what stands before the colon is a sentence then. */
const NAME_WORDS = 4;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A chat if two speakers take turns in it, or if it is a chat file; else a paragraph. */
export function readingOf(text: string): Reading {
  if (fromFile(text)) return "chat";
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const spoken = lines.filter((line) => speakerIn(line) !== null);
  return spoken.length > 1 && speakerIn(lines[0] ?? "") !== null ? "chat" : "paragraph";
}

/** The messages in a text, the newest last; who is called `user` speaks for the user. */
export function messagesIn(text: string, reading: Reading, user: string): CaseMessage[] {
  if (text.trim() === "") return [];
  if (reading === "paragraph") return [{ name: user, is_user: true, mes: text.trim() }];
  return fromFile(text) ?? fromLines(text, user);
}

function fromLines(text: string, user: string): CaseMessage[] {
  const messages: { name: string; is_user: boolean; mes: string }[] = [];
  for (const line of text.split("\n")) {
    const speaker = speakerIn(line);
    const last = messages.at(-1);
    if (speaker) {
      const [name, said] = speaker;
      messages.push({ name, is_user: name.toLowerCase() === user.trim().toLowerCase(), mes: said });
    } else if (last) last.mes += `\n${line}`;
    else if (line.trim() !== "") messages.push({ name: user, is_user: true, mes: line });
  }
  return messages.map((message) => ({ ...message, mes: message.mes.trim() }));
}

function speakerIn(line: string): [string, string] | null {
  const [, name = "", said = ""] = SPEAKER.exec(line.trim()) ?? [];
  if (name.trim() === "" || name.trim().split(/\s+/).length > NAME_WORDS) return null;
  return [name.trim(), said];
}

/** The messages of a chat that SillyTavern saved: one object on each line. */
function fromFile(text: string): CaseMessage[] | null {
  if (!text.trimStart().startsWith("{")) return null;
  const messages: CaseMessage[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    let read: unknown;
    try {
      read = JSON.parse(line);
    } catch {
      return null;
    }
    // The first line of such a file says whose chat it is.
    if (isRecord(read) && typeof read.mes === "string")
      messages.push({ name: String(read.name ?? ""), is_user: read.is_user === true, mes: read.mes });
  }
  return messages.length > 0 ? messages : null;
}
