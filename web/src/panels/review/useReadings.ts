import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Job } from "../../client/rest";
import { listJobsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { type Places, usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import { texts } from "./texts";

/** A text that is being read in the background. */
export interface Reading {
  readonly jobId: string;
  readonly label: string;
}

const KINDS = ["extraction", "scene-extraction", "novel-reading"];
const SCENE = /^(\d+)\/(\d+)$/;

/** Those jobs that read something, with what they read; a job about a scene names its place. */
export function readingsIn(jobs: readonly Job[], places: Places, otherwise: string): Reading[] {
  return jobs
    .filter(({ kind }) => KINDS.includes(kind))
    .map(({ id, subject }) => {
      const place = SCENE.exec(subject);
      const label = place
        ? places.momentName({ chapter: Number(place[1]), scene: Number(place[2]) })
        : otherwise;
      return { jobId: id, label };
    });
}

const SHOWN = 50;

/** What is being read, whoever began it: this page, another window, or the saving of a scene. */
export function useReadings(storyId: string) {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  const [begun, setBegun] = useState<readonly Reading[]>([]);
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set());
  const jobs = useQuery(listJobsOptions({ path: { storyId }, query: { unfinished: true, size: SHOWN } }));
  const others = readingsIn(jobs.data?.content ?? [], places, t.readingText).filter(
    ({ jobId }) => !begun.some((one) => one.jobId === jobId),
  );
  return {
    readings: [...begun, ...others].filter(({ jobId }) => !ended.has(jobId)),
    begin: (more: readonly Reading[]) => setBegun((known) => [...known, ...more]),
    end: (jobId: string) => setEnded((known) => new Set(known).add(jobId)),
  };
}
