import type { Job } from "../client/rest";
import { listJobsOptions } from "../client/rest/@tanstack/react-query.gen";
import { inBoth, useTexts } from "../texts/language";
import { usePlaces } from "./places";

const AT_ONCE = 50;

/** The jobs of a story that wait or run. */
export const unfinishedOptions = (storyId: string) =>
  listJobsOptions({ path: { storyId }, query: { unfinished: true, size: AT_ONCE } });

const texts = inBoth({
  extraction: ["Reading a text", "阅读文本"],
  "scene-extraction": ["Looking for new names", "查找新名称"],
  "scene-snapshot": ["Summing up", "概括场景"],
  "story-checks": ["Looking for contradictions", "查找矛盾"],
  "novel-reading": ["Reading the novel", "通读小说"],
  "manuscript-reading": ["Reading all scenes", "阅读全部场景"],
  "open-questions": ["Asking the model", "询问模型"],
  "graph-layout": ["Arranging the graph", "排布图谱"],
  "graph-sync": ["Mirroring the graph", "同步图谱"],
  other: ["Working in the background", "后台处理"],
});

const SCENE = /^(\d+)\/(\d+)$/;

/** What a job does, and of which scene, in words. */
export function useJobName(storyId: string): (job: Job) => string {
  const t = useTexts(texts);
  const places = usePlaces(storyId);
  return ({ kind, subject }) => {
    const what = kind in t ? t[kind as keyof typeof t] : t.other;
    const place = SCENE.exec(subject);
    if (!place) return what;
    return `${what} · ${places.momentName({ chapter: Number(place[1]), scene: Number(place[2]) })}`;
  };
}

const COUNTED = /^\d+ \/ \d+$/;

/** How many of how many a job has done, if it says so. */
export const countedBy = ({ message }: Job): string => (COUNTED.test(message) ? message : "");
