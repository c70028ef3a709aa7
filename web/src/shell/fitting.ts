import type { Span } from "../design/Marked";

/** Something the palette offers: a place to go, or a thing to do. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  /** Words of the label that were looked for. */
  readonly marks?: readonly Span[];
  readonly to?: string;
  run?(): void;
}

/** The commands whose letters stand in the label in this order, those that begin so first. */
export function fitting(commands: readonly Command[], text: string): Command[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [...commands];
  return commands
    .map((command) => ({ command, rank: rank(command.label.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .map(({ command }) => command);
}

function rank(label: string, wanted: string): number {
  const place = label.indexOf(wanted);
  if (place >= 0) return place === 0 ? 0 : 1;
  let from = 0;
  for (const letter of wanted) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return Number.POSITIVE_INFINITY;
  }
  return 2;
}
