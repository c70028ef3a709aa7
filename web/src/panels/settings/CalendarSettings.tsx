import { useState } from "react";
import { Button, IconButton } from "../../design/Button";
import { Choice, TextField } from "../../design/Field";
import { useStory } from "../../story/story";
import {
  type Calendar,
  calendarOf,
  texts as calendarTexts,
  KINDS,
  shownDay,
} from "../../story/worldTime/calendar";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import styles from "./Settings.module.css";
import { texts } from "./texts";

const EXAMPLES = [0, 400];

/** How the days of the story's own time are read and shown. */
export function CalendarSettings({ onChange }: { onChange(calendar: Calendar): Promise<boolean> }) {
  const story = useStory();
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const inWords = useTexts(calendarTexts);
  const saved = calendarOf(story.settings);
  const [draft, setDraft] = useState<Calendar | null>(null);
  const calendar = draft ?? saved;
  const change = (changed: Partial<Calendar>) => setDraft({ ...calendar, ...changed });
  const changeEra = (place: number, changed: Partial<Calendar["eras"][number]>) =>
    change({ eras: calendar.eras.map((era, at) => (at === place ? { ...era, ...changed } : era)) });
  const save = async () => {
    if (await onChange(calendar)) setDraft(null);
  };
  return (
    <section className={styles.group}>
      <h2>{t.calendar}</h2>
      <Choice
        label={t.calendarWhy}
        value={calendar.kind}
        options={KINDS.map((value) => ({ value, label: t[value] }))}
        onChange={(kind) =>
          change({
            kind,
            ...(kind === "eras" && calendar.eras.length === 0 && { eras: [{ name: "", firstDay: 0 }] }),
          })
        }
      />
      {calendar.kind === "gregorian" && (
        <TextField
          label={t.dayZero}
          placeholder="1927-05-01"
          maxLength={32}
          value={calendar.dayZero ?? ""}
          onChange={(event) => change({ dayZero: event.target.value })}
        />
      )}
      {calendar.kind === "eras" && (
        <>
          {calendar.eras.map(({ name, firstDay }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an era has no name yet while it is typed
            <div key={place} className={styles.era}>
              <TextField
                label={t.era(place + 1)}
                maxLength={256}
                value={name}
                onChange={(event) => changeEra(place, { name: event.target.value })}
              />
              <TextField
                label={t.eraFirstDay(place + 1)}
                type="number"
                step={1}
                value={firstDay}
                onChange={(event) => changeEra(place, { firstDay: Math.round(Number(event.target.value)) })}
              />
              <IconButton
                icon="close"
                label={t.removeEra(place + 1)}
                onClick={() => change({ eras: calendar.eras.filter((_, at) => at !== place) })}
              />
            </div>
          ))}
          <div>
            <Button
              size="small"
              icon="plus"
              onClick={() => change({ eras: [...calendar.eras, { name: "", firstDay: 0 }] })}
            >
              {t.addEra}
            </Button>
          </div>
          <TextField
            label={t.yearDays}
            type="number"
            min={1}
            step={1}
            value={calendar.yearDays}
            onChange={(event) => change({ yearDays: Math.max(1, Math.round(Number(event.target.value))) })}
          />
        </>
      )}
      <p>{t.calendarShows(EXAMPLES.map((day) => shownDay(calendar, day, inWords)))}</p>
      {draft !== null && (
        <div className={styles.acts}>
          <Button look="primary" onClick={() => void save()}>
            {words.save}
          </Button>
          <Button onClick={() => setDraft(null)}>{words.discard}</Button>
        </div>
      )}
    </section>
  );
}
