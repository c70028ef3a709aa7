import type { CheckFinding } from "../../client/rest";
import { beginningOf } from "../../story/places";

/** Which findings are looked at. */
export interface Filter {
  readonly severity: string;
  readonly rule: string;
  readonly chapter: string;
  readonly least: number;
  readonly q: string;
}

export const ALL: Filter = { severity: "", rule: "", chapter: "", least: 0, q: "" };

export function wanted(findings: readonly CheckFinding[], filter: Filter): CheckFinding[] {
  const q = filter.q.trim().toLowerCase();
  return findings.filter(
    ({ severity, rule, confidence, here, there, message, name }) =>
      (filter.severity === "" || severity === filter.severity) &&
      (filter.rule === "" || rule === filter.rule) &&
      (filter.chapter === "" || String(here.chapter ?? "") === filter.chapter) &&
      confidence >= filter.least &&
      (q === "" ||
        [message, name, here.quotation, there?.quotation ?? ""].some((text) =>
          text.toLowerCase().includes(q),
        )),
  );
}

/** The findings of one scene, by rule; of those among facts, the place is null. */
export interface Group {
  readonly key: string;
  readonly place: { readonly chapter: number; readonly scene: number } | null;
  readonly rules: readonly { readonly rule: string; readonly findings: readonly CheckFinding[] }[];
}

/** Findings by scene, in the order of the telling, and in each by rule; those among facts are last. */
export function groupsOf(findings: readonly CheckFinding[]): Group[] {
  const scenes = new Map<string, { place: Group["place"]; rules: Map<string, CheckFinding[]> }>();
  for (const finding of findings) {
    const { chapter, scene } = finding.here;
    const place = chapter == null || scene == null ? null : { chapter, scene };
    const key = place ? `${place.chapter}.${place.scene}` : "facts";
    const known = scenes.get(key) ?? { place, rules: new Map<string, CheckFinding[]>() };
    scenes.set(key, known);
    known.rules.set(finding.rule, [...(known.rules.get(finding.rule) ?? []), finding]);
  }
  return [...scenes]
    .map(([key, { place, rules }]) => ({
      key,
      place,
      rules: [...rules].map(([rule, own]) => ({ rule, findings: own })),
    }))
    .toSorted((one, other) => orderOf(one) - orderOf(other));
}

const orderOf = ({ place }: Group): number => (place === null ? Number.MAX_SAFE_INTEGER : beginningOf(place));
