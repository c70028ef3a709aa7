import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { HistoryStep, Moment } from "../../client/rest";
import { listStepsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { shownValue } from "../../story/ConflictDialog";
import { usePlaces } from "../../story/places";
import { undo } from "../../story/story";
import { glossary } from "../../texts/glossary";
import { useLanguage, useTexts } from "../../texts/language";
import styles from "./Entity.module.css";
import { LEVELS } from "./EntityForm";
import { actionOf, canUndo, differencesOf } from "./history";
import { Section } from "./Section";
import { texts } from "./texts";

const AT_ONCE = 10;
const LONG = 120;

const short = (text: string): string => (text.length > LONG ? `${text.slice(0, LONG)}…` : text);

/** What was done to an entity, newest first, each step with a way back. */
export function History({ storyId, entityId }: { storyId: string; entityId: string }) {
  const t = useTexts(texts);
  const [size, setSize] = useState(AT_ONCE);
  const steps = useQuery({
    ...listStepsOptions({ path: { storyId }, query: { id: entityId, size } }),
    placeholderData: keepPreviousData,
  }).data;
  return (
    <Section title={t.history} note={steps?.totalElements}>
      {steps?.content.length === 0 && <p className={styles.quiet}>{t.historyNone}</p>}
      <ol className={styles.steps}>
        {(steps?.content ?? []).map((step) => (
          <StepRow key={step.revision} storyId={storyId} entityId={entityId} step={step} />
        ))}
      </ol>
      {steps && steps.totalElements > size && (
        <Button size="small" onClick={() => setSize(size + 5 * AT_ONCE)}>
          {t.more}
        </Button>
      )}
    </Section>
  );
}

function StepRow({ storyId, entityId, step }: { storyId: string; entityId: string; step: HistoryStep }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const language = useLanguage();
  const when = new Date(step.at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
  const names: Record<string, string> = {
    name: t.name,
    type: t.type,
    description: t.description,
    aliases: t.aliases,
    attributes: t.attributes,
    aiContextLevel: t.level,
    significance: t.significance,
    since: t.since,
    until: t.until,
  };
  const places = usePlaces(storyId);
  const level = (value: unknown) => LEVELS.find((one) => one === value);
  const told = (field: string, value: unknown): string => {
    if (field === "since" || field === "until") return value ? places.momentName(value as Moment) : "";
    const known = level(value);
    return known ? words[known] : short(shownValue(value));
  };
  return (
    <li className={styles.step} data-undone={step.revertedBy !== null || undefined}>
      <div className={styles.relationText}>
        <strong>{t[`did_${actionOf(step)}`]}</strong>
        <span className={styles.note}>
          {" "}
          {when} · {step.actor}
          {step.changeCount > 1 && ` · ${t.withOthers(step.changeCount - 1)}`}
          {step.revertedBy !== null && ` · ${t.undone}`}
        </span>
        {differencesOf(step, entityId).map(({ field, before, after }) => (
          <p key={field} className={styles.difference}>
            {names[field] ?? field}: <del>{told(field, before) || t.wasEmpty}</del>{" "}
            <ins>{told(field, after) || t.wasEmpty}</ins>
          </p>
        ))}
      </div>
      {canUndo(step) && (
        <Button
          size="small"
          look="quiet"
          icon="undo"
          aria-label={t.undoStep(step.revision)}
          onClick={() => void undo(storyId, step.revision, false)}
        >
          {words.undo}
        </Button>
      )}
    </li>
  );
}
