const grouped = new Intl.NumberFormat("en");

/** A number as both languages write it: 12,345. */
export const figure = (count: number): string => grouped.format(count);

/** A number with its English word, which is another for one: 1 entry, 1,200 entries. */
export const numbered = (count: number, one: string, many: string): string =>
  `${figure(count)} ${count === 1 ? one : many}`;
