/** Two versions of a text put together, paragraph by paragraph. */
export interface Merged {
  readonly text: string;
  /** Places that both have changed, in different ways; there the text has mine and then theirs. */
  readonly disputed: number;
}

/** What was changed on either side since both were the same. */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  const [old, my, their] = [base, mine, theirs].map((text) => text.split("\n")) as [
    string[],
    string[],
    string[],
  ];
  const inMine = kept(old, my);
  const inTheirs = kept(old, their);
  const lines: string[] = [];
  let disputed = 0;
  let [atOld, atMine, atTheirs] = [0, 0, 0];
  const settle = (toOld: number, toMine: number, toTheirs: number) => {
    const was = old.slice(atOld, toOld);
    const one = my.slice(atMine, toMine);
    const other = their.slice(atTheirs, toTheirs);
    if (isSame(one, was) || isSame(one, other)) lines.push(...other);
    else if (isSame(other, was)) lines.push(...one);
    else {
      disputed += 1;
      lines.push(...one, "", ...other);
    }
  };
  for (let place = 0; place < old.length; place++) {
    const one = inMine.get(place);
    const other = inTheirs.get(place);
    if (one === undefined || other === undefined) continue;
    settle(place, one, other);
    lines.push(old[place] ?? "");
    [atOld, atMine, atTheirs] = [place + 1, one + 1, other + 1];
  }
  settle(old.length, my.length, their.length);
  return { text: lines.join("\n"), disputed };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, place) => line === other[place]);

/** Where the lines of the old text stand in the new one, as far as they are still there, in order. */
function kept(old: readonly string[], now: readonly string[]): Map<number, number> {
  const found = new Map<number, number>();
  let first = 0;
  while (first < old.length && first < now.length && old[first] === now[first]) {
    found.set(first, first);
    first += 1;
  }
  let last = 0;
  const left = Math.min(old.length, now.length) - first;
  while (last < left && old[old.length - 1 - last] === now[now.length - 1 - last]) {
    found.set(old.length - 1 - last, now.length - 1 - last);
    last += 1;
  }
  const middle = longestCommon(old.slice(first, old.length - last), now.slice(first, now.length - last));
  for (const [one, other] of middle) found.set(first + one, first + other);
  return found;
}

/** The longest row of lines that both have in this order. */
function longestCommon(old: readonly string[], now: readonly string[]): [number, number][] {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (one: number, other: number) => lengths[one * width + other] ?? 0;
  for (let one = old.length - 1; one >= 0; one--)
    for (let other = now.length - 1; other >= 0; other--)
      lengths[one * width + other] =
        old[one] === now[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  const pairs: [number, number][] = [];
  let [one, other] = [0, 0];
  while (one < old.length && other < now.length) {
    if (old[one] === now[other]) pairs.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return pairs;
}
