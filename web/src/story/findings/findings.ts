import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CheckFinding, Fix, Job } from "../../client/rest";
import { createWaiver, deleteWaiver, fixFinding } from "../../client/rest";
import {
  listJobsOptions,
  newestChecksOptions,
  newestChecksQueryKey,
} from "../../client/rest/@tanstack/react-query.gen";
import { queries } from "../../server/server";
import { said, useLanguage, useTexts } from "../../texts/language";
import { act } from "../act";
import { entityPage, panelOf, scenePage } from "../addresses";
import { isOver } from "../JobProgress";
import { ruleNames, texts } from "./texts";

export const SEVERITIES = ["error", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number] | "off";

/** How severe the findings of each rule are where the author says nothing else. */
export const DEFAULTS: Readonly<Record<keyof typeof ruleNames, Severity>> = {
  "not-yet": "warning",
  "no-longer": "info",
  "dead-acts": "error",
  "two-places": "error",
  trait: "warning",
  kin: "error",
  age: "warning",
  order: "warning",
  count: "warning",
  number: "warning",
  "knows-too-much": "warning",
  name: "warning",
  bond: "warning",
  "two-holders": "info",
  thread: "warning",
  stale: "warning",
  "story-rules": "error",
  secret: "info",
};

export const RULES = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];

/** What a rule is called; one that this page does not know, by its id. */
export function useRuleName(): (rule: string) => string {
  const names: Readonly<Record<string, string>> = said(ruleNames, useLanguage());
  return (rule) => names[rule] ?? rule;
}

const CHECKS = "story-checks";
const LOOK_EVERY_MS = 1_000;

/** The newest findings of a story, and the check that runs or waits after a save. */
export function useChecks(storyId: string) {
  const newest = useQuery(newestChecksOptions({ path: { storyId } }));
  const jobs = useQuery({
    ...listJobsOptions({ path: { storyId }, query: { size: 20 } }),
    refetchInterval: ({ state }) => {
      const last = state.data?.content.find(isCheck);
      return last && !isOver(last) ? LOOK_EVERY_MS : false;
    },
  });
  const last = jobs.data?.content.find(isCheck);
  const ended = last && isOver(last) ? last.id : null;
  const before = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (jobs.data === undefined) return;
    if (before.current !== undefined && ended !== null && before.current !== ended)
      void queries.invalidateQueries({ queryKey: newestChecksQueryKey({ path: { storyId } }) });
    before.current = ended;
  }, [jobs.data, ended, storyId]);
  return { newest, running: last && !isOver(last) ? last : null };
}

const isCheck = ({ kind }: Job): boolean => kind === CHECKS;

/** How many findings each scene has that nobody has said are intended, by the scene's id. */
export function countsOf(findings: readonly CheckFinding[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { here, waived } of findings) {
    if (waived || here.sceneId == null) continue;
    counts.set(here.sceneId, (counts.get(here.sceneId) ?? 0) + 1);
  }
  return counts;
}

/** Where what is written can be read; null for a finding among facts. */
export const hereAddress = (storyId: string, { here }: CheckFinding): string | null =>
  here.chapter == null || here.scene == null ? null : scenePage(storyId, here.chapter, here.scene, here);

/** Where what is established can be read. */
export function thereAddress(storyId: string, { there, entityId }: CheckFinding): string | null {
  if (there === null) return null;
  if (there.kind === "thread") return panelOf(storyId, "threads");
  if (there.kind === "entry") return panelOf(storyId, "lorebook", { entry: there.id });
  if (there.kind === "entity") return entityPage(storyId, there.id);
  if (there.chapter != null && there.scene != null)
    return scenePage(storyId, there.chapter, there.scene, there);
  return entityId === null ? null : entityPage(storyId, entityId);
}

/** The ways to mend a finding; each gives whether it was done. */
export function useMending(storyId: string, before: () => Promise<void> = async () => {}) {
  const t = useTexts(texts);
  const done = {
    change_text: t.doneText,
    add_state: t.doneState,
    correct_fact: t.doneFact,
    waive: t.doneWaived,
  };
  return {
    fix: ({ id: findingId }: CheckFinding, { kind }: Fix, text?: string) =>
      act(storyId, done[kind], async () => {
        await before();
        const body = text === undefined ? { kind } : { kind, text };
        return await fixFinding({ path: { storyId, findingId }, body });
      }),
    waive: ({ id: findingId }: CheckFinding, reason: string) =>
      act(storyId, t.doneWaived, async () => {
        await before();
        return await createWaiver({ path: { storyId }, body: { findingId, reason } });
      }),
    report: (waiverId: string) =>
      act(storyId, t.doneReport, () => deleteWaiver({ path: { storyId, waiverId } })),
  };
}

export type Mending = ReturnType<typeof useMending>;
