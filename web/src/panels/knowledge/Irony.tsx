import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { Unaware } from "../../client/rest";
import { dramaticIronyOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Loading, Trouble } from "../../design/states";
import { FactName } from "../../story/knowing/FactName";
import { MomentField } from "../../story/MomentField";
import { namesOptions } from "../../story/People";
import { type Places, usePlaces } from "../../story/places";
import { useTexts } from "../../texts/language";
import styles from "./Knowledge.module.css";
import { texts } from "./texts";

interface IronyProps {
  storyId: string;
  /** Chapter and scene as the address has them; null for the last scene. */
  place: string | null;
  onPlace(place: string | null): void;
}

interface ScenePlace {
  readonly chapter: number;
  readonly scene: number;
}

/** The scene that is asked for, if there is one: the first of a chapter, the last of the manuscript. */
export function sceneAsked(place: string | null, { chapters }: Pick<Places, "chapters">): ScenePlace | null {
  const [chapter, scene] = (place ?? "").split(".").map(Number);
  const asked = place === null ? chapters.at(-1) : chapters.find((one) => one.chapter === chapter);
  const scenes = asked?.scenes ?? [];
  const found = place === null ? scenes.at(-1) : (scenes.find((one) => one.scene === scene) ?? scenes[0]);
  return asked && found ? { chapter: asked.chapter, scene: found.scene } : null;
}

/** What the reader of a scene knows and those on stage do not. */
export function Irony({ storyId, place, onPlace }: IronyProps) {
  const t = useTexts(texts);
  const heading = useId();
  const places = usePlaces(storyId);
  const scene = sceneAsked(place, places);
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading}>{t.irony}</h2>
      <MomentField
        storyId={storyId}
        label={t.scene}
        moment={place === null ? null : scene}
        none={t.newest}
        onChange={(moment) => onPlace(moment && `${moment.chapter}.${moment.scene ?? 0}`)}
      />
      {scene ? (
        <OfScene storyId={storyId} scene={scene} places={places} />
      ) : (
        <p className={styles.quiet}>{t.noScene}</p>
      )}
    </section>
  );
}

function OfScene({ storyId, scene, places }: { storyId: string; scene: ScenePlace; places: Places }) {
  const t = useTexts(texts);
  const answer = useQuery({
    ...dramaticIronyOptions({ path: { storyId }, query: { ...scene } }),
    placeholderData: keepPreviousData,
  });
  const stage = answer.data?.onStage ?? [];
  const names = useQuery(namesOptions(storyId, stage)).data;
  if (answer.error) return <Trouble error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!answer.data) return <Loading rows={4} />;
  const { items } = answer.data;
  return (
    <>
      <p className={styles.quiet} role="status">
        {places.momentName(scene)}
        {stage.length > 0 && ` · ${t.stage(stage.map((id) => names?.get(id) ?? "…").join(", "))}`}
      </p>
      {stage.length === 0 ? (
        <p>{t.noStage}</p>
      ) : items.length === 0 ? (
        <p>{t.noIrony}</p>
      ) : (
        <ul className={styles.facts}>
          {items.map(({ fact, label, unaware }) => (
            <li key={`${fact.kind}:${fact.id}`} className={styles.fact}>
              <FactName storyId={storyId} fact={fact} label={label} />
              <Unawareness of={unaware} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Who does not know it, and who believes something else. */
function Unawareness({ of: people }: { of: readonly Unaware[] }) {
  const t = useTexts(texts);
  const plain = people.filter(({ belief }) => !belief).map(({ name }) => name);
  return (
    <div className={styles.quiet}>
      {plain.length > 0 && <p>{t.unaware(plain.join(", "))}</p>}
      {people.map(({ id, name, belief }) => belief && <p key={id}>{t.believes(name, belief)}</p>)}
    </div>
  );
}
