import { useQuery } from "@tanstack/react-query";
import { putSnapshot, type SceneText } from "../../../client/rest";
import { TextArea, TextField } from "../../../design/Field";
import { tellTrouble } from "../../../design/toasts";
import { refreshStory } from "../../../server/server";
import { EntityPicker } from "../../../story/EntityPicker";
import { planScene } from "../../../story/manuscript/chapters";
import type { Place } from "../../../story/manuscript/place";
import { summariesOptions } from "../../../story/manuscript/summaries";
import { namesOptions } from "../../../story/threads/threads";
import { useTexts } from "../../../texts/language";
import styles from "./Scene.module.css";
import { texts } from "./texts";
import { useDraftField } from "./useDraftField";

const MOST_WORDS = 1_000_000;

/** What is planned for a scene, and what is told of it afterwards. */
export default function SceneDetails({
  storyId,
  place,
  scene,
}: {
  storyId: string;
  place: Place;
  scene: SceneText;
}) {
  const t = useTexts(texts);
  const { pov, wordGoal, notes: noted = "" } = scene.plan;
  const names = useQuery(namesOptions(storyId, pov ? [pov] : [])).data;
  const summaries = useQuery(summariesOptions(storyId));
  const summary = summaries.data?.get(`${place.chapter}.${place.scene}`);
  const told = useDraftField(`scene:${scene.id}:summary`, summary?.summary ?? "", async (text) => {
    const { timelinePosition, emotionalTone, activeCharactersJson, activeLocationsJson, manuscriptId } =
      summary ?? {};
    await putSnapshot({
      path: { storyId },
      body: {
        chapterIndex: place.chapter,
        sceneIndex: place.scene,
        summary: text,
        ...(summary && {
          timelinePosition,
          emotionalTone,
          activeCharactersJson,
          activeLocationsJson,
          manuscriptId,
        }),
      },
    });
    await refreshStory(storyId);
  });
  const plan = (patch: Parameters<typeof planScene>[2]) => planScene(storyId, place, patch);
  const notes = useDraftField(`scene:${scene.id}:notes`, noted, (text) => plan({ notes: text }));
  const goal = useDraftField(`scene:${scene.id}:goal`, String(wordGoal ?? ""), (text) =>
    plan({
      wordGoal: text.trim() === "" ? null : Math.min(MOST_WORDS, Math.max(1, Math.round(Number(text)))),
    }),
  );
  const wrong = ({ problem }: typeof notes) =>
    problem ? `${t.unsaved} ${problem.isOffline ? "" : problem.message}` : null;
  return (
    <section className={styles.details} aria-label={t.about}>
      <TextArea
        label={t.summary}
        hint={t.summaryWhy}
        error={wrong(told)}
        rows={3}
        maxLength={65_536}
        disabled={!summaries.data}
        value={told.value}
        onChange={(event) => told.change(event.target.value)}
        onBlur={told.leave}
      />
      <TextArea
        label={t.notes}
        hint={t.notesWhy}
        error={wrong(notes)}
        rows={3}
        maxLength={65_536}
        value={notes.value}
        onChange={(event) => notes.change(event.target.value)}
        onBlur={notes.leave}
      />
      <EntityPicker
        storyId={storyId}
        label={t.pov}
        value={pov ? { id: pov, name: names?.get(pov) ?? "…", type: "character" } : null}
        onPick={(picked) => void plan({ pov: picked?.id ?? null }).catch(tellTrouble)}
      />
      <TextField
        label={t.goal}
        error={wrong(goal)}
        type="number"
        min={1}
        max={MOST_WORDS}
        step={100}
        value={goal.value}
        onChange={(event) => goal.change(event.target.value)}
        onBlur={goal.leave}
      />
    </section>
  );
}
