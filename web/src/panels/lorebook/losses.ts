import type { ExportLossesResponse, FieldLoss } from "../../client/rest";

/** What becomes of a field in a format that cannot say it, and in which entries it stands. */
export interface LostField {
  readonly field: string;
  readonly becomes: FieldLoss["becomes"];
  readonly count: number;
  /** The first of the entries by name; none if it is lost of the book itself. */
  readonly entries: readonly string[];
}

const NAMED = 5;

/** The losses by field, those of most entries first. */
export function lossesByField({ losses, fields }: ExportLossesResponse): LostField[] {
  const found = new Map<string, { field: string; becomes: FieldLoss["becomes"]; entries: string[] }>();
  for (const { entry, field, becomes } of losses) {
    const key = `${field} ${becomes}`;
    const known = found.get(key) ?? { field, becomes, entries: [] };
    if (entry !== "") known.entries.push(entry);
    found.set(key, known);
  }
  const rows = [...found.values()];
  const isOnly = (field: string) => rows.filter((row) => row.field === field).length === 1;
  return rows
    .map(({ field, becomes, entries }) => ({
      field,
      becomes,
      // The list of losses may be cut short: how often a field is lost is counted apart from it.
      count: isOnly(field) ? (fields[field] ?? entries.length) : entries.length,
      entries: entries.slice(0, NAMED),
    }))
    .toSorted((one, other) => other.count - one.count);
}
