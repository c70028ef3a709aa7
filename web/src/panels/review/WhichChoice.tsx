import { useQuery } from "@tanstack/react-query";
import { listStaleOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Choice } from "../../design/Field";
import { useTexts } from "../../texts/language";
import { SHOWN, type Shown } from "./proposals";
import { texts } from "./texts";

interface WhichChoiceProps {
  storyId: string;
  which: Shown;
  onWhich(which: Shown): void;
}

/** What is reviewed: proposals that wait, those that are decided, or facts that are stale. */
export function WhichChoice({ storyId, which, onWhich }: WhichChoiceProps) {
  const t = useTexts(texts);
  const count = useQuery(listStaleOptions({ path: { storyId }, query: {} })).data?.totalCount ?? 0;
  return (
    <Choice<Shown>
      label={t.which}
      quiet
      value={which}
      onChange={onWhich}
      options={SHOWN.map((value) => ({
        value,
        label: value === "stale" && count > 0 ? `${t.stale} (${count})` : t[value],
      }))}
    />
  );
}
