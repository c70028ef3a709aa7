/** Two values that say the same. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The fields that differ. */
export const changedFields = <T extends object>(
  fields: readonly (keyof T)[],
  base: T,
  mine: T,
): (keyof T)[] => fields.filter((field) => !isSame(base[field], mine[field]));

/** What one changed and what somebody else did, put together field by field. */
export interface Merge<T> {
  readonly merged: T;
  /** Both have changed these, in different ways. */
  readonly disputed: readonly (keyof T)[];
}

export function merge<T extends object>(fields: readonly (keyof T)[], base: T, mine: T, theirs: T): Merge<T> {
  const disputed: (keyof T)[] = [];
  const merged = { ...theirs };
  for (const field of fields) {
    if (isSame(mine[field], base[field])) continue;
    if (!isSame(theirs[field], base[field]) && !isSame(mine[field], theirs[field])) disputed.push(field);
    merged[field] = mine[field];
  }
  return { merged, disputed };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Both sides of a value in one; lists and attributes lose nothing, of one attribute mine is kept. */
export function combined(mine: unknown, theirs: unknown): unknown {
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const both = [...mine, ...theirs];
    return both.filter((one, place) => both.findIndex((other) => isSame(one, other)) === place);
  }
  if (isRecord(mine) && isRecord(theirs)) return { ...theirs, ...mine };
  return `${String(mine)}\n\n${String(theirs)}`;
}
