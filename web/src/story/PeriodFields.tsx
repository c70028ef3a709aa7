import type { Moment } from "../client/rest";
import { inBoth, useTexts } from "../texts/language";
import { type ChosenMoment, MomentField } from "./MomentField";

const texts = inBoth({
  since: ["From", "开始于"],
  until: ["Until", "结束于"],
  beginning: ["From the beginning", "从头开始"],
  end: ["To the end", "直到结尾"],
});

interface PeriodFieldsProps {
  storyId: string;
  since: Moment | null;
  until: Moment | null;
  onChange(changed: { since?: ChosenMoment | null; until?: ChosenMoment | null }): void;
  /** How the two ends are called where it is not simply from and until. */
  labels?: { readonly since: string; readonly until: string };
}

/** For which part of the telling something is true. */
export function PeriodFields({ storyId, since, until, onChange, labels }: PeriodFieldsProps) {
  const t = useTexts(texts);
  return (
    <>
      <MomentField
        storyId={storyId}
        label={labels?.since ?? t.since}
        moment={since}
        none={t.beginning}
        onChange={(moment) => onChange({ since: moment })}
      />
      <MomentField
        storyId={storyId}
        label={labels?.until ?? t.until}
        moment={until}
        none={t.end}
        onChange={(moment) => onChange({ until: moment })}
      />
    </>
  );
}
