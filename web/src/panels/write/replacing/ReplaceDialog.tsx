import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type FoundPlace, findWords, replaceWords } from "../../../client/rest";
import { Button } from "../../../design/Button";
import { Dialog } from "../../../design/Dialog";
import { Switch, TextField } from "../../../design/Field";
import { Notice, Trouble } from "../../../design/states";
import { tellTrouble } from "../../../design/toasts";
import { problemOf } from "../../../server/problem";
import { revisionOf } from "../../../server/revision";
import { refreshStory, storyKey } from "../../../server/server";
import type { Place } from "../../../story/manuscript/place";
import { usePlaces } from "../../../story/places";
import { tellDone } from "../../../story/story";
import { useSettled } from "../../../story/useSettled";
import { glossary } from "../../../texts/glossary";
import { useTexts } from "../../../texts/language";
import styles from "./Replacing.module.css";
import { texts } from "./texts";

const PAUSE_MS = 250;
const SHOWN = 200;

interface ReplaceDialogProps {
  storyId: string;
  /** What was selected in the text. */
  first: string;
  /** Saves what is typed in the open scene, so that it is looked through, too. */
  save(): Promise<unknown>;
  onOpen(place: Place): void;
  onClose(): void;
}

/** Words found in the whole book, each place as it would be, and replaced in one step. */
export default function ReplaceDialog({ storyId, first, save, onOpen, onClose }: ReplaceDialogProps) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(storyId);
  const [find, setFind] = useState(first);
  const [replacement, setReplacement] = useState("");
  const [matchCase, setMatchCase] = useState(true);
  const [wholeWords, setWholeWords] = useState(false);
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [isStale, setStale] = useState(false);
  const sought = useSettled(find, PAUSE_MS);
  const found = useQuery({
    queryKey: storyKey("findWords", storyId, sought, matchCase, wholeWords),
    queryFn: async ({ signal }) => {
      await save();
      const body = { find: sought, matchCase, wholeWords, limit: SHOWN };
      return (await findWords({ path: { storyId }, body, signal })).data;
    },
    enabled: sought !== "",
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const shown = sought === "" ? undefined : found.data;
  const meant = shown?.scenes.filter(({ sceneId }) => !spared.has(sceneId)) ?? [];
  const count = meant.reduce((sum, one) => sum + one.count, 0);
  const isReady = !isBusy && count > 0 && sought === find && !found.isFetching;
  const replace = async () => {
    if (!isReady) return;
    setBusy(true);
    setStale(false);
    try {
      const scenes = meant.map(({ sceneId }) => sceneId);
      const body = { find, replacement, matchCase, wholeWords, scenes, expectedCount: count };
      const answer = await replaceWords({ path: { storyId }, body });
      onClose();
      void refreshStory(storyId);
      tellDone(storyId, t.done(answer.data.count), revisionOf(answer));
    } catch (error) {
      if (problemOf(error).code === "CONFLICT") {
        setStale(true);
        void found.refetch();
      } else tellTrouble(error);
      setBusy(false);
    }
  };
  const spare = (sceneId: string, isMeant: boolean) => {
    const next = new Set(spared);
    if (isMeant) next.delete(sceneId);
    else next.add(sceneId);
    setSpared(next);
  };
  return (
    <Dialog
      wide
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={!isReady} onClick={() => void replace()}>
            {t.replace(count)}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <TextField
          label={t.find}
          value={find}
          maxLength={1_000}
          onChange={(event) => setFind(event.target.value)}
        />
        <TextField
          label={t.replacement}
          value={replacement}
          maxLength={1_000}
          onChange={(event) => setReplacement(event.target.value)}
        />
        <Switch label={t.matchCase} checked={matchCase} onChange={setMatchCase} />
        <Switch label={t.wholeWords} checked={wholeWords} onChange={setWholeWords} />
      </div>
      <p className={styles.note}>{t.names}</p>
      {isStale && <Notice look="warn">{t.changed}</Notice>}
      {found.error && <Trouble error={found.error} onRetry={() => void found.refetch()} />}
      <p role="status">{shown && (shown.count === 0 ? t.none : t.found(shown.count, shown.scenes.length))}</p>
      {shown?.scenes.map(({ sceneId, chapter, scene, count: times }) => {
        const name = places.momentName({ chapter, scene });
        const own = shown.places.filter((one) => one.sceneId === sceneId);
        if (own.length === 0) return null;
        return (
          <section key={sceneId} className={styles.scene} aria-label={name}>
            <header>
              <label>
                <input
                  type="checkbox"
                  aria-label={t.include(name)}
                  checked={!spared.has(sceneId)}
                  onChange={(event) => spare(sceneId, event.target.checked)}
                />{" "}
                {name} · {times}
              </label>
              <Button size="small" look="quiet" onClick={() => onOpen({ chapter, scene })}>
                {t.open(name)}
              </Button>
            </header>
            <ul>
              {own.map((one) => (
                <PlaceRow
                  key={one.start}
                  place={one}
                  replacement={replacement}
                  isMeant={!spared.has(sceneId)}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {shown && shown.count > shown.places.length && <p>{t.more(shown.count - shown.places.length)}</p>}
    </Dialog>
  );
}

function PlaceRow({
  place: { before, words, after },
  replacement,
  isMeant,
}: {
  place: FoundPlace;
  replacement: string;
  isMeant: boolean;
}) {
  return (
    <li className={styles.place}>
      {before}
      {isMeant ? (
        <>
          <del>{words}</del>
          {replacement && <ins>{replacement}</ins>}
        </>
      ) : (
        <mark>{words}</mark>
      )}
      {after}
    </li>
  );
}
