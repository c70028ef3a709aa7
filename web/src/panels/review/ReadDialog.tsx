import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ExtractEntitiesRequest, extractEntities, readAllScenes, readScene } from "../../client/rest";
import { settingsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Choice, Select, TextArea } from "../../design/Field";
import { tellTrouble } from "../../design/toasts";
import { usePlaces } from "../../story/places";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Review.module.css";
import { texts } from "./texts";
import type { Reading } from "./useReadings";

type What = "scene" | "text" | "all";
export type Reader = NonNullable<ExtractEntitiesRequest["extractor"]>;
interface Place {
  chapter: number;
  scene: number;
}

interface ReadDialogProps {
  storyId: string;
  onBegun(readings: Reading[]): void;
  onClose(): void;
}

/** Lets all scenes be read as one job; what was read before is left out. */
export async function queueAll(storyId: string, extractor: Reader, label: string): Promise<Reading> {
  const { data } = await readAllScenes({ path: { storyId }, body: { extractor } });
  return { jobId: data.taskId, label, goesOn: extractor };
}

/** Chooses a text that is read in the background, and who reads it. */
export function ReadDialog({ storyId, onBegun, onClose }: ReadDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const scenes = places.chapters.flatMap(({ chapter, scenes: inside }) =>
    inside.map(({ scene }) => ({ chapter, scene })),
  );
  const model = useQuery(settingsOptions()).data?.languageModel;
  const [chosenWhat, setWhat] = useState<What | null>(null);
  const [at, setAt] = useState(0);
  const [text, setText] = useState("");
  const [reader, setReader] = useState<Reader>("auto");
  const [isBusy, setBusy] = useState(false);
  const what = chosenWhat ?? (scenes.length > 0 ? "scene" : "text");

  const queue = async (body: ExtractEntitiesRequest, label: string): Promise<Reading[]> => {
    const { data } = await extractEntities({
      path: { storyId },
      body: { ...body, extractor: reader, background: true },
    });
    return "taskId" in data ? [{ jobId: data.taskId, label }] : [];
  };
  const queueScene = async ({ chapter, scene }: Place) => {
    const { data } = await readScene({ path: { storyId, chapter, scene } });
    return queue({ text: data.text, chapter, scene }, places.momentName({ chapter, scene }));
  };
  const begin = async () => {
    setBusy(true);
    try {
      const [place] = scenes.slice(at, at + 1);
      if (what === "all") onBegun([await queueAll(storyId, reader, t.readingAll)]);
      else if (what === "text") onBegun(await queue({ text }, t.readingText));
      else if (place) onBegun(await queueScene(place));
      onClose();
    } catch (error) {
      tellTrouble(error);
      setBusy(false);
    }
  };
  const isReady = what === "text" ? text.trim() !== "" : scenes.length > 0;
  return (
    <Dialog
      title={t.readTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={!isReady || isBusy} onClick={() => void begin()}>
            {t.begin}
          </Button>
        </>
      }
    >
      <Choice<What>
        label={t.readWhat}
        value={what}
        onChange={setWhat}
        options={[
          { value: "scene", label: t.readScene },
          { value: "all", label: t.readAll },
          { value: "text", label: t.readPasted },
        ]}
      />
      {what !== "text" && scenes.length === 0 && <p>{t.noScenes}</p>}
      {what === "scene" && scenes.length > 0 && (
        <Select
          label={t.scene}
          value={String(at)}
          onChange={(value) => setAt(Number(value))}
          options={scenes.map((place, number) => ({
            value: String(number),
            label: places.momentName(place),
          }))}
        />
      )}
      {what === "all" && scenes.length > 0 && <p>{t.readAllNote(scenes.length)}</p>}
      {what === "text" && (
        <TextArea label={t.text} value={text} onChange={(event) => setText(event.target.value)} />
      )}
      {model?.configured ? (
        <>
          <Choice<Reader>
            label={t.reader}
            value={reader}
            onChange={setReader}
            options={[
              { value: "auto", label: t.readerAuto },
              { value: "model", label: t.readerModel },
              { value: "local", label: t.readerLocal },
            ]}
          />
          {model.name && <p className={styles.small}>{t.withModel(model.name)}</p>}
        </>
      ) : (
        <p className={styles.small}>{t.noModel}</p>
      )}
    </Dialog>
  );
}
