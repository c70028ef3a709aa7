import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RelativeTime, SceneTime } from "../../client/rest";
import { storyTimelineOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Choice, Select, TextField } from "../../design/Field";
import { Notice } from "../../design/states";
import { type Problem, problemOf } from "../../server/problem";
import { glossary } from "../../texts/glossary";
import { inBoth, useTexts } from "../../texts/language";
import { usePlaces } from "../places";
import { useStory } from "../story";
import { type Calendar, calendarOf, texts as calendarTexts, shownDay } from "./calendar";

const texts = inBoth({
  how: ["How it is given", "设定方式"],
  asDay: ["A day", "某一天"],
  after: ["After…", "在…之后"],
  before: ["Before…", "在…之前"],
  unsaid: ["Not said", "不设定"],
  day: ["Day", "日期"],
  dayHint: [
    (kind: Calendar["kind"]) =>
      kind === "gregorian"
        ? "A date such as 1927-05-01, or a number of days from day 0."
        : kind === "eras"
          ? "An era with its year and day, or a number of days from day 0."
          : "Days from the story's day 0; before it, a negative number.",
    (kind: Calendar["kind"]) =>
      kind === "gregorian"
        ? "日期，例如 1927-05-01，或距第 0 天的天数。"
        : kind === "eras"
          ? "年号与年、日，或距第 0 天的天数。"
          : "距故事第 0 天的天数；之前为负数。",
  ],
  lasts: ["Lasts days", "持续天数"],
  label: ["What you call it", "你的说法"],
  labelHint: ["ten years before", "十年前"],
  anchor: ["Scene or event", "场景或事件"],
  days: ["Days between", "相隔天数"],
  noAnchor: ["No scene or event has a world time yet.", "还没有场景或事件设定了故事时间。"],
});

type Way = "day" | "after" | "before" | "unsaid";

/** A world time as the server takes it. */
export type GivenTime = SceneTime | RelativeTime | number | string | null;

interface WorldTimeDialogProps {
  title: string;
  /** The scene or event itself, which cannot be its own measure. */
  ownId: string;
  time: SceneTime | null;
  /** Whether it may last for days. */
  hasEnd?: boolean;
  /** Saves it; gives back the time as it was understood. */
  onSave(given: GivenTime): Promise<SceneTime | null>;
  onClose(): void;
}

/** When something happens in the story's own time: a day, or so many days from something else. */
export function WorldTimeDialog({
  title,
  ownId,
  time,
  hasEnd = false,
  onSave,
  onClose,
}: WorldTimeDialogProps) {
  const story = useStory();
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const places = usePlaces(story.id);
  const calendar = calendarOf(story.settings);
  const inWords = useTexts(calendarTexts);
  const first =
    time === null ? "" : calendar.kind === "days" ? String(time.day) : shownDay(calendar, time.day, inWords);
  const [way, setWay] = useState<Way>("day");
  const [text, setText] = useState(first);
  const [label, setLabel] = useState(time?.label ?? "");
  const [lasts, setLasts] = useState(time?.end == null ? "" : String(time.end - time.day));
  const [chosen, setChosen] = useState("");
  const [days, setDays] = useState("1");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const turns = useQuery(storyTimelineOptions({ path: { storyId: story.id } })).data?.items ?? [];
  const anchors = turns.filter(({ id, worldTime }) => id !== ownId && worldTime !== null);
  const anchor = chosen || anchors.at(-1)?.id || "";
  const isFit =
    way === "unsaid" || (way === "day" ? text.trim() !== "" : anchor !== "" && days.trim() !== "");
  const full = (day: number): SceneTime => ({
    day,
    label: label.trim(),
    ...(hasEnd && { end: lasts.trim() === "" ? null : day + Number(lasts) }),
  });
  const send = async () => {
    if (way === "unsaid") return await onSave(null);
    if (way !== "day") return await onSave({ [way]: anchor, days: Number(days), label: label.trim() });
    if (time && text === first) return await onSave(full(time.day));
    if (Number.isFinite(Number(text))) return await onSave(full(Number(text)));
    const understood = await onSave(text.trim());
    // A date is read by the server; the author's words come with the day that it names.
    const isBare = label.trim() === "" && lasts.trim() === "";
    return understood && !isBare ? await onSave(full(understood.day)) : understood;
  };
  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await send();
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" disabled={!isFit || isBusy} onClick={() => void save()}>
            {words.save}
          </Button>
        </>
      }
    >
      {problem && (
        <Notice look="danger">
          {problem.message} {problem.suggestion}
        </Notice>
      )}
      <Choice<Way>
        label={t.how}
        value={way}
        onChange={setWay}
        hint={anchors.length === 0 ? t.noAnchor : undefined}
        options={[
          { value: "day", label: t.asDay },
          { value: "after", label: t.after, disabled: anchors.length === 0 },
          { value: "before", label: t.before, disabled: anchors.length === 0 },
          { value: "unsaid", label: t.unsaid },
        ]}
      />
      {way === "day" && (
        <TextField
          label={t.day}
          hint={t.dayHint(calendar.kind)}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {way === "day" && hasEnd && (
        <TextField
          label={t.lasts}
          type="number"
          min={0}
          step="any"
          value={lasts}
          onChange={(event) => setLasts(event.target.value)}
        />
      )}
      {(way === "after" || way === "before") && (
        <>
          <Select
            label={t.anchor}
            value={anchor}
            onChange={setChosen}
            options={anchors.map(({ id, kind, name, moment, when }) => ({
              value: id,
              label: `${kind === "scene" && moment ? places.momentName(moment) : name} · ${when}`,
            }))}
          />
          <TextField
            label={t.days}
            type="number"
            min={0}
            step="any"
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        </>
      )}
      {way !== "unsaid" && (
        <TextField
          label={t.label}
          placeholder={t.labelHint}
          maxLength={200}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
        />
      )}
    </Dialog>
  );
}
