import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Job } from "../../client/rest";
import { unfinishedOptions } from "../../story/jobs";
import { type Places, usePlaces } from "../../story/places";
import { type Said, useTexts } from "../../texts/language";
import type { Reader } from "./ReadDialog";
import { texts } from "./texts";

/** A text that is being read in the background. */
export interface Reading {
  readonly jobId: string;
  readonly label: string;
  /** It goes on where it was stopped, if it is begun again with this reader. */
  readonly goesOn?: Reader;
}

const ALL = "manuscript-reading";
const KINDS = ["extraction", "scene-extraction", "novel-reading", ALL];
const SCENE = /^(\d+)\/(\d+)$/;

/** Those jobs that read something, with what they read; a job about a scene names its place. */
export function readingsIn(jobs: readonly Job[], places: Places, t: Said<typeof texts>): Reading[] {
  return jobs
    .filter(({ kind }) => KINDS.includes(kind))
    .map(({ id, kind, subject }) => {
      if (kind === ALL) return { jobId: id, label: t.readingAll, goesOn: "auto" };
      const place = SCENE.exec(subject);
      const label = place
        ? places.momentName({ chapter: Number(place[1]), scene: Number(place[2]) })
        : t.readingText;
      return { jobId: id, label };
    });
}

/** What is being read, whoever began it: this page, another window, or the saving of a scene. */
export function useReadings(storyId: string) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const [begun, setBegun] = useState<readonly Reading[]>([]);
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set());
  const jobs = useQuery(unfinishedOptions(storyId));
  const others = readingsIn(jobs.data?.content ?? [], places, t).filter(
    ({ jobId }) => !begun.some((one) => one.jobId === jobId),
  );
  return {
    readings: [...begun, ...others].filter(({ jobId }) => !ended.has(jobId)),
    begin: (more: readonly Reading[]) => setBegun((known) => [...known, ...more]),
    end: (jobId: string) => setEnded((known) => new Set(known).add(jobId)),
  };
}
