import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FactRef, HowKnown, Knowing } from "../../client/rest";
import { listKnowingsOptions } from "../../client/rest/@tanstack/react-query.gen";
import { Button } from "../../design/Button";
import { Dialog } from "../../design/Dialog";
import { Choice, Select, TextArea } from "../../design/Field";
import { Loading } from "../../design/states";
import { glossary } from "../../texts/glossary";
import { useTexts } from "../../texts/language";
import { act } from "../act";
import { EntityPicker, type Picked } from "../EntityPicker";
import { PeriodFields } from "../PeriodFields";
import { FactPicker } from "./FactPicker";
import { blankKnowing, sendKnowing } from "./knowing";
import { HOWS, howText, texts } from "./texts";

/** What of a knowing is settled before the dialog opens. */
export interface KnowingOf {
  readonly fact: FactRef | null;
  readonly knowerId: string | null;
  /** What the dialog is called: the fact or the person that is settled. */
  readonly label: string;
  /** The row that is changed; null for a new one. */
  readonly knowingId: string | null;
  readonly isRefused?: boolean;
}

interface KnowingDialogProps {
  storyId: string;
  of: KnowingOf;
  onClose(): void;
}

/** Who knows a fact, since when and how, or what they believe instead. */
export function KnowingDialog({ storyId, of, onClose }: KnowingDialogProps) {
  const { fact, knowerId, knowingId } = of;
  const rows = useQuery({
    ...listKnowingsOptions({
      path: { storyId },
      query: { ...(knowerId && { knowerId }), ...(fact && { kind: fact.kind, factId: fact.id }) },
    }),
    enabled: knowingId !== null,
  }).data?.items;
  if (knowingId === null) return <Form storyId={storyId} of={of} before={null} onClose={onClose} />;
  const before = rows?.find(({ id }) => id === knowingId);
  if (before) return <Form storyId={storyId} of={of} before={before} onClose={onClose} />;
  return rows ? null : <Loading rows={2} />;
}

type Stance = "knows" | "believes" | "unaware";

function Form({ storyId, of, before, onClose }: KnowingDialogProps & { before: Knowing | null }) {
  const t = useTexts(texts);
  const words = useTexts(glossary);
  const [fields, setFields] = useState(() => ({ ...blankKnowing(of.fact, of.knowerId), ...before }));
  const [stance, setStance] = useState<Stance>(() =>
    of.isRefused || before?.knows === false ? "unaware" : before?.belief ? "believes" : "knows",
  );
  const [picked, setPicked] = useState<Picked | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { fact, knowerId, belief, since, until } = fields;
  const how: HowKnown = fields.how;
  const isFit = fact !== null && knowerId !== null && (stance !== "believes" || belief.trim() !== "");
  const save = async () => {
    if (fact === null || knowerId === null) return;
    setBusy(true);
    const told = { fact, knowerId, how, since, until };
    const isDone = await act(storyId, t.saved, () =>
      sendKnowing(storyId, before, {
        ...told,
        knows: stance !== "unaware",
        belief: stance === "believes" ? belief.trim() : "",
      }),
    );
    if (isDone) onClose();
    else setBusy(false);
  };
  return (
    <Dialog
      title={t.title(of.label)}
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
      {of.fact === null && (
        <FactPicker storyId={storyId} onPick={(chosen) => setFields({ ...fields, fact: chosen })} />
      )}
      {of.knowerId === null && (
        <EntityPicker
          storyId={storyId}
          label={t.knower}
          value={picked}
          onPick={(who) => {
            setPicked(who);
            setFields({ ...fields, knowerId: who?.id ?? null });
          }}
        />
      )}
      <Choice<Stance>
        label={t.stance}
        value={stance}
        onChange={setStance}
        options={[
          { value: "knows", label: t.knowsIt },
          { value: "believes", label: t.believesElse },
          { value: "unaware", label: t.isUnaware },
        ]}
      />
      {stance === "believes" && (
        <TextArea
          label={t.belief}
          maxLength={4_000}
          value={belief}
          onChange={(event) => setFields({ ...fields, belief: event.target.value })}
        />
      )}
      {stance !== "unaware" && (
        <Select<HowKnown>
          label={t.how}
          value={how}
          onChange={(chosen) => setFields({ ...fields, how: chosen as typeof fields.how })}
          options={HOWS.map((value) => ({ value, label: howText(value, t) }))}
        />
      )}
      <PeriodFields
        storyId={storyId}
        since={since}
        until={until}
        labels={{ since: t.from, until: t.until }}
        onChange={(changed) => setFields({ ...fields, ...(changed as Partial<typeof fields>) })}
      />
    </Dialog>
  );
}
