import { z } from "zod";
import type { SceneTime, WorldTime } from "../../client/rest";
import { inBoth, type Said } from "../../texts/language";

export const texts = inBoth({
  day: [(day: number) => `day ${day}`, (day: number) => `第${day}天`],
  ofEra: [
    (era: string, year: number, day: number) => `${era} year ${year}, day ${day}`,
    (era: string, year: number, day: number) => `${era}${year}年第${day}天`,
  ],
  at: [(day: string, clock: string) => `${day}, ${clock}`, (day: string, clock: string) => `${day} ${clock}`],
  called: [
    (label: string, day: string) => `${label} (${day})`,
    (label: string, day: string) => `${label}（${day}）`,
  ],
});

export const KINDS = ["days", "gregorian", "eras"] as const;

const zCalendar = z.object({
  kind: z.enum(KINDS).default("days"),
  dayZero: z.string().nullish().default(null),
  eras: z.array(z.object({ name: z.string(), firstDay: z.number() })).default([]),
  yearDays: z.number().default(365),
});

/** How the days of a story are read and shown, as its settings say. */
export type Calendar = z.infer<typeof zCalendar>;

export function calendarOf(settings: Readonly<Record<string, unknown>>): Calendar {
  const said = settings.calendar;
  return zCalendar.catch(zCalendar.parse({})).parse(typeof said === "string" ? { kind: said } : (said ?? {}));
}

const MINUTES = 1_440;
const DAY_MS = 86_400_000;

const two = (number: number): string => String(number).padStart(2, "0");

/** A day as the calendar shows it: the server reads the same day from this text. */
export function shownDay(calendar: Calendar, day: number, t: Said<typeof texts>): string {
  const minutes = Math.round(day * MINUTES);
  const whole = Math.floor(minutes / MINUTES);
  const rest = minutes - whole * MINUTES;
  const clock = rest === 0 ? "" : `${two(Math.floor(rest / 60))}:${two(rest % 60)}`;
  if (calendar.kind === "gregorian" && calendar.dayZero) {
    const date = new Date(Date.parse(`${calendar.dayZero.slice(0, 10)}T00:00:00Z`) + whole * DAY_MS);
    if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9_999)
      return date.toISOString().slice(0, 10) + (clock && `T${clock}`);
  }
  const era =
    calendar.kind === "eras"
      ? calendar.eras
          .filter(({ firstDay }) => firstDay <= whole)
          .toSorted((one, other) => other.firstDay - one.firstDay)[0]
      : undefined;
  const since = era ? whole - era.firstDay : 0;
  const text = era
    ? t.ofEra(era.name, Math.floor(since / calendar.yearDays) + 1, (since % calendar.yearDays) + 1)
    : t.day(whole);
  return clock ? t.at(text, clock) : text;
}

/** A world time in words: what the author calls it, and its day. */
export function shownTime(calendar: Calendar, time: WorldTime | SceneTime, t: Said<typeof texts>): string {
  const day = shownDay(calendar, time.day, t);
  return time.label?.trim() ? t.called(time.label.trim(), day) : day;
}
