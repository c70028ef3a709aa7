import { useEffect, useRef, useState } from "react";
import { type GraphPictureResponse, type Job, layOutGraph, listJobs } from "../../client/rest";
import { tellTrouble } from "../../design/toasts";
import { problemOf } from "../../server/problem";
import { refreshStory } from "../../server/server";

const KIND = "graph-layout";

/** Sees to it that everybody has a place: the server finds one for those who have none. */
export function useLayout(storyId: string, picture: GraphPictureResponse | undefined) {
  const [jobId, setJobId] = useState<string | null>(null);
  const [isStopped, setStopped] = useState(false);
  const asked = useRef("");
  const place = async () => {
    setStopped(false);
    try {
      const { data } = await layOutGraph({ path: { storyId } });
      if (data.taskId) setJobId(data.taskId);
      else await refreshStory(storyId);
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === "JOB_IN_PROGRESS") setJobId(await running(storyId));
      // Whoever may only read sees the others around those who have a place.
      else if (problem.status !== 403) tellTrouble(problem);
    }
  };
  const begin = useRef(place);
  begin.current = place;
  const unplaced = picture?.unplaced ?? 0;
  const question = `${storyId}:${picture?.revision}`;
  useEffect(() => {
    if (unplaced === 0 || asked.current === question || jobId !== null || isStopped) return;
    asked.current = question;
    void begin.current();
  }, [unplaced, question, jobId, isStopped]);
  return {
    jobId,
    isStopped: isStopped && unplaced > 0,
    place,
    onEnd: (job: Job) => {
      setJobId(null);
      if (job.status === "cancelled") setStopped(true);
    },
  };
}

async function running(storyId: string): Promise<string | null> {
  const { data } = await listJobs({ path: { storyId }, query: { unfinished: true } });
  return data.content.find(({ kind }) => kind === KIND)?.id ?? null;
}
