import { lazy, Suspense, useState } from "react";
import { Button, IconButton } from "../../../design/Button";
import { TextField } from "../../../design/Field";
import { Meter } from "../../../design/Meter";
import { Loading, Trouble } from "../../../design/states";
import { loaded } from "../../../server/loaded";
import type { Place } from "../../../story/manuscript/place";
import { usePov } from "../../../story/pov/pov";
import { SeenBy } from "../../../story/pov/SeenBy";
import { useTexts } from "../../../texts/language";
import { texts } from "../texts";
import styles from "./Context.module.css";
import { LEFT_OUT_AT_FIRST, Sections } from "./Sections";
import { askSeen, useContextPreview } from "./useContextPreview";
import type { Pins } from "./usePins";

// Not needed to write: loaded when it is asked for.
const PromptDialog = lazy(() => loaded(() => import("./PromptDialog")));
const Looks = lazy(() => loaded(() => import("./Looks")));
const NewNamesBar = lazy(() => loaded(() => import("../newNames/NewNamesBar")));

interface ContextPanelProps {
  storyId: string;
  place: Place;
  edition: number;
  pins: Pins;
  budget: number;
  onBudget(budget: number): void;
  read(): string;
}

/** What a model would be told about this scene now: every piece with its cost and its reason. */
export function ContextPanel({ storyId, place, edition, pins, budget, onBudget, read }: ContextPanelProps) {
  const t = useTexts(texts);
  const pov = usePov(storyId);
  const [isPromptShown, setPromptShown] = useState(false);
  const [isAllNamed, setAllNamed] = useState(false);
  const answer = useContextPreview({
    storyId,
    place,
    edition,
    budget,
    pins: pins.pins,
    pov: pov.id,
    leftOutLimit: isAllNamed ? null : LEFT_OUT_AT_FIRST,
    read,
  });
  const wish = () => ({ ...place, text: read(), tokenBudget: budget, pinned: [...pins.pins], pov: pov.id });
  const context = answer.data?.context;
  if (!context)
    return answer.error ? (
      <Trouble error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Loading rows={5} />
    );
  return (
    <div className={styles.panel}>
      <div className={styles.top}>
        <Meter
          label={t.contextTokens}
          value={context.estimatedTokens}
          limit={context.totalBudget}
          pending={answer.isFetching}
        />
        <div className={styles.tools}>
          <span aria-hidden="true" className={styles.budget}>
            {t.budgetShort}
          </span>
          <BudgetField budget={budget} onChange={onBudget} />
          <Button size="small" icon="copy" onClick={() => setPromptShown(true)}>
            {t.prompt}
          </Button>
          <IconButton icon="refresh" size="small" label={t.refresh} onClick={() => void answer.refetch()} />
        </div>
        <SeenBy storyId={storyId} pov={pov} />
        {answer.data?.isAbsent && (
          <p className={styles.stale} role="status">
            {t.absentHere(pov.name)}
          </p>
        )}
        {answer.error && <p className={styles.stale}>{t.lastSeen}</p>}
      </div>
      <Suspense>
        <NewNamesBar storyId={storyId} place={place} edition={edition} read={read} />
        <Looks
          storyId={storyId}
          chapter={place.chapter}
          scene={place.scene}
          budget={budget}
          isShort={context.trace.some(({ included, reason }) => !included && reason === "budget")}
          wish={wish}
          onBudget={onBudget}
        />
      </Suspense>
      <Sections context={context} pins={pins} onNameAll={setAllNamed} />
      {isPromptShown && (
        <Suspense>
          <PromptDialog
            ask={async () => (await askSeen(storyId, wish())).context}
            onClose={() => setPromptShown(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The budget is taken when the field is left or Enter is pressed, not with every digit. */
function BudgetField({ budget, onChange }: { budget: number; onChange(budget: number): void }) {
  const t = useTexts(texts);
  const [text, setText] = useState<string | null>(null);
  const take = () => {
    if (text !== null && text.trim() !== "" && Number.isFinite(Number(text))) onChange(Number(text));
    setText(null);
  };
  return (
    <TextField
      label={t.budgetOf}
      quiet
      title={t.budgetOf}
      type="number"
      min={0}
      max={1_000_000}
      step={500}
      value={text ?? budget}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === "Enter" && take()}
    />
  );
}
